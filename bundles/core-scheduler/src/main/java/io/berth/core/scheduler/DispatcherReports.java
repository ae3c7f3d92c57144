package io.berth.core.scheduler;

import io.berth.core.api.gateway.DispatcherGateway;
import io.berth.core.api.job.JobDetails;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RpcService;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the Dispatcher of each change of the job's state: the newest, again until it is acknowledged. A Dispatcher that
 * was started again is looked up under its new token. For the main thread of the job.
 */
final class DispatcherReports {

    private static final Logger LOG = LoggerFactory.getLogger(DispatcherReports.class);

    private final JobIdentity job;
    private final JobThread thread;
    private final RpcService rpc;
    private final Supplier<JobDetails> details;
    private final Backoff backoff = new Backoff(200, 10_000);
    private final CompletableFuture<Void> endAcknowledged = new CompletableFuture<>();
    private EndpointRef dispatcher;
    private Optional<DispatcherGateway> gateway = Optional.empty();
    private boolean dirty;
    private boolean sending;

    DispatcherReports(
            JobIdentity job, JobThread thread, RpcService rpc, EndpointRef dispatcher, Supplier<JobDetails> details) {
        this.job = job;
        this.thread = thread;
        this.rpc = rpc;
        this.dispatcher = dispatcher;
        this.details = details;
    }

    /** The job changed. */
    void changed() {
        dirty = true;
        send();
    }

    /** Completes when the Dispatcher has acknowledged the end of the job. */
    CompletionStage<Void> endAcknowledged() {
        return endAcknowledged;
    }

    private void send() {
        if (sending || !dirty) {
            return;
        }
        dirty = false;
        sending = true;
        JobDetails current = details.get();
        DispatcherGateway receiver = gateway.orElseGet(() -> rpc.dispatcher(dispatcher));
        gateway = Optional.of(receiver);
        thread.whenComplete(receiver.jobChanged(job.id(), job.jobMaster(), current), (done, failure) -> {
            if (failure == null) {
                sending = false;
                backoff.reset();
                if (current.status().isTerminal()) {
                    endAcknowledged.complete(null);
                }
                send();
            } else {
                dirty = true;
                retry(failure);
            }
        });
    }

    private void retry(Throwable failure) {
        long delay = backoff.next();
        LOG.warn(
                "job {}: the Dispatcher {} did not take a report, again in {} ms: {}",
                job.id(),
                dispatcher,
                delay,
                Failures.text(failure));
        thread.schedule(delay, () -> {
            if (Failures.isGone(failure)) {
                resolve();
            } else {
                sending = false;
                send();
            }
        });
    }

    private void resolve() {
        thread.whenComplete(rpc.resolve(dispatcher.address(), dispatcher.name()), (found, failure) -> {
            if (failure == null) {
                dispatcher = found;
                gateway = Optional.empty();
                sending = false;
                send();
            } else {
                retry(failure);
            }
        });
    }
}
