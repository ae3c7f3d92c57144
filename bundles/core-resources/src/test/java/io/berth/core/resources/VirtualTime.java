package io.berth.core.resources;

import io.berth.core.api.time.Clock;
import io.berth.core.api.time.Timers;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.Executor;

/** Clock, timers and pool of one test: everything runs on the test's thread, when the test says so. */
public final class VirtualTime implements Clock, Timers, Executor {

    private final Queue<Runnable> actions = new ArrayDeque<>();
    private final PriorityQueue<Timer> timers =
            new PriorityQueue<>(Comparator.comparingLong(Timer::at).thenComparingLong(Timer::number));
    private long now = 1_000;
    private long count;

    private record Timer(long at, long number, Runnable action) {}

    @Override
    public long nanos() {
        return now * 1_000_000;
    }

    @Override
    public long wallMillis() {
        return now;
    }

    @Override
    public void execute(Runnable action) {
        actions.add(action);
    }

    @Override
    public Cancellable schedule(long delayMillis, Runnable action) {
        Timer timer = new Timer(now + delayMillis, ++count, action);
        timers.add(timer);
        return () -> timers.remove(timer);
    }

    /** Runs what is due now. */
    public void settle() {
        while (true) {
            Runnable action = actions.poll();
            if (action == null && !timers.isEmpty() && timers.peek().at() <= now) {
                action = timers.poll().action();
            }
            if (action == null) {
                return;
            }
            action.run();
        }
    }

    public void advance(long millis) {
        long end = now + millis;
        settle();
        while (!timers.isEmpty() && timers.peek().at() <= end) {
            now = timers.peek().at();
            settle();
        }
        now = end;
        settle();
    }

    /** Time passes and nothing runs: the process stood still. */
    public void standStill(long millis) {
        now += millis;
    }
}
