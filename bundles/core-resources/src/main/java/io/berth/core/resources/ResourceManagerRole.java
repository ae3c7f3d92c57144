package io.berth.core.resources;

import io.berth.core.api.FencingToken;
import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.policy.BackendHost;
import io.berth.core.api.policy.PolicyHost;
import io.berth.core.api.rpc.RpcService;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.Pools;
import io.berth.core.api.time.SystemClock;
import io.berth.core.api.time.SystemTimers;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
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
    private final ResourceManagerTerm term;

    @Activate
    public ResourceManagerRole(
            ResourcesConfiguration configuration,
            @Reference RpcService rpc,
            @Reference PolicyHost policies,
            @Reference BackendHost backends) {
        this.rpc = rpc;
        ResourceSettings settings = ResourceSettings.of(configuration);
        WorkerLaunch launch = WorkerLaunch.of(configuration, rpc.address());
        Clock clock = new SystemClock();
        ResourceManagerId id = new ResourceManagerId(new FencingToken(clock.wallMillis(), UUID.randomUUID()));
        pool = Pools.fixed("berth-core-resources-main", 2);
        files = Pools.fixed("berth-core-resources-files", 1);
        timers = new SystemTimers("berth-core-resources-timers");
        term = new ResourceManagerTerm(
                id,
                new ResourceManagerTerm.Environment(clock, timers, pool, pool, files, rpc, policies, backends),
                settings,
                launch);
        term.start();
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
        term.configure(changed, changedLaunch);
    }

    /** Workers are told to exit, backends end theirs; bounded by the stop time-out and that of the backends. */
    @Deactivate
    void deactivate() {
        try {
            term.stop(STOPPING).toCompletableFuture().get();
        } catch (ExecutionException failure) {
            LOG.warn("ResourceManager: it did not stop in order", failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        term.close();
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
}
