package io.berth.core.scheduler;

import io.berth.core.api.time.Clock;
import io.berth.core.api.time.Timers;
import java.util.Comparator;
import java.util.PriorityQueue;

/** Time that passes only when a test says so. */
public final class ManualTime implements Clock, Timers {

    private record Entry(long due, long number, Runnable action) {}

    private final PriorityQueue<Entry> entries =
            new PriorityQueue<>(Comparator.comparingLong(Entry::due).thenComparingLong(Entry::number));
    private long millis = 1_000_000;
    private long count;
    private long ran;

    @Override
    public long nanos() {
        return millis * 1_000_000;
    }

    @Override
    public long wallMillis() {
        return millis;
    }

    @Override
    public Cancellable schedule(long delayMillis, Runnable action) {
        Entry entry = new Entry(millis + delayMillis, count++, action);
        entries.add(entry);
        return () -> entries.remove(entry);
    }

    /** How many timers have run. */
    long ran() {
        return ran;
    }

    int pending() {
        return entries.size();
    }

    /** Time passes and nothing runs: the process stood still. */
    void standStill(long forMillis) {
        millis += forMillis;
    }

    public void advance(long byMillis) {
        long until = millis + byMillis;
        while (!entries.isEmpty() && entries.peek().due() <= until) {
            Entry next = entries.poll();
            millis = Math.max(millis, next.due());
            ran++;
            next.action().run();
        }
        millis = until;
    }
}
