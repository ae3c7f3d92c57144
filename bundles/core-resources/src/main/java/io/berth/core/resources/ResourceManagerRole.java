package io.berth.core.resources;

import io.berth.core.api.FencingToken;
import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.policy.BackendHost;
import io.berth.core.api.policy.PolicyHost;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.RpcService;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.MainThread;
import io.berth.core.api.time.Pools;
import io.berth.core.api.time.SystemClock;
import io.berth.core.api.time.SystemTimers;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.metatype.annotations.Designate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The role {@code resource-manager}: serves one ResourceManager while it is active. */
@Component(immediate = true, service = {}, configurationPid = "io.berth.core.resources")
@Designate(ocd = ResourcesConfiguration.class)
public final class ResourceManagerRole {

    private static final Logger LOG = LoggerFactory.getLogger(ResourceManagerRole.class);
    private static final String STOPPING = "the control plane stops";

    private final RpcService rpc;
    private final ExecutorService pool;
    private final ExecutorService files;
    private final SystemTimers timers;
    private final MainThread mainThread;
    private final ResourceManager resourceManager;
    private final RpcService.Served served;
    private final AutoCloseable following;
    private volatile WorkerLaunch launch;
    private volatile ResourceSettings settings;

    @Activate
    public ResourceManagerRole(
            ResourcesConfiguration configuration,
            @Reference RpcService rpc,
            @Reference PolicyHost policies,
            @Reference BackendHost backends) {
        this.rpc = rpc;
        settings = ResourceSettings.of(configuration);
        launch = WorkerLaunch.of(configuration, rpc.address());
        Clock clock = new SystemClock();
        ResourceManagerId id = new ResourceManagerId(new FencingToken(clock.wallMillis(), UUID.randomUUID()));
        pool = Pools.fixed("berth-core-resources-main", 2);
        files = Pools.fixed("berth-core-resources-files", 1);
        timers = new SystemTimers("berth-core-resources-timers");
        mainThread = new MainThread("ResourceManager " + id, pool, timers);
        resourceManager = new ResourceManager(id, mainThread, clock, rpc, policies, settings, pool);
        resourceManager.start();
        served = rpc.serve(EndpointName.RESOURCE_MANAGER, id.token(), resourceManager);
        following = backends.follow(
                new WorkerBackends(resourceManager, () -> launch, files, id.token().epoch()));
        LOG.info("ResourceManager {} serves at {}", id, rpc.address());
    }

    @Modified
    void modified(ResourcesConfiguration configuration) {
        ResourceSettings changed;
        WorkerLaunch changedLaunch;
        try {
            changed = ResourceSettings.of(configuration);
            changedLaunch = WorkerLaunch.of(configuration, rpc.address());
        } catch (IllegalArgumentException refused) {
            LOG.error("io.berth.core.resources: {}; the former configuration stays", refused.getMessage());
            return;
        }
        settings = changed;
        launch = changedLaunch;
        resourceManager.configure(changed);
    }

    /** Workers are told to exit, backends end theirs; bounded by the stop time-out and that of the backends. */
    @Deactivate
    void deactivate() {
        try {
            resourceManager
                    .stop(STOPPING)
                    .toCompletableFuture()
                    .get(settings.stopTimeoutMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException failure) {
            LOG.warn("ResourceManager: not all workers and JobMasters answered: {}", failure.toString());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        close("backends", following);
        close("endpoint", served);
        mainThread.close();
        timers.close();
        pool.shutdownNow();
        files.shutdown();
        await(files);
        await(pool);
    }

    private static void await(ExecutorService executor) {
        try {
            if (!executor.awaitTermination(2, TimeUnit.SECONDS)) {
                LOG.warn("ResourceManager: a thread has not ended yet");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void close(String what, AutoCloseable closeable) {
        try {
            closeable.close();
        } catch (Exception failure) {
            LOG.warn("ResourceManager: {} did not close", what, failure);
        }
    }
}
