package io.berth.core.resources;

import io.berth.core.api.FencingToken;
import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.gateway.RpcService;
import io.berth.core.api.policy.BackendHost;
import io.berth.core.api.policy.PolicyHost;
import io.berth.core.api.policy.PolicyRecords;
import io.berth.core.api.role.Candidate;
import io.berth.core.api.role.LeaderFile;
import io.berth.core.api.role.RoleCandidate;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.time.FatalErrors;
import io.berth.core.api.time.Pools;
import io.berth.core.api.time.SystemClock;
import io.berth.core.api.time.SystemTimers;
import io.berth.core.resources.backends.WorkerLaunch;
import io.berth.core.resources.settings.ResourceSettings;
import io.berth.core.resources.settings.ResourcesConfiguration;
import io.berth.core.resources.settings.WorkerRuntime;
import io.berth.spi.ha.LeaderElection;
import java.io.IOException;
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

/** The role {@code resource-manager}: serves a ResourceManager while this process leads. */
@Component(immediate = true, service = RoleCandidate.class, configurationPid = "io.berth.core.resources")
@Designate(ocd = ResourcesConfiguration.class)
public final class ResourceManagerRole implements RoleCandidate {

    private static final Logger LOG = LoggerFactory.getLogger(ResourceManagerRole.class);
    private static final String STOPPING = "the control plane stops";
    private static final long PRUNE_MILLIS = 60_000;

    private final RpcService rpc;
    private final WorkerRuntime runtime;
    private final ExecutorService pool;
    private final ExecutorService files;
    private final ExecutorService terms;
    private final FatalErrors fatal = FatalErrors.halting();
    private final SystemTimers timers;
    private final Candidate<Leading> candidate;
    private final PreviousLeader predecessor = new PreviousLeader();
    private final AutoCloseable following;
    private final PolicyRecords records;
    private volatile ResourceSettings settings;
    private volatile WorkerLaunch launch;

    /** A term and the policy records that are open during it. */
    private record Leading(ResourceManagerTerm term, AutoCloseable records) {

        void close() {
            term.close();
            ResourceManagerRole.close(records);
        }
    }

    @Activate
    public ResourceManagerRole(
            ResourcesConfiguration configuration,
            @Reference WorkerRuntime runtime,
            @Reference RpcService rpc,
            @Reference PolicyHost policies,
            @Reference BackendHost backends,
            @Reference PolicyRecords records,
            @Reference LeaderElection election) {
        this.rpc = rpc;
        this.runtime = runtime;
        this.records = records;
        settings = ResourceSettings.of(configuration);
        launch = WorkerLaunch.of(configuration, runtime::settings, rpc);
        pool = Pools.fixed("berth-core-resources-main", 2);
        files = Pools.fixed("berth-core-resources-files", 1);
        terms = Pools.fixed("berth-core-resources-terms", 1);
        timers = new SystemTimers("berth-core-resources-timers");
        ResourceManagerTerm.Environment environment = new ResourceManagerTerm.Environment(
                new SystemClock(), timers, pool, pool, files, rpc, policies, backends);
        candidate = new Candidate<>(
                EndpointName.RESOURCE_MANAGER,
                UUID::randomUUID,
                token -> begin(token, environment),
                (leading, cause) -> leading.close(),
                terms,
                timers);
        following = election.follow(EndpointName.RESOURCE_MANAGER.value(), predecessor::notified);
        // As soon as this process competes, the election forgets a leader that died.
        predecessor.await();
        candidate.compete(election, rpc.address());
    }

    private Leading begin(FencingToken token, ResourceManagerTerm.Environment environment) {
        Leading leading = new Leading(
                new ResourceManagerTerm(
                        new ResourceManagerId(token),
                        environment,
                        first(),
                        launch,
                        fatal.before(failure -> candidate.fail(token, failure))),
                records.startLeading(EndpointName.RESOURCE_MANAGER.value(), token.epoch()));
        try {
            EndpointRef endpoint = leading.term().start();
            LeaderFile leaderFile = launch.leaderFile();
            files.execute(() -> publish(leaderFile, endpoint));
            pruneLogs(leading.term());
        } catch (RuntimeException failure) {
            leading.close();
            throw failure;
        }
        return leading;
    }

    /** Again and again, until the term ends. */
    private void pruneLogs(ResourceManagerTerm term) {
        timers.schedule(
                PRUNE_MILLIS,
                () -> term.pruneLogs().whenComplete((pruned, ended) -> {
                    if (ended == null) {
                        pruneLogs(term);
                    }
                }));
    }

    /** Workers of this machine find the leader by this file, even if they know no address of this process. */
    private static void publish(LeaderFile file, EndpointRef leader) {
        try {
            file.write(leader);
        } catch (IOException failure) {
            LOG.warn(
                    "ResourceManager: its address cannot be written to {}; workers of this machine try the addresses"
                            + " that they know",
                    file.path(),
                    failure);
        }
    }

    /** Without a previous ResourceManager there are no workers to wait for. */
    private ResourceSettings first() {
        return predecessor.take()
                ? settings
                : settings.toBuilder().previousWorkersWaitMillis(0).build();
    }

    @Override
    public EndpointName role() {
        return EndpointName.RESOURCE_MANAGER;
    }

    @Override
    public boolean leads() {
        return candidate.leads();
    }

    @Modified
    void modified(ResourcesConfiguration configuration) {
        ResourceSettings changed;
        WorkerLaunch changedLaunch;
        try {
            changed = ResourceSettings.of(configuration);
            changedLaunch = WorkerLaunch.of(configuration, runtime::settings, rpc);
        } catch (IllegalArgumentException refused) {
            LOG.error("io.berth.core.resources: {}; the previous configuration stays in effect", refused.getMessage());
            return;
        }
        settings = changed;
        launch = changedLaunch;
        candidate.withTerm(leading -> leading.term().configure(changed, changedLaunch));
    }

    @Deactivate
    void deactivate() {
        close(following);
        candidate.close(this::end);
        timers.close();
        pool.shutdownNow();
        files.shutdown();
        terms.shutdown();
        await(terms);
        await(files);
        await(pool);
    }

    /**
     * Asks workers to exit and lets backends end their processes, unless another process may serve them. Takes at most
     * the stop timeout and that of the backends.
     */
    private void end(Leading leading) {
        if (launch.hasOther(rpc.address())) {
            LOG.info("ResourceManager: this process stops, workers search for the next one at {}", launch.masters());
        } else {
            try {
                leading.term().stop(STOPPING).toCompletableFuture().get();
            } catch (ExecutionException failure) {
                LOG.warn("ResourceManager: the stop failed", failure);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        leading.close();
    }

    private static void close(AutoCloseable opened) {
        try {
            opened.close();
        } catch (Exception failure) {
            LOG.warn("ResourceManager: a part did not close", failure);
        }
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
