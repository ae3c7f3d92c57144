package io.berth.core.dispatcher.placement;

import io.berth.core.api.JobMasterId;
import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.Failures;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.core.api.time.Timers;
import io.berth.core.dispatcher.state.DispatcherParts;
import io.berth.core.dispatcher.state.JobRecord;
import io.berth.spi.JobId;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks JobMasters for the state of their jobs, and starts a search for those that are silent or gone. Confined to the
 * main thread of the Dispatcher.
 */
public final class JobMasterWatch {

    private static final Logger LOG = LoggerFactory.getLogger(JobMasterWatch.class);
    private static final long CHECK_MILLIS = 5_000;
    /** A JobMaster reports every 10 s. */
    private static final long SILENT_MILLIS = 25_000;

    private final DispatcherParts parts;
    private final JobPlacement placement;

    public JobMasterWatch(DispatcherParts parts, JobPlacement placement) {
        this.parts = parts;
        this.placement = placement;
    }

    public void begin() {
        parts.mainThread().schedule(CHECK_MILLIS, () -> {
            long now = millis();
            for (JobRecord job : parts.table().live()) {
                if (job.place().isPresent() && now - job.lastReportMillis() >= SILENT_MILLIS) {
                    pull(job);
                }
            }
            begin();
        });
    }

    /** Asks the JobMaster of a live job for its details. Never fails, and completes after the timeout without them. */
    public CompletableFuture<Void> pull(JobRecord job) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        if (job.place().isEmpty() || job.ending().isPresent()) {
            done.complete(null);
            return done;
        }
        JobRecord.Place asked = job.place().get();
        Timers.Cancellable timeout = parts.environment()
                .timers()
                .schedule(parts.settings().get().detailsTimeoutMillis(), () -> done.complete(null));
        parts.mainThread().whenComplete(asked.jobMaster().details(), (details, failure) -> {
            timeout.cancel();
            if (job.place().equals(Optional.of(asked)) && job.ending().isEmpty()) {
                handleAnswer(job, details, failure);
            }
            done.complete(null);
        });
        return done;
    }

    private void handleAnswer(JobRecord job, JobDetails details, Throwable failure) {
        if (failure == null) {
            job.reportReceived(millis());
            // A job ends only by jobChanged, which the JobMaster repeats until it is acknowledged.
            if (!details.status().isTerminal()) {
                job.update(details);
            }
        } else if (Failures.isGone(failure)) {
            placement.check(job, "its JobMaster is gone: " + Failures.text(failure));
        } else if (millis() - job.lastReportMillis() >= SILENT_MILLIS) {
            placement.check(job, "its JobMaster does not answer: " + Failures.text(failure));
        }
    }

    /** Cancels what a JobMaster runs but should not: nobody could see or cancel it. */
    void cancelStray(JobId id, JobMasterId jobMaster, JobDetails details, String cause) {
        if (details.status().isTerminal() || details.status() == JobStatus.CANCELING) {
            LOG.debug("Job {}: JobMaster {} should not run it, but already ends it", id, jobMaster);
            return;
        }
        LOG.warn("Job {}: JobMaster {} runs it, but {}: canceling it there", id, jobMaster, cause);
        RpcAddress address = parts.environment()
                .directory()
                .find(EndpointName.JOB_MASTERS)
                .orElseGet(parts.environment().rpc()::address);
        parts.environment()
                .rpc()
                .jobMaster(new EndpointRef(address, EndpointName.jobMaster(id), jobMaster.token()))
                .cancel(cause)
                .whenComplete((done, failure) -> {
                    if (failure != null) {
                        LOG.info(
                                "Job {}: cancel did not reach JobMaster {}, which will report again: {}",
                                id,
                                jobMaster,
                                Failures.text(failure));
                    }
                });
    }

    private long millis() {
        return parts.environment().clock().millis();
    }
}
