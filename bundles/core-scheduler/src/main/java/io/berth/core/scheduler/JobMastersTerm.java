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
 * The JobMasters of one term of leadership of the role {@link EndpointName#JOB_MASTERS}: they run while this process
 * leads, in Karaf and in the simulator. Starts no threads. All methods may be called on any thread.
 */
public final class JobMastersTerm {

    /**
     * What all JobMasters of a process share.
     *
     * @param pool runs the main threads: thousands of them share its few threads
     * @param directory where the ResourceManager and the Dispatcher are found
     * @param ids random ids for fencing tokens
     * @param configuration read once for each job, when it starts
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
     * @param token of the grant; the tokens of the JobMasters are derived from it
     * @param failed receives failures that concern more than one job: the owner closes the term, on another thread
     */
    public JobMastersTerm(FencingToken token, Environment environment, Consumer<? super Throwable> failed) {
        this.token = token;
        this.environment = environment;
        this.jobMasters = new JobMasters(token, environment, failed);
    }

    /** Serves the gateway, so that jobs start. Called once. */
    public EndpointRef start() {
        RpcService.Served endpoint = environment.rpc().serve(EndpointName.JOB_MASTERS, token, jobMasters);
        served.set(Optional.of(endpoint));
        return endpoint.endpoint();
    }

    /** The number of JobMasters. */
    public CompletionStage<Integer> count() {
        return jobMasters.count();
    }

    /**
     * Ends all JobMasters; none can start from now on. Their workers end the tasks and keep the slots for a while: the
     * jobs continue under the JobMasters of the next term. Completes when the workers have answered or failed.
     */
    public CompletionStage<Void> stop(String cause) {
        stopServing();
        return jobMasters.stop(cause);
    }

    /**
     * Called after {@link #stop}, or when leadership is lost: stops serving, without a notice to anyone. Idempotent.
     */
    public void close() {
        stopServing();
        jobMasters.close();
    }

    private void stopServing() {
        served.getAndSet(Optional.empty()).ifPresent(JobMasters::serveNoMore);
    }
}
