package io.berth.core.scheduler.states;

import io.berth.core.api.time.MainThread;
import io.berth.core.api.time.Timers.Cancellable;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** Timers that end with the state that set them. Confined to the main thread of the job. */
public final class StateTimers {

    private final MainThread thread;
    private final Predicate<State> isCurrent;
    private final Set<StateTimer> timers = new LinkedHashSet<>();

    public StateTimers(MainThread thread, Predicate<State> isCurrent) {
        this.thread = thread;
        this.isCurrent = isCurrent;
    }

    /** Runs an action after a delay if the job is still in that state. */
    public Cancellable runLater(State owner, long delayMillis, Runnable action) {
        StateTimer timer = new StateTimer(owner, action);
        timers.add(timer);
        timer.handle = thread.schedule(delayMillis, timer);
        return timer;
    }

    /** Cancels all timers. */
    public void clear() {
        List.copyOf(timers).forEach(Cancellable::cancel);
        timers.clear();
    }

    /** Forgotten when it has run or is canceled. */
    private final class StateTimer implements Runnable, Cancellable {

        private final State owner;
        private final Runnable action;
        private Cancellable handle = () -> {};

        StateTimer(State owner, Runnable action) {
            this.owner = owner;
            this.action = action;
        }

        @Override
        public void run() {
            timers.remove(this);
            if (isCurrent.test(owner)) {
                action.run();
            }
        }

        @Override
        public void cancel() {
            timers.remove(this);
            handle.cancel();
        }
    }
}
