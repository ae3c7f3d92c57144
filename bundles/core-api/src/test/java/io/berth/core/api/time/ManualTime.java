package io.berth.core.api.time;

import java.util.Map;
import java.util.TreeMap;

/** Time that passes only when a test advances it. Timers run on the thread of the test. */
public final class ManualTime implements Clock, Timers {

    private final TreeMap<Long, TreeMap<Long, Runnable>> due = new TreeMap<>();
    private long now;
    private long count;

    @Override
    public long nanos() {
        return now * 1_000_000;
    }

    @Override
    public long wallMillis() {
        return now;
    }

    @Override
    public Cancellable schedule(long delayMillis, Runnable action) {
        long at = now + Math.max(0, delayMillis);
        long id = ++count;
        due.computeIfAbsent(at, time -> new TreeMap<>()).put(id, action);
        return () -> {
            TreeMap<Long, Runnable> same = due.get(at);
            if (same != null) {
                same.remove(id);
            }
        };
    }

    public void advance(long millis) {
        long until = now + millis;
        while (true) {
            due.values().removeIf(Map::isEmpty);
            if (due.isEmpty() || due.firstKey() > until) {
                break;
            }
            now = Math.max(now, due.firstKey());
            due.firstEntry().getValue().pollFirstEntry().getValue().run();
        }
        now = until;
    }

    /** Time passes without running timers, as if the process was paused. */
    public void pause(long millis) {
        now += millis;
    }

    public boolean isIdle() {
        due.values().removeIf(Map::isEmpty);
        return due.isEmpty();
    }
}
