package io.berth.worker.task;

import io.berth.core.api.gateway.JobMasterGateway;
import io.berth.core.api.task.AttemptId;
import io.berth.core.api.task.TaskContext.SplitAnswer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The questions of one task for the splits of one vertex. A question has the number of the split that it is for, so one
 * that is repeated because its answer was lost is known as the same. Any thread.
 */
final class SplitQuestions {

    private final JobMasterGateway jobMaster;
    private final AttemptId attempt;
    private final String vertex;
    private long received;
    private boolean asking;

    SplitQuestions(JobMasterGateway jobMaster, AttemptId attempt, String vertex) {
        this.jobMaster = jobMaster;
        this.attempt = attempt;
        this.vertex = vertex;
    }

    /** Asks for the split after those that came. Fails while a question before has no outcome. */
    CompletionStage<SplitAnswer> next() {
        long number;
        synchronized (this) {
            if (asking) {
                return CompletableFuture.failedFuture(new IllegalStateException("task " + attempt
                        + " asks for a split of vertex '" + vertex + "' already: wait for the answer"));
            }
            asking = true;
            number = received + 1;
        }
        return jobMaster.nextSplit(attempt, vertex, number).whenComplete((answer, failure) -> answered(answer));
    }

    /** @param answer null when none came */
    private synchronized void answered(SplitAnswer answer) {
        asking = false;
        if (answer instanceof SplitAnswer.Assigned) {
            received++;
        }
    }
}
