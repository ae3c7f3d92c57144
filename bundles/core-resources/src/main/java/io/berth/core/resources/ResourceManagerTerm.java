package io.berth.core.resources;

import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.gateway.RpcService;
import io.berth.core.api.policy.BackendHost;
import io.berth.core.api.policy.PolicyHost;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.MainThread;
import io.berth.core.api.time.Timers;
import io.berth.core.resources.backends.BackendConnector;
import io.berth.core.resources.backends.WorkerLaunch;
import io.berth.core.resources.settings.ResourceSettings;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One term of leadership of the role {@code resource-manager} (FLIP-6): a ResourceManager that is served under its
 * fencing token, and the backends that work for it. It starts no thread and reads no wall clock itself, so a simulator
 * runs the same code as the role. Thread-safe.
 */
public final class ResourceManagerTerm {

    private static final Logger LOG = LoggerFactory.getLogger(ResourceManagerTerm.class);

    /**
     * What the term runs with.
     *
     * @param pool runs the main thread
     * @param analyses runs the analysis of why jobs wait, off the main thread
     * @param files reads the logs of workers on this machine, and removes the files of those that ended
     */
    public record Environment(
            Clock clock,
            Timers timers,
            Executor pool,
            Executor analyses,
            Executor files,
            RpcService rpc,
            PolicyHost policies,
            BackendHost backends) {}

    private final ResourceManagerId id;
    private final Environment environment;
    private final MainThread mainThread;
    private final ResourceManager resourceManager;
    private volatile ResourceSettings settings;
    private volatile WorkerLaunch launch;
    private Optional<RpcService.Served> served = Optional.empty();
    private final BackendConnector workers;
    private Optional<AutoCloseable> following = Optional.empty();
    private Optional<AutoCloseable> pools = Optional.empty();
    private boolean stopped;
    private boolean closed;

    /**
     * @param id has the token of the grant of leadership
     * @param failed receives what the main thread of the ResourceManager threw, after which nothing runs on it; must
     *     close the term on another thread
     */
    public ResourceManagerTerm(
            ResourceManagerId id,
            Environment environment,
            ResourceSettings settings,
            WorkerLaunch launch,
            Consumer<? super Throwable> failed) {
        this.id = id;
        this.environment = environment;
        this.settings = settings;
        this.launch = launch;
        mainThread = new MainThread(
                "ResourceManager " + id,
                environment.pool(),
                environment.timers(),
                failure -> endBroken(failure, failed));
        resourceManager = new ResourceManager(
                id,
                mainThread,
                environment.clock(),
                environment.rpc(),
                environment.policies(),
                settings,
                environment.analyses(),
                () -> this.launch.hostLogs(),
                environment.files());
        workers = new BackendConnector(
                resourceManager,
                () -> this.launch,
                environment.files(),
                id.token().epoch());
    }

    /** What threw may be half changed, so nothing runs on it any more, also before the owner closes the term. */
    private void endBroken(Throwable failure, Consumer<? super Throwable> owner) {
        mainThread.close();
        owner.accept(failure);
    }

    /**
     * Serves the gateway and starts the ResourceManager.
     *
     * @return the endpoint
     * @throws IllegalStateException if the term has ended or was started before
     */
    public synchronized EndpointRef start() {
        if (closed || served.isPresent()) {
            throw new IllegalStateException("the term of ResourceManager " + id
                    + (closed ? " is over" : " was started before") + ": make another one");
        }
        resourceManager.start();
        RpcService.Served endpoint =
                environment.rpc().serve(EndpointName.RESOURCE_MANAGER, id.token(), resourceManager);
        served = Optional.of(endpoint);
        following = Optional.of(environment.backends().follow(workers));
        pools = Optional.of(environment.policies().followPools(resourceManager::poolsChanged));
        // They may have changed in between.
        resourceManager.poolsChanged();
        LOG.info("ResourceManager {} serves at {}", id, endpoint.endpoint().address());
        return endpoint.endpoint();
    }

    /** Removes logs of workers of this machine that are gone; fails when the term has ended. */
    CompletionStage<Boolean> pruneLogs() {
        return resourceManager.pruneLogs();
    }

    /** Applies other settings. Those for the start of workers apply to workers that start from now on. */
    public void configure(ResourceSettings changed, WorkerLaunch changedLaunch) {
        settings = changed;
        launch = changedLaunch;
        resourceManager.configure(changed);
    }

    /**
     * The control plane stops: asks workers to exit, notifies JobMasters, and plans nothing from now on.
     *
     * @return completes when all have answered, at the latest after the stop timeout
     */
    public CompletionStage<Void> stop(String cause) {
        synchronized (this) {
            stopped = true;
        }
        CompletableFuture<Void> done = new CompletableFuture<>();
        long most = settings.stopTimeoutMillis();
        Timers.Cancellable late = environment.timers().schedule(most, () -> {
            if (done.complete(null)) {
                LOG.warn("ResourceManager {}: not all workers and JobMasters answered within {} ms", id, most);
            }
        });
        resourceManager.stop(cause).whenComplete((answered, failure) -> {
            late.cancel();
            if (failure != null) {
                LOG.warn("ResourceManager {}: workers and JobMasters could not be notified of the stop", id, failure);
            }
            done.complete(null);
        });
        return done;
    }

    /**
     * Ends the term after a lost leadership or a {@link #stop}: notifies nobody, and closes the backends, which takes a
     * limited time. Without a stop before, workers keep running for the next ResourceManager. Closing again does
     * nothing.
     */
    public void close() {
        Optional<RpcService.Served> endpoint;
        Optional<AutoCloseable> backends;
        Optional<AutoCloseable> definitions;
        boolean orderly;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            endpoint = served;
            backends = following;
            definitions = pools;
            orderly = stopped;
        }
        if (!orderly) {
            workers.leaveWorkers();
            resourceManager.end();
        }
        definitions.ifPresent(open -> close("pools", open));
        endpoint.ifPresent(open -> close("endpoint", open));
        // After a stop, backends still report ended workers, so that their files are removed.
        backends.ifPresent(open -> close("backends", open));
        resourceManager.end();
    }

    private void close(String what, AutoCloseable closeable) {
        try {
            closeable.close();
        } catch (Exception failure) {
            LOG.warn("ResourceManager {}: {} did not close", id, what, failure);
        }
    }
}
