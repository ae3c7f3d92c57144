package io.berth.core.scheduler.states;

import io.berth.core.api.job.JobStatus;
import io.berth.core.api.job.Reason;
import io.berth.core.scheduler.execution.ExecutionGraph;
import io.berth.core.scheduler.execution.ExecutionTask;
import java.util.Optional;

/**
 * A state of a job (FLIP-160). What happens while the job is in it comes as calls; what it may do about it is named by
 * the Context interface inside each state. A state that was left is never entered again. For the main thread of the job.
 */
public sealed interface State
        permits Created,
                WaitingForResources,
                CreatingExecutionGraph,
                Executing,
                Restarting,
                Canceling,
                Failing,
                Finished {

    JobStatus status();

    /** Why the job is in this state, for people; empty when there is nothing to say. */
    String reason();

    /** Why the job does not run, as a tree; empty only while it runs and when it has ended. */
    Optional<Reason> why();

    /** The job is in this state now. Must not transition by itself: what leads on comes by a call or a timer. */
    default void enter() {}

    /** The user wants the job to end. */
    void cancel(String cause);

    /** Slots came. */
    default void slotsAdded() {}

    /** Slots went; tasks in them have failed, {@link #taskChanged} tells of each. */
    default void slotsLost() {}

    /** Whether a better matching of the job's slots is worth a restart. */
    default boolean maySlotsBeTaken() {
        return false;
    }

    /** Slots of the execution of this state serve other groups from now on. */
    default void slotsTaken(String why) {}

    /** Another scaling policy decides from now on, or there is one again. */
    default void policiesChanged() {}

    /** A task of the execution of this state changed its state. */
    default void taskChanged(ExecutionTask task) {}

    /** The execution of this state. */
    default Optional<ExecutionGraph> execution() {
        return Optional.empty();
    }
}
