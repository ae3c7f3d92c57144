package io.berth.core.dispatcher.placement;

import io.berth.core.api.FencingToken;
import io.berth.core.api.JobMasterId;
import io.berth.core.api.gateway.Acknowledge;
import io.berth.core.api.job.JobDetails;
import io.berth.core.api.rpc.Failures;
import io.berth.core.dispatcher.state.DispatcherParts;
import io.berth.core.dispatcher.state.JobRecord;
import io.berth.core.dispatcher.store.PreviousRuns;
import io.berth.spi.JobId;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks what JobMasters report. Only the JobMaster that the Dispatcher started or took over counts. The report of
 * another one changes nothing, and an older one is canceled. A report waits while the Dispatcher looks for the job's
 * JobMaster. Confined to the main thread of the Dispatcher.
 */
public final class JobStatusReports {

    private static final Logger LOG = LoggerFactory.getLogger(JobStatusReports.class);

    private final DispatcherParts parts;
    private final JobPlacement placement;
    private final JobMasterWatch watch;
    private final JobTermination termination;

    public JobStatusReports(
            DispatcherParts parts, JobPlacement placement, JobMasterWatch watch, JobTermination termination) {
        this.parts = parts;
        this.placement = placement;
        this.watch = watch;
        this.termination = termination;
    }

    /** Handles a report. The answer means that the JobMaster need not repeat it: the end of a job is stored by then. */
    public CompletionStage<Acknowledge> changed(JobId id, JobMasterId from, JobDetails details) {
        parts.mainThread().assertCurrent();
        Optional<JobRecord> live = parts.table().live(id);
        if (live.isEmpty()) {
            boolean ended = parts.table().ended(id).isPresent();
            watch.cancelStray(
                    id,
                    from,
                    details,
                    ended ? "the job has ended" : "the Dispatcher does not know the job; submit it again");
            return DispatcherParts.done(Acknowledge.ACKNOWLEDGE);
        }
        JobRecord job = live.get();
        if (job.place().isEmpty()) {
            if (job.ending().isPresent()) {
                return DispatcherParts.done(Acknowledge.ACKNOWLEDGE);
            }
            return parts.then(job.placed(), (placed, failure) -> changed(id, from, details));
        }
        FencingToken current = job.place().get().endpoint().token();
        int order = from.token().compareTo(current);
        if (order < 0) {
            watch.cancelStray(id, from, details, "JobMaster " + current + " runs the job");
            return DispatcherParts.done(Acknowledge.ACKNOWLEDGE);
        }
        if (order > 0) {
            placement.check(job, "JobMaster " + from + " reports, which is newer than " + current);
            return DispatcherParts.failed(new IllegalStateException("job " + id + " is not known to run in JobMaster "
                    + from + ", and the Dispatcher looks for its JobMaster: report again"));
        }
        return reportFromCurrent(job, details);
    }

    private CompletionStage<Acknowledge> reportFromCurrent(JobRecord job, JobDetails details) {
        job.reportReceived(parts.environment().clock().millis());
        if (details.status().isTerminal()) {
            return termination.end(job, job.merged(details)).thenApply(kept -> Acknowledge.ACKNOWLEDGE);
        }
        if (job.ending().isEmpty()) {
            job.update(details);
            job.firstStartToStore().ifPresent(past -> keepStart(job.id(), past));
        }
        return DispatcherParts.done(Acknowledge.ACKNOWLEDGE);
    }

    /** Stores when the job first ran. This is for display only, so nothing waits for it. */
    private void keepStart(JobId id, PreviousRuns past) {
        parts.stored(() -> parts.store().keep(id, past)).whenComplete((kept, failure) -> {
            if (failure != null) {
                LOG.warn("Job {}: the time of its first run cannot be stored: {}", id, Failures.text(failure));
            }
        });
    }
}
