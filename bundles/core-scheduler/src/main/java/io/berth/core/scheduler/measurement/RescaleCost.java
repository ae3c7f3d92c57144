package io.berth.core.scheduler.measurement;

import io.berth.core.scheduler.execution.ExecutionGraph;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How long a rescale stops a job: from the moment when it stops the tasks until all tasks of a later execution run. A
 * failure in between is part of the cost. Confined to the main thread of the job.
 */
public final class RescaleCost {

    private OptionalLong stoppedMillis = OptionalLong.empty();
    private long stoppedExecution;
    private Optional<Long> lastMillis = Optional.empty();

    /** A rescale stops the execution. */
    public void stops(ExecutionGraph execution, long nowMillis) {
        stoppedExecution = execution.number();
        stoppedMillis = OptionalLong.of(nowMillis);
    }

    /**
     * Notes the end of the rescale if all tasks of a later execution run.
     *
     * @return whether it ended now: {@link #lastMillis} is new
     */
    public boolean observe(Optional<ExecutionGraph> execution, long nowMillis) {
        if (stoppedMillis.isPresent()
                && execution
                        .filter(next -> next.number() > stoppedExecution && next.haveAllStarted())
                        .isPresent()) {
            lastMillis = Optional.of(nowMillis - stoppedMillis.getAsLong());
            stoppedMillis = OptionalLong.empty();
            return true;
        }
        return false;
    }

    /** Of the last rescale that is over. */
    public Optional<Long> lastMillis() {
        return lastMillis;
    }
}
