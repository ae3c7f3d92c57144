package io.berth.benchmark.stub;

import io.berth.benchmark.decision.Policies;
import io.berth.benchmark.decision.Pool;
import io.berth.benchmark.workload.Workload;
import io.berth.core.api.FencingToken;
import io.berth.core.api.InstanceId;
import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.gateway.RegistrationResponse;
import io.berth.core.api.gateway.ResourceManagerGateway.SlotFreed;
import io.berth.core.api.gateway.ResourceManagerGateway.WorkerRegistration;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequest;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.Pools;
import io.berth.core.api.time.SystemTimers;
import io.berth.core.resources.ResourceManagerTerm;
import io.berth.core.resources.backends.WorkerLaunch;
import io.berth.core.resources.settings.ResourceSettings;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The ResourceManager as it runs in a framework, with real time and threads, and stubs of workers and JobMasters in
 * the same process. Heartbeats are too rare to disturb. All methods are called in one thread.
 */
public final class StubCluster implements AutoCloseable {

    private static final int PATIENCE_SECONDS = 120;
    private static final WorkerLaunch LAUNCH =
            new WorkerLaunch("java", Path.of("/nowhere"), List.of(), 64, Path.of("/nowhere"), StubRpc.ADDRESS, 60_000);

    private final Policies policies;
    private final Clock clock;
    private final ResourceSettings settings;
    private final StubRpc rpc = new StubRpc();
    private final List<StubWorker> workers = new ArrayList<>();
    private final List<StubJobMaster> jobs = new ArrayList<>();
    private final SystemTimers timers = new SystemTimers("berth-benchmark-resources-timers");
    private final ExecutorService pool = Pools.fixed("berth-benchmark-resources", 2);
    private final Acknowledged acknowledged = new Acknowledged();
    private Optional<ResourceManagerTerm> term = Optional.empty();
    private long epoch;
    private long sequence;
    private long slotsBeforeTerm;

    /** Counts slots, and signals when there are as many as expected. */
    private static final class Acknowledged {

        private long count;
        private long awaited;
        private CompletableFuture<Void> reached = new CompletableFuture<>();

        private synchronized void add(int slots) {
            count += slots;
            if (count >= awaited) {
                reached.complete(null);
            }
        }

        private synchronized long count() {
            return count;
        }

        private synchronized CompletableFuture<Void> await(long slots) {
            awaited = slots;
            reached = count >= slots ? CompletableFuture.completedFuture(null) : new CompletableFuture<>();
            return reached;
        }

        private synchronized void reset() {
            count = 0;
        }
    }

    /** @param checkDelayMillis how long changes are collected before they are planned together */
    public StubCluster(Workload workload, Policies policies, Clock clock, int checkDelayMillis) {
        this.policies = policies;
        this.clock = clock;
        this.settings = ResourceSettings.defaults().toBuilder()
                .heartbeats(600_000, 3_600_000)
                .requirementCheckDelayMillis(checkDelayMillis)
                // If a slot is freed before its worker reported it as taken, it counts as rejected by its job. The
                // job then gets no slots for some time: here for so long that no measurement mistakes it for a cost.
                .refusalBackOffMillis(3_600_000)
                // The measurement itself waits for those that return.
                .previousWorkersWaitMillis(0)
                .build();
        for (int worker = 0; worker < workload.workers(); worker++) {
            workers.add(new StubWorker(worker, workload, acknowledged::add));
        }
        int[][] counts = workload.counts();
        for (int job = 0; job < counts.length; job++) {
            jobs.add(new StubJobMaster(job, workload, counts[job]));
        }
        workers.forEach(rpc::add);
        jobs.forEach(rpc::add);
    }

    /** Another ResourceManager leads that knows no workers and jobs; workers keep their slots. */
    public void beginTerm() {
        endTerm();
        slotsBeforeTerm = acknowledged.count();
        ResourceManagerTerm next = new ResourceManagerTerm(
                new ResourceManagerId(new FencingToken(++epoch, new UUID(3, epoch))),
                new ResourceManagerTerm.Environment(
                        clock, timers, pool, pool, pool, rpc, policies.host(), follower -> () -> {}),
                settings,
                LAUNCH,
                failure -> {
                    throw new AssertionError("the ResourceManager failed", failure);
                });
        next.start();
        term = Optional.of(next);
        barrier();
    }

    private void endTerm() {
        term.ifPresent(ResourceManagerTerm::close);
        term = Optional.empty();
    }

    /** Workers lose all their slots. */
    public void forgetSlots() {
        workers.forEach(StubWorker::forget);
        acknowledged.reset();
    }

    /** The registrations that workers would send now. */
    public List<WorkerRegistration> registrations() {
        return workers.stream().map(StubWorker::registration).toList();
    }

    /** Registers the workers and waits for all answers. */
    public void register(List<WorkerRegistration> registrations) {
        List<CompletableFuture<RegistrationResponse>> answers = new ArrayList<>(registrations.size());
        for (WorkerRegistration registration : registrations) {
            answers.add(rpc.resourceManager().registerWorker(registration).toCompletableFuture());
        }
        for (int worker = 0; worker < answers.size(); worker++) {
            workers.get(worker).registeredAs(accepted(answers.get(worker)));
        }
    }

    public void registerJobs() {
        jobs.forEach(job -> accepted(
                rpc.resourceManager().registerJobMaster(job.registration()).toCompletableFuture()));
    }

    private static InstanceId accepted(CompletableFuture<RegistrationResponse> answer) {
        if (await(answer, "an answer to a registration") instanceof RegistrationResponse.Accepted accepted) {
            return accepted.instance();
        }
        throw new IllegalStateException("a registration was rejected:  " + answer.join());
    }

    /** All jobs declare their requirements. */
    public void declare() {
        sequence++;
        List<CompletableFuture<?>> answers = new ArrayList<>(jobs.size());
        for (StubJobMaster job : jobs) {
            answers.add(rpc.resourceManager()
                    .declareRequirements(job.declaration(sequence))
                    .toCompletableFuture());
        }
        answers.forEach(answer -> await(answer, "an answer to a declaration"));
    }

    /**
     * Waits until {@code count} slots were requested since {@link #forgetSlots} and the ResourceManager has all
     * answers.
     */
    public void awaitSlots(long count) {
        await(acknowledged.await(count), count + " slots: " + acknowledged.count() + " were requested");
        // Answers arrive before the next question; the first question follows the last request.
        barrier();
        barrier();
    }

    /** How many slots were requested since {@link #forgetSlots}. */
    public long slots() {
        return acknowledged.count();
    }

    /** How many they were when this ResourceManager started. */
    public long slotsBeforeTerm() {
        return slotsBeforeTerm;
    }

    /**
     * A worker ends a slot that it reported at registration and that its job still needs. Then a worker is asked for a
     * slot to replace it.
     *
     * @return whether the worker had one
     */
    public boolean replaceSlotOf(int number) {
        StubWorker worker = workers.get(number);
        if (!worker.hasReportedSlot()) {
            return false;
        }
        SlotRequest ended = worker.end();
        CompletableFuture<Void> replaced = acknowledged.await(acknowledged.count() + 1);
        rpc.resourceManager()
                .slotFreed(new SlotFreed(worker.instance(), ended.allocation(), ended.job(), "it was ended"));
        await(replaced, "a replacement for a freed slot");
        return true;
    }

    /**
     * Returns when the ResourceManager has processed all earlier messages. It asks about a worker that does not exist.
     */
    public void barrier() {
        await(
                rpc.resourceManager()
                        .slotFreed(new SlotFreed(new InstanceId(-1), new AllocationId(0, 0), new JobId("none"), "none"))
                        .toCompletableFuture(),
                "an answer");
    }

    private static <T> T await(CompletableFuture<T> stage, String what) {
        try {
            return stage.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException late) {
            throw new Pool.NotDecidedException("waited " + PATIENCE_SECONDS + " s for " + what);
        } catch (ExecutionException failure) {
            throw new IllegalStateException("the ResourceManager failed: " + failure.getCause(), failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for " + what, interrupted);
        }
    }

    @Override
    public void close() {
        endTerm();
        timers.close();
        pool.shutdownNow();
    }
}
