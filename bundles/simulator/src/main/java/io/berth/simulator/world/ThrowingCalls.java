package io.berth.simulator.world;

import io.berth.core.api.time.Clock;
import io.berth.core.api.time.Timers;
import io.berth.simulator.time.Incarnation;

/**
 * Makes one term of a role throw on a main thread: when it reads its clock or sets a timer for the n-th time from now. So
 * it throws anywhere, also in the middle of a change. What the oracles ask does not count.
 */
final class ThrowingCalls {

    /** Thrown by a call that never throws otherwise. */
    private static final class InjectedFault extends RuntimeException {

        private static final long serialVersionUID = 1L;

        InjectedFault() {
            super("the simulator throws");
        }
    }

    private final Incarnation process;
    private int left;

    ThrowingCalls(Incarnation process) {
        this.process = process;
    }

    /** @param calls the last one of so many throws; 0: none */
    void in(int calls) {
        left = calls;
    }

    private void call() {
        if (left > 0 && !process.isAsked() && --left == 0) {
            throw new InjectedFault();
        }
    }

    Clock clock() {
        return new Clock() {
            @Override
            public long nanos() {
                call();
                return process.nanos();
            }

            @Override
            public long wallMillis() {
                call();
                return process.wallMillis();
            }
        };
    }

    Timers timers() {
        return (delayMillis, action) -> {
            call();
            return process.schedule(delayMillis, action);
        };
    }
}
