package io.berth.core.dispatcher.state;

import io.berth.core.api.gateway.RpcService;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.Failures;
import io.berth.core.api.rpc.RoleDirectory;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.MainThread;
import io.berth.core.api.time.Timers;
import io.berth.core.dispatcher.bundle.BlobServer;
import io.berth.core.dispatcher.description.InstalledPolicies;
import io.berth.core.dispatcher.store.JobStore;
import io.berth.spi.ha.MetadataStore;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * What the parts of one Dispatcher share.
 *
 * @param mainThread all state is confined to it
 * @param storeThread runs the blocking store calls one at a time, in call order
 * @param self the endpoint that JobMasters and workers receive
 */
public record DispatcherParts(
        Environment environment,
        MainThread mainThread,
        MainThread storeThread,
        JobStore store,
        JobTable table,
        Supplier<DispatcherSettings> settings,
        Supplier<EndpointRef> self) {

    /**
     * The environment of a term.
     *
     * @param pool runs the main thread
     * @param io may block; descriptions, bundles and the store are read and written on it
     * @param random generates job ids
     * @param policies that jobs may choose
     */
    public record Environment(
            Clock clock,
            Timers timers,
            Executor pool,
            Executor io,
            RandomGenerator random,
            RpcService rpc,
            RoleDirectory directory,
            MetadataStore store,
            BlobServer bundles,
            InstalledPolicies policies) {}

    /** Wall time, for display, and for when tokens of users expire. */
    public long wallMillis() {
        return environment.clock().wallMillis();
    }

    /** Calls the store on its thread. */
    public <T> CompletionStage<T> stored(Callable<T> call) {
        return storeThread.call(call);
    }

    /**
     * Continues on the main thread with the outcome of a stage. Fails when the Dispatcher has ended by then. The
     * failure is unwrapped.
     */
    public <T, R> CompletionStage<R> then(CompletionStage<T> stage, BiFunction<T, Throwable, CompletionStage<R>> next) {
        return stage.handle((value, failure) ->
                        mainThread.call(() -> next.apply(value, failure == null ? null : Failures.cause(failure))))
                .thenCompose(Function.identity())
                .thenCompose(Function.identity());
    }

    public static <T> CompletionStage<T> failed(Throwable failure) {
        return CompletableFuture.failedFuture(failure);
    }

    public static <T> CompletionStage<T> done(T value) {
        return CompletableFuture.completedFuture(value);
    }
}
