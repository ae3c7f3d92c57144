package io.berth.core.scheduler;

import io.berth.core.api.FencingToken;
import io.berth.core.api.gateway.RpcService;
import io.berth.core.api.policy.PolicyHost;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RoleDirectory;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.Timers;
import io.berth.core.scheduler.job.SchedulerConfiguration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The JobMasters of one term of leadership of the role {@link EndpointName#JOB_MASTERS}: what runs while the role leads,
 * in a framework and in a simulator alike. Makes no threads and reads no wall clock for its tokens; all methods may be
 * called on any thread.
 */
public final class JobMastersTerm {

    /**
     * What all JobMasters of a process share.
     *
     * @param pool runs the main threads: thousands of them share its few threads
     * @param directory where the ResourceManager and the Dispatcher are found
     * @param ids random ids for fencing tokens
     * @param configuration asked once for each job, when it starts
     */
    public record Environment(
            Clock clock,
            Timers timers,
            Executor pool,
            RpcService rpc,
            PolicyHost policies,
            RoleDirectory directory,
            Supplier<UUID> ids,
            Supplier<SchedulerConfiguration> configuration) {}

    private final FencingToken token;
    private final Environment environment;
    private final JobMasters jobMasters;
    private final AtomicReference<Optional<RpcService.Served>> served = new AtomicReference<>(Optional.empty());

    /**
     * @param token of the grant; those of the JobMasters follow from it
     * @param failed receives what cannot be settled with one job: the term is to be closed, on another thread
     */
    public JobMastersTerm(FencingToken token, Environment environment, Consumer<? super Throwable> failed) {
        this.token = token;
        this.environment = environment;
        this.jobMasters = new JobMasters(token, environment, failed);
    }

    /** Serves the gateway, from then on jobs start. Once. */
    public EndpointRef start() {
        RpcService.Served endpoint = environment.rpc().serve(EndpointName.JOB_MASTERS, token, jobMasters);
        served.set(Optional.of(endpoint));
        return endpoint.endpoint();
    }

    /** How many JobMasters there are. */
    public CompletionStage<Integer> count() {
        return jobMasters.count();
    }

    /**
     * Ends all JobMasters; none can start any more. Their workers end the tasks and keep the slots for a while: the jobs
     * go on under the JobMasters of the next term. Completes when the workers know, or do not answer.
     */
    public CompletionStage<Void> stop(String cause) {
        stopServing();
        return jobMasters.stop(cause);
    }

    /** Leadership is lost, or after {@link #stop}: serves and does nothing any more and tells nobody. Idempotent. */
    public void close() {
        stopServing();
        jobMasters.close();
    }

    private void stopServing() {
        served.getAndSet(Optional.empty()).ifPresent(JobMasters::serveNoMore);
    }
}
