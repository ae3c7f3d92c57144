package io.berth.core.resources;

import io.berth.core.api.FencingToken;
import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.fake.FakeRpc;
import io.berth.core.api.fake.ManualTime;
import io.berth.core.api.fake.SlowClock;
import io.berth.core.api.gateway.ClusterDetails;
import io.berth.core.api.gateway.ClusterQuery;
import io.berth.core.api.gateway.RegistrationResponse;
import io.berth.core.api.gateway.ResourceManagerGateway;
import io.berth.core.api.policy.MatchingRule;
import io.berth.core.api.policy.PlacementPlanner;
import io.berth.core.api.policy.PolicyHost;
import io.berth.core.api.policy.PoolDefinition;
import io.berth.core.api.time.MainThread;
import io.berth.core.resources.logs.HostLogs;
import io.berth.core.resources.logs.LogBounds;
import io.berth.core.resources.settings.ResourceSettings;
import io.berth.core.resources.state.Changes;
import io.berth.spi.ResourceProfile;
import io.berth.spi.backend.StartFailure;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** One ResourceManager over fakes, on virtual time. */
public final class TestCluster {

    public static final ResourceProfile SLOT = ResourceProfile.of(1_000, 512L << 20);
    public static final ResourceProfile TWO_SLOTS = SLOT.times(2);

    public final ManualTime time = new ManualTime();
    public final SlowClock clock = new SlowClock(time);
    private final FakePolicies policies = new FakePolicies();
    public final SimplePlanner planner = policies.planner;
    final ResourceManagerId id = new ResourceManagerId(new FencingToken(7, new UUID(7, 7)));
    public final ResourceManager manager;
    public final List<MatchingRule> rules = policies.rules;
    private final FakeRpc rpc = new FakeRpc();
    /** Where workers keep their logs. */
    public Path logs = Path.of("no-such-folder");

    /** Changes that nobody acts on, for tests of the state alone. */
    public static Changes noFlush() {
        return new Changes(flush -> {}, changes -> {});
    }

    /** A start that failed for no cause that concerns the spec. */
    public static StartFailure failed(String text) {
        return StartFailure.of(StartFailure.Kind.FAILED, text).build();
    }

    /** The defaults, without a previous ResourceManager. */
    public static ResourceSettings.Builder settings() {
        return ResourceSettings.defaults().toBuilder().previousWorkersWaitMillis(0);
    }

    public TestCluster() {
        this(settings().build());
    }

    public TestCluster(ResourceSettings settings) {
        this(settings, Optional.empty());
    }

    private TestCluster(ResourceSettings settings, Optional<Function<ManualTime, PolicyHost>> otherPolicies) {
        MainThread mainThread = new MainThread("test", time, time, failure -> {
            throw new AssertionError(failure);
        });
        PolicyHost host = otherPolicies.map(make -> make.apply(time)).orElse(policies);
        manager = new ResourceManager(
                id, mainThread, clock, rpc, host, settings, time, () -> new HostLogs(logs, LogBounds.DEFAULTS), time);
        manager.start();
        time.settle();
    }

    /** A cluster where the policies decide that decide by default. */
    public static TestCluster withRealPolicies() {
        return new TestCluster(settings().build(), Optional.of(RealPolicies::on));
    }

    /** A cluster where another planner decides. */
    static TestCluster with(PlacementPlanner planner) {
        return new TestCluster(settings().build(), Optional.of(time -> new FakePolicies(planner)));
    }

    /** Other pools are configured from now on; the default one is added. */
    public void pools(PoolDefinition... pools) {
        List<PoolDefinition> all = new ArrayList<>(List.of(pools));
        if (all.stream().noneMatch(PoolDefinition::isDefault)) {
            all.add(PoolDefinition.DEFAULT);
        }
        policies.pools = all;
        manager.poolsChanged();
        time.settle();
    }

    /** The planner of a pool beside the default one. */
    public SimplePlanner planner(String pool) {
        return java.util.Objects.requireNonNull(policies.planners.get(pool));
    }

    /** A job of a pool. */
    public FakeJobMaster jobOf(String pool, String name, long submissionIndex) {
        FakeJobMaster job = new FakeJobMaster(name, 1, submissionIndex);
        job.pool = pool;
        register(job);
        return job;
    }

    /** Another policy decides from now on. */
    public void policiesChanged() {
        policies.changed.run();
    }

    public <T> T call(CompletionStage<T> stage) {
        return answer(time, stage);
    }

    /** What the stage is answered with. All runs in this thread: a stage that is open now would stay open. */
    static <T> T answer(ManualTime time, CompletionStage<T> stage) {
        time.settle();
        CompletableFuture<T> answer = stage.toCompletableFuture();
        if (!answer.isDone()) {
            throw new AssertionError("not answered, and nothing is left to run before time passes");
        }
        return answer.join();
    }

    public FakeJobMaster job(String name, long submissionIndex) {
        FakeJobMaster job = new FakeJobMaster(name, 1, submissionIndex);
        register(job);
        return job;
    }

    public RegistrationResponse register(FakeJobMaster job) {
        rpc.connect(job.endpoint(), job);
        return call(manager.registerJobMaster(job.registration()));
    }

    public FakeWorker worker(String name) {
        FakeWorker worker = new FakeWorker(name, 1);
        register(worker, "standalone", "");
        return worker;
    }

    public FakeWorker worker(String name, ResourceProfile total) {
        FakeWorker worker = new FakeWorker(name, 1);
        register(worker, worker.registration(total, 2, "standalone", ""));
        return worker;
    }

    public RegistrationResponse register(FakeWorker worker, String backend, String spec) {
        return register(worker, worker.registration(TWO_SLOTS, 2, backend, spec));
    }

    public RegistrationResponse register(FakeWorker worker, ResourceManagerGateway.WorkerRegistration registration) {
        rpc.connect(worker.endpoint(), worker);
        RegistrationResponse response = call(manager.registerWorker(registration));
        if (response instanceof RegistrationResponse.Accepted accepted) {
            worker.instance = accepted.instance();
        }
        return response;
    }

    public void declare(FakeJobMaster job, int minimum, int desired) {
        call(manager.declareRequirements(job.requires(minimum, desired, SLOT)));
    }

    public void declare(FakeJobMaster job, ResourceManagerGateway.GroupRequirement... groups) {
        call(manager.declareRequirements(job.requires(groups)));
    }

    public List<String> workerStates() {
        return details().workers().stream()
                .map(ClusterDetails.WorkerDetails::state)
                .toList();
    }

    /** How many workers are pending. */
    public long pending() {
        return workerStates().stream().filter("pending"::equals).count();
    }

    /** A worker ends a slot by itself and says so. */
    public void free(FakeWorker worker, io.berth.spi.AllocationId allocation) {
        var slot = worker.slots.remove(allocation);
        call(manager.slotFreed(
                new ResourceManagerGateway.SlotFreed(worker.instance, allocation, slot.job(), "not needed")));
    }

    public ClusterDetails details() {
        return call(manager.clusterDetails(ClusterQuery.ALL));
    }

    public List<String> states(FakeJobMaster job) {
        return details().slots().stream()
                .filter(slot -> slot.job().equals(job.job.value()))
                .map(ClusterDetails.SlotDetails::state)
                .toList();
    }
}
