package io.berth.benchmark.rescale;

import io.berth.benchmark.decision.Policies;
import io.berth.benchmark.decision.Pool;
import io.berth.core.api.FencingToken;
import io.berth.core.api.JobMasterId;
import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.gateway.Acknowledge;
import io.berth.core.api.gateway.DispatcherGateway;
import io.berth.core.api.gateway.JobMasterGateway;
import io.berth.core.api.gateway.JobMastersGateway.JobStart;
import io.berth.core.api.gateway.PartialGateway;
import io.berth.core.api.gateway.WorkerLeave;
import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RoleDirectory;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.Pools;
import io.berth.core.api.time.SystemTimers;
import io.berth.core.resources.ResourceManagerTerm;
import io.berth.core.resources.backends.WorkerLaunch;
import io.berth.core.resources.settings.ResourceSettings;
import io.berth.core.rpc.InProcessRpc;
import io.berth.core.scheduler.JobMastersTerm;
import io.berth.core.scheduler.job.SchedulerConfiguration;
import io.berth.core.scheduler.job.SchedulerConfiguration.Stabilization;
import io.berth.spi.JobId;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A ResourceManager and a JobMaster as they run in a framework, with real time and threads, a job of three vertices, and
 * workers in the same process. Messages are serialized. All methods are called in one thread, and each returns when the job
 * runs as it should and has no slots that it does not need.
 */
public final class RescaleCluster implements AutoCloseable {

    private static final int PATIENCE_SECONDS = 120;
    private static final RpcAddress ADDRESS = new RpcAddress("127.0.0.1", 1);
    private static final long EPOCH = 1;
    private static final long PAUSE_NANOS = 5_000_000;
    private static final WorkerLaunch LAUNCH =
            new WorkerLaunch("java", Path.of("/nowhere"), List.of(), 64, Path.of("/nowhere"), ADDRESS, 60_000);

    private final Clock clock;
    private final StreamingJob job;
    private final int slotsOfWorker;
    private final Observer observer;
    private final ExecutorService calls = Pools.fixed("berth-benchmark-calls", 1);
    private final ExecutorService pool = Pools.fixed("berth-benchmark-control-plane", 2);
    private final SystemTimers timers = new SystemTimers("berth-benchmark-rescale-timers");
    private final InProcessRpc rpc = InProcessRpc.loopback(ADDRESS, calls);
    private final ResourceManagerTerm resourceManager;
    private final JobMastersTerm jobMasters;
    private final EndpointRef resourceManagerEndpoint;
    private final JobMasterGateway jobMaster;
    /** In the order in which they joined. */
    private final List<InProcessWorker> workers = new ArrayList<>();

    private int registered;

    /**
     * Starts the cluster and the job, which runs at {@code parallelism} then.
     *
     * @param count of workers that register at the beginning
     * @param slotsOfWorker of each worker
     * @param stabilizationMillis how long the slots of the job must not change before it rescales
     */
    public RescaleCluster(
            Policies policies, Clock clock, int count, int slotsOfWorker, int parallelism, int stabilizationMillis) {
        this.clock = clock;
        this.slotsOfWorker = slotsOfWorker;
        this.observer = new Observer(clock);
        this.job = new StreamingJob((count + 1) * slotsOfWorker, parallelism);
        resourceManager = new ResourceManagerTerm(
                new ResourceManagerId(token(1)),
                new ResourceManagerTerm.Environment(
                        clock, timers, pool, pool, pool, rpc, policies.host(), follower -> () -> {}),
                // A slot that is freed before its worker reported it counts as rejected, which is no part of a rescale.
                ResourceSettings.defaults().toBuilder()
                        .previousWorkersWaitMillis(0)
                        .refusalBackOffMillis(1)
                        .build(),
                LAUNCH,
                RescaleCluster::failed);
        SchedulerConfiguration configuration = SchedulerConfiguration.DEFAULTS
                .withStabilization(new Stabilization(stabilizationMillis, 60_000))
                .withSlotIdleTimeout(0);
        jobMasters = new JobMastersTerm(
                token(2),
                new JobMastersTerm.Environment(
                        clock,
                        timers,
                        pool,
                        rpc,
                        policies.host(),
                        RoleDirectory.at(ADDRESS),
                        UUID::randomUUID,
                        () -> configuration),
                RescaleCluster::failed);
        resourceManagerEndpoint = resourceManager.start();
        EndpointRef dispatcher = rpc.serve(
                        EndpointName.DISPATCHER,
                        token(3),
                        PartialGateway.of(DispatcherGateway.class, new IndifferentDispatcher()))
                .endpoint();
        for (int worker = 0; worker < count; worker++) {
            register();
        }
        observer.begin();
        EndpointRef started = await(
                rpc.jobMasters(jobMasters.start()).startJob(new JobStart(job.graph(), clock.wallMillis(), dispatcher)),
                "the start of the job");
        jobMaster = rpc.jobMaster(started);
        settle(parallelism);
    }

    /** Learns of the states of the job, and does nothing. */
    private static final class IndifferentDispatcher {

        @SuppressWarnings("unused")
        CompletionStage<Acknowledge> jobChanged(JobId changed, JobMasterId sender, JobDetails details) {
            return CompletableFuture.completedFuture(Acknowledge.ACKNOWLEDGE);
        }
    }

    private static FencingToken token(int role) {
        return new FencingToken(EPOCH, new UUID(EPOCH, role));
    }

    private static void failed(Throwable failure) {
        throw new AssertionError("a role failed", failure);
    }

    /** The requirements of the job change, and with them its parallelism. */
    public StepTimes scale(int parallelism) {
        observer.begin();
        await(jobMaster.changeBounds(job.require(parallelism)), "an answer to new requirements");
        return settle(parallelism);
    }

    /** The job requires one more worker than there are, and runs as before. A worker joins, whose slots it uses. */
    public StepTimes join() {
        int more = (workers.size() + 1) * slotsOfWorker;
        await(jobMaster.changeBounds(job.require(more)), "an answer to new requirements");
        awaitDesired(more);
        observer.begin();
        register();
        return settle(more);
    }

    private void awaitDesired(int slots) {
        long begun = clock.nanos();
        for (int desired = desired(); desired != slots; desired = desired()) {
            if (clock.nanos() - begun > TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS)) {
                throw late("the job to desire " + slots + " slots; it desires " + desired);
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private int desired() {
        return details().groups().get(0).desired();
    }

    /** The last worker that joined leaves within a millisecond, and its process ends. */
    public StepTimes leave() {
        InProcessWorker leaving = workers.remove(workers.size() - 1);
        observer.begin();
        await(
                rpc.resourceManager(resourceManagerEndpoint)
                        .drainWorkers(leaving.id().value(), new WorkerLeave(1, "the benchmark drains it")),
                "an answer to a drain");
        StepTimes times = settle(workers.size() * slotsOfWorker);
        await(onThreadOfCalls(leaving::end), "the end of a worker");
        return times;
    }

    private void register() {
        InProcessWorker worker = new InProcessWorker(++registered, StreamingJob.SLOT, slotsOfWorker, rpc, observer);
        workers.add(worker);
        await(onThreadOfCalls(() -> worker.register(resourceManagerEndpoint)), "the registration of a worker");
    }

    private <T> CompletionStage<T> onThreadOfCalls(Supplier<CompletionStage<T>> action) {
        return CompletableFuture.supplyAsync(action, calls).thenCompose(Function.identity());
    }

    private StepTimes settle(int parallelism) {
        await(observer.whenRunning(StreamingJob.VERTICES * parallelism), "tasks at parallelism " + parallelism);
        StepTimes times = observer.step();
        await(observer.whenSlots(parallelism), parallelism + " slots");
        JobDetails details = details();
        if (details.status() != JobStatus.EXECUTING
                || details.vertices().stream().anyMatch(vertex -> vertex.running() != parallelism)) {
            throw new IllegalStateException("the job is " + details.status() + " at another parallelism than "
                    + parallelism + ": " + details.reason());
        }
        return times;
    }

    private JobDetails details() {
        return await(jobMaster.details(), "the details of the job");
    }

    private <T> T await(CompletionStage<T> stage, String what) {
        try {
            return stage.toCompletableFuture().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException timeout) {
            throw late(what);
        } catch (ExecutionException failure) {
            throw new IllegalStateException("no " + what + ": " + failure.getCause(), failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for " + what, interrupted);
        }
    }

    private Pool.NotDecidedException late(String what) {
        return new Pool.NotDecidedException(
                "waited " + PATIENCE_SECONDS + " s for " + what + "; there are " + observer.describe());
    }

    @Override
    public void close() {
        jobMasters.close();
        resourceManager.close();
        rpc.close();
        timers.close();
        pool.shutdownNow();
        calls.shutdownNow();
    }
}
