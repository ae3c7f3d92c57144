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
 * Sees to it that each live job has one JobMaster, in the process that leads the role job-masters. An attempt asks there
 * whether the JobMaster is there, unless it cannot be; keeps that the job is started again, if it is not; and starts it,
 * which is the same as taking it over when it is there. So an attempt may be made at any time, and one more does no
 * harm. For the main thread.
 */
public final class JobPlacement {

    private static final Logger LOG = LoggerFactory.getLogger(JobPlacement.class);
    private static final long CANCEL_RETRY_MILLIS = 1_000;
    /** A process that ends may refuse as well: only one that refuses again and again means the job. */
    private static final int REFUSALS = 3;

    private final DispatcherParts parts;
    private final JobTermination ends;
    private final RpcService rpc;
    private final Backoff leaderQueries = new Backoff(100, 5_000);
    private long changes;

    public JobPlacement(DispatcherParts parts, JobTermination ends) {
        this.parts = parts;
        this.ends = ends;
        this.rpc = parts.environment().rpc();
    }

    /** A job that was just accepted, or one of an earlier Dispatcher. */
    public void place(JobRecord job) {
        attempt(job);
    }

    /** Something says that the JobMaster of the job may be gone. */
    void check(JobRecord job, String reason) {
        job.attempts().because(reason);
        if (!job.attempts().active()) {
            attempt(job);
        }
    }

    /** The role job-masters may be led by somebody else now. */
    public void leaderMayHaveChanged() {
        parts.mainThread().assertCurrent();
        changes++;
        for (JobRecord job : parts.table().live()) {
            if (job.attempts().active()) {
                // A process that stands still may never answer what it was asked.
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
                            "the process that led the role job-masters leads it no more; " + role.address()
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
            } else if (job.mayRun()) {
                look(job, role);
            } else {
                start(job, role);
            }
        });
    }

    /** Goes on with the attempt that is under way, unless it was abandoned by then. */
    private <T> void step(JobRecord job, CompletionStage<T> stage, BiConsumer<T, Throwable> next) {
        long number = job.attempts().number();
        parts.mainThread().whenComplete(stage, (value, failure) -> {
            if (job.attempts().isRunning(number)) {
                next.accept(value, failure);
            }
        });
    }

    private void look(JobRecord job, EndpointRef role) {
        step(job, rpc.resolve(role.address(), EndpointName.jobMaster(job.id())), (endpoint, failure) -> {
            if (failure == null) {
                if (job.place()
                        .filter(place -> place.endpoint().token().equals(endpoint.token()))
                        .isPresent()) {
                    job.attempts().succeeded();
                    settle(
                            job,
                            role,
                            job.place().get().endpoint(),
                            job.place().get().jobMaster());
                } else {
                    start(job, role);
                }
            } else if (Failures.kind(failure).equals(Optional.of(RpcException.Kind.NOT_FOUND))) {
                absent(job, role);
            } else {
                failed(job, failure);
            }
        });
    }

    /** Its JobMaster is surely not there. That it is started again is kept first, which also shuts earlier ones out. */
    private void absent(JobRecord job, EndpointRef role) {
        if (isOver(job)) {
            job.attempts().succeeded();
            return;
        }
        if (job.cancelCause().isPresent()) {
            job.attempts().succeeded();
            ends.end(job, JobStatus.CANCELED, job.cancelCause().get());
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
                failed(
                        job,
                        new IllegalStateException(
                                "that it is started again cannot be kept: " + Failures.text(failure)));
                return;
            }
            LOG.warn("Job {} is {}", job.id(), reason);
            job.lost(past, reason, now);
            stored.flatMap(LiveJob::cancelCause).ifPresent(cause -> job.cancel(cause, now));
            if (isOver(job) || job.cancelCause().isPresent()) {
                absent(job, role);
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
            LOG.info("Job {} has its JobMaster {}", job.id(), endpoint);
            settle(job, role, endpoint, rpc.jobMaster(endpoint));
        });
    }

    private void settle(JobRecord job, EndpointRef role, EndpointRef endpoint, JobMasterGateway jobMaster) {
        job.runsAt(
                new JobRecord.Place(role, endpoint, jobMaster),
                parts.environment().clock().millis());
        if (!isOver(job)) {
            job.cancelCause().ifPresent(cause -> passCancel(job, cause));
        }
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
        if (job.cancelCause().isPresent() && !job.mayRun()) {
            ends.end(job, JobStatus.CANCELED, job.cancelCause().get());
        } else if (refused && !job.mayRun()) {
            LOG.error("Job {}: its JobMaster cannot start: {}", job.id(), message);
            ends.end(job, JobStatus.FAILED, "its JobMaster cannot start: " + message);
        } else {
            String reason = (job.place().isPresent() ? "its JobMaster does not answer: " : "no JobMaster yet: ")
                    + message + "; trying again";
            job.waits(reason, parts.wallMillis());
            LOG.warn(
                    "Job {}: attempt {} to find or start its JobMaster failed, next in {} ms: {}",
                    job.id(),
                    job.attempts().failures(),
                    delay,
                    message);
            job.attempts().waitFor(parts.mainThread().schedule(delay, () -> attempt(job)));
        }
    }

    /** The end of the job was asked for, and that is kept. */
    public void canceled(JobRecord job) {
        if (isOver(job)) {
            return;
        }
        String cause = job.cancelCause().orElseThrow();
        if (job.place().isPresent()) {
            passCancel(job, cause);
        } else if (!job.mayRun() && job.attempts().waiting()) {
            ends.end(job, JobStatus.CANCELED, cause);
        }
    }

    private void passCancel(JobRecord job, String cause) {
        LOG.info("Job {}: cancel asked for: {}", job.id(), cause);
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
                        passCancel(job, cause);
                    }
                });
            }
        });
    }
}
