package io.berth.core.dispatcher.placement;

import io.berth.core.api.gateway.JobMasterGateway;
import io.berth.core.api.gateway.JobMastersGateway.JobStart;
import io.berth.core.api.gateway.RpcService;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.Failures;
import io.berth.core.api.rpc.RpcException;
import io.berth.core.api.time.Backoff;
import io.berth.core.dispatcher.state.DispatcherParts;
import io.berth.core.dispatcher.state.JobRecord;
import io.berth.core.dispatcher.store.LiveJob;
import io.berth.core.dispatcher.store.PreviousRuns;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ensures that each live job has one JobMaster, in the process that leads the role job-masters. An attempt asks that
 * process for the JobMaster, unless it cannot exist yet. If it does not exist, the attempt stores that the job is
 * started again, and starts it. To start an existing JobMaster means to take it over, so an extra attempt does no
 * harm. Confined to the main thread of the Dispatcher.
 */
public final class JobPlacement {

    private static final Logger LOG = LoggerFactory.getLogger(JobPlacement.class);
    private static final long CANCEL_RETRY_MILLIS = 1_000;
    /** A process that is stopping may also refuse. Only repeated refusals concern the job. */
    private static final int REFUSALS = 3;

    private final DispatcherParts parts;
    private final JobTermination termination;
    private final RpcService rpc;
    private final BoundsCalls bounds;
    private final Backoff leaderQueries = new Backoff(100, 5_000);
    private long changes;

    public JobPlacement(DispatcherParts parts, JobTermination termination) {
        this.parts = parts;
        this.termination = termination;
        this.rpc = parts.environment().rpc();
        this.bounds = new BoundsCalls(parts, this::check);
    }

    /** Places a job that was just accepted, or that an earlier Dispatcher accepted. */
    public void place(JobRecord job) {
        attempt(job);
    }

    /** Checks a job whose JobMaster may be gone. */
    void check(JobRecord job, String reason) {
        job.attempts().setReason(reason);
        if (!job.attempts().active()) {
            attempt(job);
        }
    }

    /** Another process may now lead the role job-masters. */
    public void leaderMayHaveChanged() {
        parts.mainThread().assertCurrent();
        changes++;
        for (JobRecord job : parts.table().live()) {
            if (job.attempts().active()) {
                // A paused process may never answer.
                job.attempts().abandon();
                attempt(job);
            }
        }
        leaderQueries.reset();
        compareLeader(changes);
    }

    private void compareLeader(long change) {
        parts.mainThread().whenComplete(leader(), (role, failure) -> {
            if (change != changes) {
                return;
            }
            if (failure != null) {
                parts.mainThread().schedule(leaderQueries.next(), () -> {
                    if (change == changes) {
                        compareLeader(change);
                    }
                });
                return;
            }
            for (JobRecord job : parts.table().live()) {
                if (job.place()
                        .filter(place -> !place.role().token().equals(role.token()))
                        .isPresent()) {
                    check(
                            job,
                            "the process that led the role job-masters no longer leads it; " + role.address()
                                    + " does now");
                }
            }
        });
    }

    private CompletionStage<EndpointRef> leader() {
        return parts.environment()
                .directory()
                .find(EndpointName.JOB_MASTERS)
                .map(address -> rpc.resolve(address, EndpointName.JOB_MASTERS))
                .orElseGet(() -> DispatcherParts.failed(
                        new RpcException(RpcException.Kind.UNREACHABLE, "no process leads the role job-masters")));
    }

    private static boolean isOver(JobRecord job) {
        return job.ending().isPresent();
    }

    private void attempt(JobRecord job) {
        parts.mainThread().assertCurrent();
        if (isOver(job) || !job.attempts().begin()) {
            return;
        }
        step(job, leader(), (role, failure) -> {
            if (failure != null) {
                failed(job, failure);
            } else if (job.mayHaveJobMaster()) {
                findJobMaster(job, role);
            } else {
                start(job, role);
            }
        });
    }

    /** Continues the current attempt, unless it was abandoned in the meantime. */
    private <T> void step(JobRecord job, CompletionStage<T> stage, BiConsumer<T, Throwable> next) {
        long number = job.attempts().number();
        parts.mainThread().whenComplete(stage, (value, failure) -> {
            if (job.attempts().isRunning(number)) {
                next.accept(value, failure);
            }
        });
    }

    private void findJobMaster(JobRecord job, EndpointRef role) {
        step(job, rpc.resolve(role.address(), EndpointName.jobMaster(job.id())), (endpoint, failure) -> {
            if (failure == null) {
                if (job.place()
                        .filter(place -> place.endpoint().token().equals(endpoint.token()))
                        .isPresent()) {
                    job.attempts().succeeded();
                    assignPlace(
                            job,
                            role,
                            job.place().get().endpoint(),
                            job.place().get().jobMaster());
                } else {
                    start(job, role);
                }
            } else if (Failures.kind(failure).equals(Optional.of(RpcException.Kind.NOT_FOUND))) {
                restartOrEnd(job, role);
            } else {
                failed(job, failure);
            }
        });
    }

    /** The JobMaster certainly does not exist. First the restart is stored, which also shuts out earlier JobMasters. */
    private void restartOrEnd(JobRecord job, EndpointRef role) {
        if (isOver(job)) {
            job.attempts().succeeded();
            return;
        }
        if (job.cancelCause().isPresent()) {
            job.attempts().succeeded();
            termination.end(job, JobStatus.CANCELED, job.cancelCause().get());
            return;
        }
        String reason = "started again: "
                + (job.attempts().reason().isEmpty()
                        ? "the control plane ended"
                        : job.attempts().reason());
        long now = parts.wallMillis();
        PreviousRuns past = job.pastAfterLoss(reason, now);
        CompletionStage<Optional<LiveJob>> kept =
                parts.stored(() -> parts.store().keep(job.id(), past));
        step(job, kept, (stored, failure) -> {
            if (failure != null) {
                failed(job, new IllegalStateException("its restart cannot be stored: " + Failures.text(failure)));
                return;
            }
            LOG.warn("Job {} is {}", job.id(), reason);
            job.jobMasterLost(past, reason, now);
            stored.flatMap(LiveJob::cancelCause).ifPresent(cause -> job.cancel(cause, now));
            stored.map(live -> live.graph().bounds())
                    .filter(changed -> changed.revision() > job.graph().revision())
                    .ifPresent(changed -> {
                        LOG.info(
                                "Job {} has requirements of revision {}: they were stored, although storing them failed",
                                job.id(),
                                changed.revision());
                        job.change(changed);
                    });
            if (isOver(job) || job.cancelCause().isPresent()) {
                restartOrEnd(job, role);
            } else {
                start(job, role);
            }
        });
    }

    private void start(JobRecord job, EndpointRef role) {
        if (isOver(job)) {
            job.attempts().succeeded();
            return;
        }
        JobStart start =
                new JobStart(job.graph(), job.submittedMillis(), parts.self().get());
        step(job, rpc.jobMasters(role).startJob(start), (endpoint, failure) -> {
            if (failure != null) {
                failed(job, failure);
                return;
            }
            job.attempts().succeeded();
            LOG.info("Job {} has JobMaster {}", job.id(), endpoint);
            assignPlace(job, role, endpoint, rpc.jobMaster(endpoint));
        });
    }

    private void assignPlace(JobRecord job, EndpointRef role, EndpointRef endpoint, JobMasterGateway jobMaster) {
        job.setPlace(
                new JobRecord.Place(role, endpoint, jobMaster),
                parts.environment().clock().millis());
        if (!isOver(job)) {
            job.cancelCause().ifPresent(cause -> sendCancel(job, cause));
            if (job.graph().revision() > 1) {
                // It may have started before the last change.
                boundsChanged(job);
            }
        }
    }

    /** The bounds of the job changed, and are stored. A JobMaster that starts later has them already. */
    public void boundsChanged(JobRecord job) {
        bounds.tell(job);
    }

    private void failed(JobRecord job, Throwable failure) {
        long delay = job.attempts().failed();
        if (isOver(job)) {
            return;
        }
        String message = Failures.text(failure);
        boolean refused = Failures.kind(failure)
                .filter(kind -> kind == RpcException.Kind.REFUSED
                        || kind == RpcException.Kind.FAILED && job.attempts().countRefusal() >= REFUSALS)
                .isPresent();
        if (job.cancelCause().isPresent() && !job.mayHaveJobMaster()) {
            termination.end(job, JobStatus.CANCELED, job.cancelCause().get());
        } else if (refused && !job.mayHaveJobMaster()) {
            LOG.error("Job {}: its JobMaster cannot start: {}", job.id(), message);
            termination.end(job, JobStatus.FAILED, "its JobMaster cannot start: " + message);
        } else {
            String reason = (job.place().isPresent() ? "its JobMaster does not answer: " : "no JobMaster yet: ")
                    + message + "; trying again";
            job.setWaitReason(reason, parts.wallMillis());
            LOG.warn(
                    "Job {}: attempt {} to find or start its JobMaster failed, next in {} ms: {}",
                    job.id(),
                    job.attempts().failures(),
                    delay,
                    message);
            job.attempts().waitFor(parts.mainThread().schedule(delay, () -> attempt(job)));
        }
    }

    /** Forwards a cancel that was requested and stored. */
    public void canceled(JobRecord job) {
        if (isOver(job)) {
            return;
        }
        String cause = job.cancelCause().orElseThrow();
        if (job.place().isPresent()) {
            sendCancel(job, cause);
        } else if (!job.mayHaveJobMaster() && job.attempts().waiting()) {
            termination.end(job, JobStatus.CANCELED, cause);
        }
    }

    private void sendCancel(JobRecord job, String cause) {
        LOG.info("Job {}: cancel requested: {}", job.id(), cause);
        JobRecord.Place place = job.place().orElseThrow();
        parts.mainThread().whenComplete(place.jobMaster().cancel(cause), (ok, failure) -> {
            if (failure == null || isOver(job)) {
                return;
            }
            String message = Failures.text(failure);
            LOG.warn("Job {}: cancel did not reach its JobMaster: {}", job.id(), message);
            if (Failures.isGone(failure)) {
                check(job, "its JobMaster is gone: " + message);
            } else {
                parts.mainThread().schedule(CANCEL_RETRY_MILLIS, () -> {
                    if (!isOver(job) && job.place().equals(Optional.of(place))) {
                        sendCancel(job, cause);
                    }
                });
            }
        });
    }
}
