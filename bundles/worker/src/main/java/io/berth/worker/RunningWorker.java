package io.berth.worker;

import io.berth.core.api.FencingToken;
import io.berth.core.api.role.LeaderFile;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.PeerRole;
import io.berth.core.api.task.TaskRuntime;
import io.berth.core.api.time.Pools;
import io.berth.core.api.time.SystemClock;
import io.berth.core.api.time.SystemTimers;
import io.berth.core.rpc.RpcConfig;
import io.berth.core.rpc.RpcServices;
import io.berth.core.rpc.RunningRpc;
import io.berth.core.security.ClusterSecurity;
import io.berth.spi.WorkerId;
import io.berth.worker.code.BlobCache;
import io.berth.worker.code.JobIsolation;
import io.berth.worker.code.UserBundles;
import io.berth.worker.connection.LeaderWatch;
import io.berth.worker.log.CapturedOutput;
import io.berth.worker.log.LogSettings;
import io.berth.worker.log.WorkerLogs;
import io.berth.worker.settings.WorkerSettings;
import io.berth.worker.store.FileAllocationStore;
import io.berth.worker.task.Tasks;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.function.UnaryOperator;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import org.osgi.framework.hooks.resolver.ResolverHookFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A TaskExecutor with its threads, its transport and its services, from start to close. */
final class RunningWorker implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RunningWorker.class);
    private static final long CLOSE_MILLIS = 3_000;
    private static final int BUNDLE_THREADS = 4;

    private final ExecutorService mainPool = Pools.fixed("berth-worker-main", 1);
    private final ExecutorService bundlePool = Pools.fixed("berth-worker-bundles", BUNDLE_THREADS);
    private final ExecutorService taskPool = Pools.fixed("berth-worker-tasks", 1);
    private final ExecutorService filePool = Pools.fixed("berth-worker-files", 1);
    private final SystemTimers timers = new SystemTimers("berth-worker-timers");
    private final WorkerLogs logs;
    private final CapturedOutput output;
    private final RunningRpc rpc;
    private final TaskExecutorNode node;
    private final Optional<LeaderWatch> leaders;
    private final ServiceRegistration<ResolverHookFactory> isolation;

    /**
     * Starts it.
     *
     * @param security how peers are known
     * @param exchange the runtime from which other workers receive data
     * @param secrets from a name to its secret
     * @param lines redirects the lines of the logging library
     * @param exit ends the process with an exit code
     */
    RunningWorker(
            BundleContext context,
            WorkerSettings settings,
            ClusterSecurity security,
            TaskRuntime exchange,
            Tasks.Runtimes runtimes,
            Function<String, Optional<String>> secrets,
            Consumer<UnaryOperator<OutputStream>> lines,
            IntConsumer exit)
            throws IOException {
        SystemClock clock = new SystemClock();
        logs = new WorkerLogs(settings.worker(), LogSettings.read(context::getProperty), clock);
        output = new CapturedOutput(logs, lines);
        BlobCache store = new BlobCache(settings.work().resolve(JobIsolation.FOLDER), settings.bundleStartMillis());
        store.clear();
        FileAllocationStore allocations =
                new FileAllocationStore(settings.work().resolve(FileAllocationStore.FOLDER), settings.worker());
        FencingToken session = new FencingToken(allocations.nextSession(clock.wallMillis()), UUID.randomUUID());
        requireCertificateOf(settings.worker(), security);
        rpc = RpcServices.start(
                RpcConfig.defaults("worker/" + settings.worker()).withHost(settings.host()), security);
        JobIsolation jobs = new JobIsolation();
        isolation = context.registerService(ResolverHookFactory.class, jobs, null);
        node = new TaskExecutorNode(
                settings,
                session,
                exchange,
                new TaskExecutorNode.Environment(
                        clock,
                        timers,
                        mainPool,
                        taskPool,
                        filePool,
                        rpc,
                        runtimes,
                        mainThread -> new UserBundles(
                                context,
                                store,
                                rpc,
                                mainThread,
                                timers,
                                bundlePool,
                                settings.bundleStartMillis(),
                                settings.bundleCacheMillis(),
                                jobs),
                        secrets,
                        allocations,
                        exit,
                        logs));
        EndpointRef endpoint = node.start();
        leaders = settings.leaderFile()
                .map(file -> new LeaderWatch(
                        new LeaderFile(file, EndpointName.RESOURCE_MANAGER),
                        timers,
                        filePool,
                        node::resourceManagerLeads));
        leaders.ifPresent(LeaderWatch::start);
        LOG.info(
                "worker {}: up at {}, data at {}, offers {}, searches for the ResourceManager at {}",
                settings.worker(),
                endpoint.address(),
                exchange.dataAddress(),
                settings.total(),
                settings.masters());
    }

    private static void requireCertificateOf(WorkerId worker, ClusterSecurity security) {
        security.credentials().map(live -> live.current().self()).ifPresent(self -> {
            if (!self.roles().contains(PeerRole.WORKER) || !self.name().equals(worker.value())) {
                throw new IllegalArgumentException("id is '" + worker + "': allowed is the worker of the certificate,"
                        + " which is that of " + self);
            }
        });
    }

    /** Ends tasks, transport and threads, in that order and within a bounded time. */
    @Override
    public void close() {
        leaders.ifPresent(LeaderWatch::close);
        try {
            node.close("the process ends").toCompletableFuture().get(CLOSE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException failure) {
            LOG.warn("the worker ends without all its tasks having ended: {}", failure.toString());
        } catch (InterruptedException failure) {
            Thread.currentThread().interrupt();
        }
        node.halt();
        rpc.close();
        isolation.unregister();
        bundlePool.shutdownNow();
        taskPool.shutdownNow();
        filePool.shutdownNow();
        mainPool.shutdownNow();
        timers.close();
        output.close();
        logs.close();
    }
}
