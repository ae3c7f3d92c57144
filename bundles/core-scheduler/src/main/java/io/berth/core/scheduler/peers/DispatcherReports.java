package io.berth.core.scheduler.peers;

import io.berth.core.api.gateway.DispatcherGateway;
import io.berth.core.api.gateway.RpcService;
import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.registration.LeaderSearch;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.Failures;
import io.berth.core.api.rpc.RoleDirectory;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.core.api.time.Backoff;
import io.berth.core.api.time.MainThread;
import io.berth.core.api.time.Timers.Cancellable;
import io.berth.core.scheduler.job.JobIdentity;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports each change of the job's state to the Dispatcher: the newest state, repeated until acknowledged. A job of
 * several units has long reports, so only its status is reported at once, and other changes ten times a second. When the
 * Dispatcher does not answer, the leader is searched; an older Dispatcher is never used again. Confined to the main
 * thread of the job.
 */
public final class DispatcherReports {

    private static final Logger LOG = LoggerFactory.getLogger(DispatcherReports.class);
    private static final long PAUSE_MILLIS = 100;

    private final JobIdentity job;
    private final MainThread thread;
    private final RpcService rpc;
    private final RoleDirectory directory;
    private final LeaderSearch search;
    private final Supplier<JobDetails> details;
    private final Optional<Supplier<JobStatus>> status;
    private final Backoff backoff = new Backoff(200, 10_000);
    private final CompletableFuture<Void> endAcknowledged = new CompletableFuture<>();
    private EndpointRef dispatcher;
    private Optional<DispatcherGateway> gateway = Optional.empty();
    private boolean dirty;
    private boolean sending;
    private int turn;
    private Cancellable retry = () -> {};
    /** The last status that was reported, during a pause. */
    private Optional<JobStatus> paused = Optional.empty();

    private Cancellable pause = () -> {};

    /** @param status of the job, when there are pauses between reports of the same status; empty when there are none */
    public DispatcherReports(
            JobIdentity job,
            MainThread thread,
            RpcService rpc,
            RoleDirectory directory,
            EndpointRef dispatcher,
            Supplier<JobDetails> details,
            Optional<Supplier<JobStatus>> status) {
        this.job = job;
        this.thread = thread;
        this.rpc = rpc;
        this.directory = directory;
        this.search = new LeaderSearch(dispatcher.name(), rpc, thread, endpoint -> Optional.empty());
        this.dispatcher = dispatcher;
        this.details = details;
        this.status = status;
    }

    /** The job changed. */
    public void changed() {
        dirty = true;
        send();
    }

    /** The Dispatcher that keeps the job now. */
    public EndpointRef dispatcher() {
        return dispatcher;
    }

    /** Another Dispatcher keeps the job and gets a report at once. Without effect unless it is newer. */
    public void moveTo(EndpointRef next) {
        if (next.token().compareTo(dispatcher.token()) > 0) {
            LOG.info("job {}: reports to the Dispatcher {}", job.id(), next);
            take(next);
            dirty = true;
            backoff.reset();
            send();
        }
    }

    /** Completes when the Dispatcher has acknowledged the end of the job. */
    public CompletionStage<Void> endAcknowledged() {
        return endAcknowledged;
    }

    private void take(EndpointRef next) {
        dispatcher = next;
        gateway = Optional.empty();
        turn++;
        sending = false;
        retry.cancel();
        endPause();
    }

    private void beginPause(JobStatus reported) {
        endPause();
        if (status.isPresent() && !reported.isTerminal()) {
            paused = Optional.of(reported);
            pause = thread.schedule(PAUSE_MILLIS, () -> {
                endPause();
                send();
            });
        }
    }

    private void endPause() {
        paused = Optional.empty();
        pause.cancel();
    }

    private boolean isPaused() {
        return paused.isPresent() && paused.equals(status.map(Supplier::get));
    }

    private void send() {
        if (sending || !dirty || isPaused()) {
            return;
        }
        dirty = false;
        sending = true;
        int mine = turn;
        JobDetails current = details.get();
        DispatcherGateway receiver = gateway.orElseGet(() -> rpc.dispatcher(dispatcher));
        gateway = Optional.of(receiver);
        thread.whenComplete(receiver.jobChanged(job.id(), job.jobMaster(), current), (done, failure) -> {
            if (mine != turn) {
                return;
            }
            if (failure == null) {
                sending = false;
                backoff.reset();
                if (current.status().isTerminal()) {
                    endAcknowledged.complete(null);
                }
                beginPause(current.status());
                send();
            } else {
                dirty = true;
                retry(failure, mine);
            }
        });
    }

    private void retry(Throwable failure, int mine) {
        long delay = backoff.next();
        LOG.warn(
                "job {}: the Dispatcher {} did not receive a report, next attempt in {} ms: {}",
                job.id(),
                dispatcher,
                delay,
                Failures.text(failure));
        retry = thread.schedule(delay, () -> {
            if (Failures.isGone(failure) || Failures.isTransient(failure)) {
                resolve(mine);
            } else {
                sending = false;
                send();
            }
        });
    }

    /** Asks where the role is known to be, or else where it was. */
    private void resolve(int mine) {
        RpcAddress address = directory.find(dispatcher.name()).orElse(dispatcher.address());
        thread.whenComplete(search.find(List.of(address)), (endpoint, failure) -> {
            if (mine != turn) {
                return;
            }
            if (failure != null) {
                retry(failure, mine);
                return;
            }
            if (endpoint.token().compareTo(dispatcher.token()) > 0) {
                take(endpoint);
            }
            sending = false;
            send();
        });
    }
}
