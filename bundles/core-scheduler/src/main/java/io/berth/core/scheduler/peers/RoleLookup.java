package io.berth.core.scheduler.peers;

import io.berth.core.api.gateway.RpcService;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RoleDirectory;
import io.berth.core.api.rpc.RpcException;
import io.berth.core.scheduler.job.JobThread;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds who serves a role of the control plane now. For the main thread of the job. */
final class RoleLookup {

    private static final Logger LOG = LoggerFactory.getLogger(RoleLookup.class);

    private final JobThread thread;
    private final RpcService rpc;
    private final RoleDirectory directory;
    private final EndpointName role;
    private Optional<AutoCloseable> following = Optional.empty();

    RoleLookup(JobThread thread, RpcService rpc, RoleDirectory directory, EndpointName role) {
        this.thread = thread;
        this.rpc = rpc;
        this.directory = directory;
        this.role = role;
    }

    /** Runs the action on the main thread whenever the role may be served elsewhere or by somebody else. */
    void follow(Runnable changed) {
        following = Optional.of(directory.follow(role, () -> thread.execute(changed)));
    }

    /** Whether anybody leads the role, as far as is known. */
    boolean isKnown() {
        return directory.find(role).isPresent();
    }

    /** Where the role is, for people. */
    String describe() {
        return directory
                .find(role)
                .map(address -> "the " + role + " at " + address)
                .orElse("the " + role);
    }

    /** Asks under which token the role is served; fails when nobody leads it or nobody answers. */
    CompletionStage<EndpointRef> resolve() {
        return directory
                .find(role)
                .map(address -> rpc.resolve(address, role))
                .orElseGet(() -> CompletableFuture.failedFuture(new RpcException(
                        RpcException.Kind.NOT_FOUND, "nobody leads the role " + role + " at this moment")));
    }

    /** Follows no more. */
    void close() {
        Optional<AutoCloseable> followed = following;
        following = Optional.empty();
        followed.ifPresent(each -> {
            try {
                each.close();
            } catch (Exception failure) {
                LOG.warn("the directory did not let go of a follower of {}: {}", role, failure.toString());
            }
        });
    }
}
