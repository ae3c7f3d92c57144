package io.berth.worker.peer;

import io.berth.core.api.gateway.RpcService;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.core.api.time.Backoff;
import io.berth.core.api.time.MainThread;
import io.berth.core.api.time.Timers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Finds who serves a role: asks one address after the other until one serves it, beginning with the one that served it
 * last. Belongs to the main thread of the TaskExecutor.
 */
public final class LeaderSearch {

    private static final long FIRST_MILLIS = 500;
    private static final long MAX_MILLIS = 5_000;

    private final EndpointName role;
    private final RpcService rpc;
    private final MainThread mainThread;
    private final Timers timers;
    private final Function<EndpointRef, Optional<String>> objection;
    private final Backoff times = new Backoff(FIRST_MILLIS, MAX_MILLIS);

    /**
     * @param objection why an endpoint that answers is not the one looked for; empty when it is
     */
    public LeaderSearch(
            EndpointName role,
            RpcService rpc,
            MainThread mainThread,
            Timers timers,
            Function<EndpointRef, Optional<String>> objection) {
        this.role = role;
        this.rpc = rpc;
        this.mainThread = mainThread;
        this.timers = timers;
        this.objection = objection;
    }

    /**
     * Asks each address once. Completes on the main thread; fails as {@link NotFound}, which tells what each answered.
     *
     * @param addresses in the order to ask them in, each once
     */
    public CompletionStage<EndpointRef> find(List<RpcAddress> addresses) {
        mainThread.assertCurrent();
        CompletableFuture<EndpointRef> found = new CompletableFuture<>();
        ask(addresses, 0, times.next(), new LinkedHashMap<>(), found);
        return found;
    }

    private void ask(
            List<RpcAddress> addresses,
            int index,
            long millis,
            Map<RpcAddress, String> answers,
            CompletableFuture<EndpointRef> found) {
        if (index == addresses.size()) {
            List<String> told = new ArrayList<>();
            answers.forEach((address, answer) -> told.add(address + ": " + answer));
            found.completeExceptionally(new NotFound(role + " is served by none of " + String.join("; ", told)));
            return;
        }
        RpcAddress address = addresses.get(index);
        CompletionStage<EndpointRef> answer =
                Attempts.within(timers, millis, "search for " + role, rpc.resolve(address, role));
        mainThread.whenComplete(answer, (endpoint, failure) -> {
            Optional<String> trouble =
                    failure == null ? objection.apply(endpoint) : Optional.of(Attempts.message(failure));
            if (trouble.isEmpty()) {
                times.reset();
                found.complete(endpoint);
            } else {
                answers.put(address, trouble.get());
                ask(addresses, index + 1, millis, answers, found);
            }
        });
    }

    /** Nobody serves the role now. */
    public static final class NotFound extends RuntimeException {

        private static final long serialVersionUID = 1L;

        public NotFound(String message) {
            super(message);
        }
    }
}
