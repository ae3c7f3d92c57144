package io.berth.runtime.dataflow.measure;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * How long the thread of a task has waited, by reason. It reads the clock only when it waits, never for each record.
 * One thread writes, any thread reads; a wait that has not ended is included.
 */
public final class WaitTimes {

    private final LongSupplier nanos;
    private final long startNanos;
    private final Wait idle = new Wait();
    private final Wait backPressured = new Wait();

    /** @param nanos a monotonic clock */
    public WaitTimes(LongSupplier nanos) {
        this.nanos = nanos;
        this.startNanos = nanos.getAsLong();
    }

    /** Times of nobody, for channels whose task is not measured. */
    public static WaitTimes unread() {
        return new WaitTimes(() -> 0);
    }

    /** Nanoseconds since it was created. */
    public long elapsedNanos() {
        return Math.max(0, nanos.getAsLong() - startNanos);
    }

    /** Waits for input. */
    public Wait idle() {
        return idle;
    }

    /** Waits because consumers do not take what was emitted. */
    public Wait backPressured() {
        return backPressured;
    }

    /** The waits of one reason. */
    public final class Wait {

        /**
         * The sum of the waits that have ended. While one lasts, the sum less the time of its begin, less 1, which is
         * negative: one value, so that a reader never sees half of a change.
         */
        private final AtomicLong state = new AtomicLong();

        private Wait() {}

        /** The wait begins, unless it has begun already. */
        public void begin() {
            long ended = state.getPlain();
            if (ended >= 0) {
                state.setRelease(ended - Math.max(ended, elapsedNanos()) - 1);
            }
        }

        /** The wait ends, if it has begun. */
        public void end() {
            long begun = state.getPlain();
            if (begun < 0) {
                state.setRelease(Math.max(0, elapsedNanos() + begun + 1));
            }
        }

        /** Nanoseconds until {@code elapsed}, as {@link WaitTimes#elapsedNanos} says it. */
        public long nanosUntil(long elapsed) {
            long now = state.getAcquire();
            return now >= 0 ? now : Math.max(0, elapsed + now + 1);
        }
    }
}
