package io.berth.core.dispatcher;

import io.berth.core.api.DispatcherId;
import io.berth.core.api.access.TokenOperations;
import io.berth.core.api.gateway.RpcService;
import io.berth.core.api.operations.ClusterOperations;
import io.berth.core.api.operations.JobOperations;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RoleDirectory;
import io.berth.core.api.time.MainThread;
import io.berth.core.dispatcher.state.DispatcherParts;
import io.berth.core.dispatcher.state.DispatcherSettings;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Dispatcher of one term of leadership, from the grant to the revocation. It creates no threads and reads no clock
 * of its own. Thread-safe.
 */
public final class DispatcherTerm {

    private static final Logger LOG = LoggerFactory.getLogger(DispatcherTerm.class);

    private final DispatcherId id;
    private final RpcService rpc;
    private final RoleDirectory directory;
    private final MainThread mainThread;
    private final MainThread storeThread;
    private final Dispatcher dispatcher;
    private Optional<RpcService.Served> served = Optional.empty();
    private AutoCloseable following = () -> {};
    private boolean closed;

    /**
     * @param failed receives what the main thread of the Dispatcher threw, after which nothing runs on it; the receiver
     *     must close the term on another thread
     */
    public DispatcherTerm(
            DispatcherId id,
            DispatcherParts.Environment environment,
            DispatcherSettings settings,
            Consumer<? super Throwable> failed) {
        this.id = id;
        this.rpc = environment.rpc();
        this.directory = environment.directory();
        mainThread = new MainThread(
                "Dispatcher " + id, environment.pool(), environment.timers(), failure -> endBroken(failure, failed));
        // A failed store call changes no state here, and its caller handles the failure. An Error ends the term.
        storeThread = new MainThread("job store", environment.io(), environment.timers(), failure -> {
            if (failure instanceof Error) {
                endBroken(failure, failed);
            }
        });
        dispatcher = new Dispatcher(id.token().epoch(), mainThread, storeThread, environment, settings);
    }

    /** What threw may be half changed, so nothing runs on it any more, also before the owner closes the term. */
    private void endBroken(Throwable failure, Consumer<? super Throwable> owner) {
        mainThread.close();
        owner.accept(failure);
    }

    /**
     * Serves the gateway and begins to read the jobs of earlier terms. Calls that arrive earlier wait for that.
     *
     * @throws IllegalStateException when the term has ended, or has already begun
     */
    public synchronized EndpointRef start() {
        if (closed || served.isPresent()) {
            throw new IllegalStateException("the term of Dispatcher " + id + " has " + (closed ? "ended" : "begun"));
        }
        RpcService.Served serving = rpc.serve(EndpointName.DISPATCHER, id.token(), dispatcher);
        served = Optional.of(serving);
        dispatcher.begin(serving.endpoint());
        following = directory.follow(EndpointName.JOB_MASTERS, dispatcher::leaderMayHaveChanged);
        return serving.endpoint();
    }

    /** Applies new settings, at any time. */
    public void configure(DispatcherSettings settings) {
        dispatcher.settings(settings);
    }

    public JobOperations jobs() {
        return dispatcher;
    }

    public ClusterOperations cluster() {
        return dispatcher;
    }

    public TokenOperations tokens() {
        return dispatcher.tokens();
    }

    /** Stops serving and stops all work, without telling anyone. Calls without an answer fail. Idempotent. */
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        closeAll(List.of(
                following,
                () -> served.ifPresent(RpcService.Served::close),
                mainThread::close,
                storeThread::close,
                dispatcher::close));
    }

    /** Closes all parts, even after one throws. */
    static void closeAll(Iterable<AutoCloseable> parts) {
        for (AutoCloseable part : parts) {
            try {
                part.close();
            } catch (Exception failure) {
                LOG.warn("Dispatcher: a part did not end cleanly", failure);
            }
        }
    }
}
