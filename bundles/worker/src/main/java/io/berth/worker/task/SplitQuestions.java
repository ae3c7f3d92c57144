package io.berth.worker.task;

import io.berth.core.api.gateway.JobMasterGateway;
import io.berth.core.api.task.AttemptId;
import io.berth.core.api.task.TaskContext.SplitAnswer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The split requests of one task for one vertex. Each request has the number of its split, so a repeated one is
 * recognized as the same. Any thread.
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

    /** Requests the next split. Fails while the previous request has no outcome. */
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

    /** @param answer null when the request failed */
    private synchronized void answered(SplitAnswer answer) {
        asking = false;
        if (answer instanceof SplitAnswer.Assigned) {
            received++;
        }
    }
}
