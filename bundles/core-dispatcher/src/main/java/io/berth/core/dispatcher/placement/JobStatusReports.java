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
 * Judges what JobMasters tell of their jobs: only the one that the Dispatcher has started or taken over counts. What
 * another one tells changes nothing; an older one is to end. News of a job whose JobMaster is being looked for wait for
 * that. For the main thread.
 */
public final class JobStatusReports {

    private static final Logger LOG = LoggerFactory.getLogger(JobStatusReports.class);

    private final DispatcherParts parts;
    private final JobPlacement placement;
    private final JobMasterWatch watch;
    private final JobTermination ends;

    public JobStatusReports(DispatcherParts parts, JobPlacement placement, JobMasterWatch watch, JobTermination ends) {
        this.parts = parts;
        this.placement = placement;
        this.watch = watch;
        this.ends = ends;
    }

    /** Acknowledged when the JobMaster may forget that it has told this: the end of a job when it is kept. */
    public CompletionStage<Acknowledge> changed(JobId id, JobMasterId from, JobDetails told) {
        parts.mainThread().assertCurrent();
        Optional<JobRecord> live = parts.table().live(id);
        if (live.isEmpty()) {
            boolean ended = parts.table().ended(id).isPresent();
            watch.cancelStray(
                    id,
                    from,
                    told,
                    ended ? "the job has ended" : "the Dispatcher does not know the job; submit it again");
            return DispatcherParts.done(Acknowledge.ACKNOWLEDGE);
        }
        JobRecord job = live.get();
        if (job.place().isEmpty()) {
            if (job.ending().isPresent()) {
                return DispatcherParts.done(Acknowledge.ACKNOWLEDGE);
            }
            return parts.then(job.placed(), (placed, failure) -> changed(id, from, told));
        }
        FencingToken current = job.place().get().endpoint().token();
        int order = from.token().compareTo(current);
        if (order < 0) {
            watch.cancelStray(id, from, told, "JobMaster " + current + " runs the job");
            return DispatcherParts.done(Acknowledge.ACKNOWLEDGE);
        }
        if (order > 0) {
            placement.check(job, "JobMaster " + from + " reports, which is newer than " + current);
            return DispatcherParts.failed(new IllegalStateException("job " + id + " is not known to run in JobMaster "
                    + from + ", it is being looked for: report again"));
        }
        return fromCurrent(job, told);
    }

    private CompletionStage<Acknowledge> fromCurrent(JobRecord job, JobDetails told) {
        job.heard(parts.environment().clock().millis());
        if (told.status().isTerminal()) {
            return ends.end(job, job.merged(told)).thenApply(kept -> Acknowledge.ACKNOWLEDGE);
        }
        if (job.ending().isEmpty()) {
            job.update(told);
            job.startedNow().ifPresent(past -> keepStart(job.id(), past));
        }
        return DispatcherParts.done(Acknowledge.ACKNOWLEDGE);
    }

    /** Only shown later: nobody waits for it. */
    private void keepStart(JobId id, PreviousRuns past) {
        parts.stored(() -> parts.store().keep(id, past)).whenComplete((kept, failure) -> {
            if (failure != null) {
                LOG.warn("Job {}: when it ran first is not kept: {}", id, Failures.text(failure));
            }
        });
    }
}
