package io.berth.simulator.replay.cluster;

import io.berth.core.api.time.Clock;
import io.berth.core.api.time.Timers;
import java.util.ArrayDeque;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.Executor;

/**
 * Clock, timers and threads of a replay. The clock of the core runs a thousand times slower than that of the trace,
 * because traces cover months and the core acts each second. Decisions and messages take no time. For one thread.
 */
public final class ReplayTime implements Clock, Timers, Executor {

    /** Milliseconds of the trace for one of the core. */
    public static final long LAPSE = 1_000;

    /** What is due later than this, in milliseconds of the core, never happens within a trace. */
    private static final long NEVER_MILLIS = 1_000_000_000_000L;
    /** The monotonic clock when the trace is at 0. */
    private static final long FIRST_NANOS = 1_000_000_000_000L;

    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Queue<Runnable> actions = new ArrayDeque<>();
    private final PriorityQueue<Timer> timers = new PriorityQueue<>();
    private long now;
    private long count;

    private static final class Timer implements Cancellable, Comparable<Timer> {
        private final long at;
        private final long number;
        private final Runnable action;
        private boolean canceled;

        Timer(long at, long number, Runnable action) {
            this.at = at;
            this.number = number;
            this.action = action;
        }

        @Override
        public void cancel() {
            canceled = true;
        }

        @Override
        public int compareTo(Timer other) {
            int byTime = Long.compare(at, other.at);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }

    /** @param now the start of the trace, in milliseconds of its own clock */
    public ReplayTime(long now) {
        this.now = now;
    }

    /** Milliseconds of the trace. */
    public long now() {
        return now;
    }

    /** When the next timer is due, in milliseconds of the trace; {@code Long.MAX_VALUE} if there is none. */
    public long nextTimer() {
        while (!timers.isEmpty() && timers.peek().canceled) {
            timers.remove();
        }
        return timers.isEmpty() ? Long.MAX_VALUE : timers.peek().at;
    }

    /** Advances the clock without running what is due. */
    public void advanceTo(long until) {
        now = Math.max(now, until);
    }

    /** Runs the tasks of the threads until there are none left. */
    public void drain() {
        for (Runnable action = actions.poll(); action != null; action = actions.poll()) {
            action.run();
        }
    }

    /** Runs the next timer that is due. @return whether there was one */
    public boolean runNextTimer() {
        if (nextTimer() > now) {
            return false;
        }
        timers.remove().action.run();
        return true;
    }

    @Override
    public long nanos() {
        return FIRST_NANOS + now * NANOS_PER_MILLI / LAPSE;
    }

    @Override
    public long wallMillis() {
        return now / LAPSE;
    }

    @Override
    public void execute(Runnable action) {
        actions.add(action);
    }

    @Override
    public Cancellable schedule(long delayMillis, Runnable action) {
        if (delayMillis >= NEVER_MILLIS) {
            return () -> {};
        }
        Timer timer = new Timer(now + Math.max(0, delayMillis) * LAPSE, ++count, action);
        timers.add(timer);
        return timer;
    }
}
