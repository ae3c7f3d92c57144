package io.berth.core.scheduler.peers;

import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.gateway.RegistrationResponse;
import io.berth.core.api.gateway.ResourceManagerGateway;
import io.berth.core.api.gateway.ResourceManagerGateway.JobMasterRegistration;
import io.berth.core.api.gateway.ResourceManagerGateway.UnitRequirement;
import io.berth.core.api.gateway.RpcService;
import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.Reason;
import io.berth.core.api.job.ReasonCode;
import io.berth.core.api.policy.MatchingRule;
import io.berth.core.api.registration.LeaderSearch;
import io.berth.core.api.registration.RegisteredConnection;
import io.berth.core.api.registration.RegistrationSettings;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.Failures;
import io.berth.core.api.rpc.RoleDirectory;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.MainThread;
import io.berth.core.scheduler.job.JobIdentity;
import io.berth.core.scheduler.job.SchedulerConfiguration;
import io.berth.spi.WorkerId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one job registered at the leading ResourceManager, and its requirements declared (FLIP-6, FLIP-138). The job keeps
 * its slots while there is no ResourceManager. Confined to the main thread of the job.
 */
public final class ResourceManagerConnection {

    private static final Logger LOG = LoggerFactory.getLogger(ResourceManagerConnection.class);
    private static final int DISCONNECT_ATTEMPTS = 3;
    private static final long DISCONNECT_PAUSE_MILLIS = 500;

    private final JobIdentity job;
    private final MainThread thread;
    private final RpcService rpc;
    private final RoleDirectory directory;
    private final RegistrationSettings settings;
    private final LeaderSearch search;
    private final RegisteredConnection<ResourceManagerGateway> connection;
    private final Declarations declarations;

    private Optional<Listener> listener = Optional.empty();
    private AutoCloseable following = () -> {};
    /** After the end of the job, until {@link #leave}. */
    private Optional<ResourceManagerGateway> leaving = Optional.empty();

    private String trouble = "";

    /** The owner. */
    public interface Listener {

        /** The answer of {@link #why} has changed. */
        void troubled();

        /** An attempt to register starts: what a ResourceManager said before is no longer valid. */
        void begins();

        /** Another ResourceManager leads, see {@link #leader}. */
        void leads();

        /** The ResourceManager that accepted the job uses this matching rule. */
        void rule(MatchingRule rule);

        /** The workers on which the job has slots. */
        List<WorkerId> workers();
    }

    public ResourceManagerConnection(
            JobIdentity job,
            MainThread thread,
            Clock clock,
            RpcService rpc,
            RoleDirectory directory,
            SchedulerConfiguration configuration) {
        this.job = job;
        this.thread = thread;
        this.rpc = rpc;
        this.directory = directory;
        this.settings = configuration.registration();
        this.connection = new RegisteredConnection<>("job " + job.id(), settings, thread, clock, new Owner());
        this.search = new LeaderSearch(EndpointName.RESOURCE_MANAGER, rpc, thread, connection::objection);
        this.declarations =
                new Declarations(job, thread, configuration.declareRetryMaxMillis(), connection::callFailed);
    }

    public void start(Listener owner) {
        listener = Optional.of(owner);
        following =
                directory.follow(EndpointName.RESOURCE_MANAGER, () -> thread.execute(connection::leaderMayHaveChanged));
        connection.connect();
    }

    /** Declares all that a unit requires from now on; nothing is sent when it is what was declared last. */
    public void declare(UnitRequirement unit) {
        declarations.declare(unit);
    }

    /** Declares from now on what the last rescale cost. */
    public void rescaled(long millis) {
        declarations.rescaled(millis);
    }

    /**
     * A heartbeat. False when it comes from a ResourceManager that the job is not registered at.
     *
     * @param declaration the one that the ResourceManager follows
     */
    public boolean heartbeat(ResourceManagerId resourceManager, long declaration) {
        if (isCurrent(resourceManager)) {
            connection.heard();
            declarations.follows(declaration);
        }
        return isConnected(resourceManager);
    }

    /** Whether the job is registered there, or has asked to be. */
    public boolean isConnected(ResourceManagerId resourceManager) {
        return isCurrent(resourceManager) || connection.isConnectedTo(resourceManager.token());
    }

    public boolean isCurrent(ResourceManagerId resourceManager) {
        return connection.isRegisteredAt(resourceManager.token())
                || leaving.isPresent()
                        && connection
                                .leader()
                                .filter(leader -> leader.token().equals(resourceManager.token()))
                                .isPresent();
    }

    /** The ResourceManager has ended the registration. */
    public void disconnected(ResourceManagerId resourceManager, String cause) {
        if (isCurrent(resourceManager)) {
            leaving = Optional.empty();
            connection.lost(cause);
        } else if (isConnected(resourceManager)) {
            // It may overtake the answer to the registration that it ends.
            connection.connect();
        }
    }

    /** The newest ResourceManager that was found, registered there or not. */
    public Optional<EndpointRef> leader() {
        return connection.leader();
    }

    /** Number of the last declaration. */
    public long sequence() {
        return declarations.sequence();
    }

    /** Why there is no answer yet to the last declaration. */
    public Reason why() {
        if (connection.gateway().isPresent()) {
            return Reason.of(
                    ReasonCode.NOT_ATTEMPTED,
                    "not attempted yet: "
                            + (declarations.isAcknowledged()
                                    ? "it is declared, and no decision about it is known"
                                    : "it is being declared to the ResourceManager"));
        }
        return trouble.isEmpty()
                ? Reason.of(ReasonCode.NOT_ATTEMPTED, "not attempted yet: it registers at the ResourceManager")
                : Reason.of(ReasonCode.NO_RESOURCE_MANAGER, trouble);
    }

    private void trouble(String what) {
        trouble = what;
        listener.ifPresent(Listener::troubled);
    }

    private final class Owner implements RegisteredConnection.Owner<ResourceManagerGateway> {

        @Override
        public CompletionStage<EndpointRef> find() {
            return search.find(
                    directory.find(EndpointName.RESOURCE_MANAGER).stream().toList());
        }

        @Override
        public ResourceManagerGateway gateway(EndpointRef leader) {
            return rpc.resourceManager(leader);
        }

        @Override
        public void leaderFound(EndpointRef leader, ResourceManagerGateway gateway) {
            listener.ifPresent(Listener::leads);
        }

        @Override
        public CompletionStage<RegistrationResponse> register(ResourceManagerGateway gateway) {
            listener.ifPresent(Listener::begins);
            JobGraph graph = job.graph();
            return gateway.registerJobMaster(new JobMasterRegistration(
                    graph.id(),
                    job.jobMaster(),
                    job.endpoint(),
                    graph.submissionIndex(),
                    listener.map(Listener::workers).orElse(List.of()),
                    graph.attributes().pool()));
        }

        @Override
        public void registered(ResourceManagerGateway gateway, RegistrationResponse.Accepted answer) {
            trouble = "";
            listener.ifPresent(owner -> owner.rule(answer.matchingRule()));
            declarations.connected(gateway);
        }

        @Override
        public void rejected(EndpointRef leader, String reason) {
            LOG.error("job {}: the ResourceManager {} refuses it: {}", job.id(), leader, reason);
            trouble("the ResourceManager refuses the job: " + reason);
            connection.connectIn(settings.refusedPauseMillis());
        }

        @Override
        public void failed(String cause) {
            trouble("not registered at the ResourceManager: " + cause);
        }

        @Override
        public void lost(EndpointRef leader, String cause) {
            LOG.warn("job {}: lost the ResourceManager, registering again: {}", job.id(), cause);
            declarations.disconnected();
            trouble("the ResourceManager was lost: " + cause);
        }
    }

    /**
     * Requires nothing from now on. Completes when the ResourceManager knows, so that no slot that is freed afterwards is
     * given to the job again; or after a bounded time without an answer.
     */
    public CompletionStage<Void> declareNone() {
        close();
        return declarations.declareNone();
    }

    /** Makes no further attempt; the registration remains until {@link #leave}. */
    public void close() {
        leaving = connection.gateway();
        connection.close();
        try {
            following.close();
        } catch (Exception failure) {
            LOG.warn("job {}: the directory still follows the ResourceManager: {}", job.id(), failure.toString());
        }
    }

    /** Leaves after {@link #declareNone}. Completes when the ResourceManager knows, or after a few attempts. */
    public CompletionStage<Void> leave(String cause) {
        CompletableFuture<Void> left = new CompletableFuture<>();
        Optional<ResourceManagerGateway> known = leaving;
        leaving = Optional.empty();
        known.ifPresentOrElse(gateway -> leave(gateway, cause, DISCONNECT_ATTEMPTS, left), () -> left.complete(null));
        return left;
    }

    private void leave(ResourceManagerGateway known, String cause, int attempts, CompletableFuture<Void> left) {
        thread.whenComplete(known.disconnectJobMaster(job.id(), job.jobMaster(), cause), (done, failure) -> {
            if (failure != null && Failures.isTransient(failure) && attempts > 1) {
                thread.schedule(DISCONNECT_PAUSE_MILLIS, () -> leave(known, cause, attempts - 1, left));
            } else {
                left.complete(null);
            }
        });
    }
}
