package io.berth.testcluster;

import io.berth.core.api.DispatcherId;
import io.berth.core.api.FencingToken;
import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.job.Problem;
import io.berth.core.api.operations.ClusterOperations;
import io.berth.core.api.operations.JobOperations;
import io.berth.core.api.operations.PolicyOperations.PolicyDetails;
import io.berth.core.api.rpc.RoleDirectory;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.core.api.time.Pools;
import io.berth.core.api.time.SystemClock;
import io.berth.core.api.time.SystemTimers;
import io.berth.core.dispatcher.DispatcherTerm;
import io.berth.core.dispatcher.bundle.BlobServer;
import io.berth.core.dispatcher.description.InstalledPolicies;
import io.berth.core.dispatcher.state.DispatcherParts;
import io.berth.core.dispatcher.state.DispatcherSettings;
import io.berth.core.policies.PolicyHostNode;
import io.berth.core.policies.guard.GuardThreads;
import io.berth.core.resources.ResourceManagerTerm;
import io.berth.core.resources.backends.WorkerLaunch;
import io.berth.core.resources.settings.ResourceSettings;
import io.berth.core.rpc.InProcessRpc;
import io.berth.core.scheduler.JobMastersTerm;
import io.berth.core.scheduler.job.SchedulerConfiguration;
import io.berth.core.scheduler.job.SchedulerConfiguration.Stabilization;
import io.berth.distribution.fifo.FifoFactory;
import io.berth.matching.firstfit.FirstFitFactory;
import io.berth.scaling.reactive.ReactiveFactory;
import io.berth.spi.PolicyKind;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** ResourceManager, JobMasters and Dispatcher, each in its first term. Their calls stay within the process. */
final class ControlPlane implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ControlPlane.class);
    private static final RpcAddress ADDRESS = new RpcAddress("localhost", 1);
    private static final long EPOCH = 1;
    private static final int THREADS = 2;
    private static final long IDLE_MILLIS = 600_000;

    private final SystemClock clock = new SystemClock();
    private final SystemTimers timers = new SystemTimers("berth-test-timers");
    private final ExecutorService calls = Pools.fixed("berth-test-calls", 1);
    private final ExecutorService main = Pools.fixed("berth-test-main", THREADS);
    private final ExecutorService io = Pools.fixed("berth-test-io", THREADS);
    private final InProcessRpc rpc;
    private final PolicyHostNode policies;
    private final ResourceManagerTerm resourceManager;
    private final JobMastersTerm jobMasters;
    private final DispatcherTerm dispatcher;

    ControlPlane(TestOperators operators, long stabilizationMillis) {
        rpc = InProcessRpc.loopback(ADDRESS, calls);
        policies = new PolicyHostNode(new PolicyHostNode.Environment(
                clock, timers, main, GuardThreads::pooled, pid -> Collections.emptySortedMap(), ControlPlane::failed));
        offer(1, PolicyKind.MATCHING, "first-fit", new FirstFitFactory());
        offer(2, PolicyKind.DISTRIBUTION, "fifo", new FifoFactory());
        offer(3, PolicyKind.SCALING, "reactive", new ReactiveFactory());
        RoleDirectory directory = RoleDirectory.at(ADDRESS);
        resourceManager = new ResourceManagerTerm(
                new ResourceManagerId(token()),
                new ResourceManagerTerm.Environment(
                        clock, timers, main, io, io, rpc, policies.policies(), policies.backends()),
                ResourceSettings.defaults().toBuilder()
                        .previousWorkersWaitMillis(1)
                        .build(),
                new WorkerLaunch("java", Path.of(""), List.of(), 64, Path.of(""), ADDRESS, IDLE_MILLIS),
                ControlPlane::failed);
        jobMasters = new JobMastersTerm(
                token(),
                new JobMastersTerm.Environment(
                        clock,
                        timers,
                        main,
                        rpc,
                        policies.policies(),
                        directory,
                        UUID::randomUUID,
                        () -> SchedulerConfiguration.DEFAULTS.withStabilization(
                                new Stabilization(stabilizationMillis, 10 * stabilizationMillis))),
                ControlPlane::failed);
        BlobServer bundles = new BlobServer(new OperatorFiles(operators.offered()), timers);
        bundles.setLimits(1, IDLE_MILLIS, IDLE_MILLIS);
        dispatcher = new DispatcherTerm(
                new DispatcherId(token()),
                new DispatcherParts.Environment(
                        clock, timers, main, io, new Random(), rpc, directory, new MemoryStore(), bundles, installed()),
                new DispatcherSettings(1_000, false, 2_000),
                ControlPlane::failed);
        resourceManager.start();
        jobMasters.start();
        dispatcher.start();
    }

    private static FencingToken token() {
        return new FencingToken(EPOCH, UUID.randomUUID());
    }

    private static void failed(Throwable failure) {
        LOG.error("A role of the test cluster failed", failure);
    }

    private void offer(long id, PolicyKind kind, String name, Object factory) {
        policies.offer(new PolicyHostNode.Offer(
                id, kind, name, "io.berth." + kind.label() + "." + name, "1.0.0", 100, factory));
    }

    private InstalledPolicies installed() {
        return new InstalledPolicies() {
            @Override
            public List<String> names(PolicyKind kind) {
                return policies.operations().policies().stream()
                        .filter(policy -> policy.kind() == kind)
                        .map(PolicyDetails::name)
                        .distinct()
                        .toList();
            }

            @Override
            public List<Problem> problems(PolicyKind kind, String name, SortedMap<String, String> parameters) {
                return policies.operations().problems(kind, name, parameters);
            }

            @Override
            public List<String> pools() {
                return policies.operations().poolNames();
            }

            @Override
            public Optional<String> queueRefusal(String pool, String queue, String submitter) {
                return policies.operations().queueRefusal(pool, queue, submitter);
            }
        };
    }

    JobOperations jobs() {
        return dispatcher.jobs();
    }

    ClusterOperations cluster() {
        return dispatcher.cluster();
    }

    InProcessRpc rpc() {
        return rpc;
    }

    @Override
    public void close() {
        Closes.all(List.of(
                dispatcher::close,
                jobMasters::close,
                resourceManager::close,
                policies::close,
                rpc::close,
                calls::shutdownNow,
                main::shutdownNow,
                io::shutdownNow,
                timers::close));
    }
}
