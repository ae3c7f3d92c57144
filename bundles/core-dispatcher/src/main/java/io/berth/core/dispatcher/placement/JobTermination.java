package io.berth.core.dispatcher.placement;

import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.rpc.Failures;
import io.berth.core.dispatcher.state.DispatcherParts;
import io.berth.core.dispatcher.state.JobRecord;
import io.berth.core.dispatcher.store.JobKey;
import io.berth.core.dispatcher.store.SubmissionOrder.SupersededException;
import io.berth.spi.JobId;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends jobs. The result is stored first, with retries until that succeeds, and only then published. So a job that
 * users saw end never runs again. Confined to the main thread of the Dispatcher.
 */
public final class JobTermination {

    private static final Logger LOG = LoggerFactory.getLogger(JobTermination.class);
    private static final long FIRST_RETRY_MILLIS = 200;
    private static final long LAST_RETRY_MILLIS = 10_000;

    private final DispatcherParts parts;

    public JobTermination(DispatcherParts parts) {
        this.parts = parts;
    }

    /** Ends a job whose JobMaster cannot report its end. */
    void end(JobRecord job, JobStatus status, String reason) {
        end(job, job.ended(status, reason, parts.wallMillis()));
    }

    /** Ends a job. Of several calls the first counts. Completes when the result is stored. */
    CompletionStage<Void> end(JobRecord job, JobDetails details) {
        parts.mainThread().assertCurrent();
        if (job.ending().isEmpty()) {
            job.attempts().stop();
            job.beginEnding(new CompletableFuture<>());
            keep(job, details, 0);
        }
        return job.ending().get();
    }

    private void keep(JobRecord job, JobDetails details, int failures) {
        JobId id = job.id();
        CompletionStage<Boolean> kept = parts.stored(() -> {
            parts.store().end(id, details);
            return true;
        });
        parts.mainThread().whenComplete(kept, (done, failure) -> {
            if (failure == null) {
                ended(job, details);
            } else if (Failures.cause(failure) instanceof SupersededException superseded) {
                LOG.warn("Job {}: another Dispatcher has to store its end: {}", id, superseded.getMessage());
                job.ending().get().completeExceptionally(superseded);
            } else {
                long delay = Math.min(LAST_RETRY_MILLIS, FIRST_RETRY_MILLIS << Math.min(failures, 10));
                String reason = "has ended (" + details.status().label() + "), but its result cannot be stored yet: "
                        + Failures.text(failure) + "; trying again";
                job.setWaitReason(reason, parts.wallMillis());
                LOG.error("Job {} {} in {} ms", id, reason, delay);
                parts.mainThread().schedule(delay, () -> keep(job, details, failures + 1));
            }
        });
    }

    private void ended(JobRecord job, JobDetails details) {
        LOG.info("Job {} ended: {} {}", job.id(), details.status().label(), details.reason());
        parts.table().end(job, details);
        parts.environment().bundles().release(job.graph().bundles());
        job.ending().get().complete(null);
        forgetOldest();
    }

    /** Removes the oldest ended jobs beyond the configured number. */
    public void forgetOldest() {
        for (JobKey key : parts.table().forgetOldest(parts.settings().get().jobsKept())) {
            parts.stored(() -> {
                        parts.store().forget(key);
                        return true;
                    })
                    .whenComplete((done, failure) -> {
                        if (failure != null) {
                            LOG.warn(
                                    "Job {}: its result stays in the job store until the next start: {}",
                                    key.id(),
                                    Failures.text(failure));
                        }
                    });
        }
    }
}
