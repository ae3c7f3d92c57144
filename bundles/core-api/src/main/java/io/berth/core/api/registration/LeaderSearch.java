package io.berth.core.api.registration;

import io.berth.core.api.gateway.RpcService;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.Failures;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.core.api.rpc.RpcException;
import io.berth.core.api.time.Backoff;
import io.berth.core.api.time.MainThread;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Finds the leader of a role: asks the given addresses one after the other. Confined to a main thread. */
public final class LeaderSearch {

    private final EndpointName role;
    private final RpcService rpc;
    private final MainThread mainThread;
    private final Function<EndpointRef, Optional<String>> objection;
    private final Backoff timeouts = new Backoff(500, 5_000);

    /** @param objection returns why an answering endpoint is not the leader; empty when it is */
    public LeaderSearch(
            EndpointName role,
            RpcService rpc,
            MainThread mainThread,
            Function<EndpointRef, Optional<String>> objection) {
        this.role = role;
        this.rpc = rpc;
        this.mainThread = mainThread;
        this.objection = objection;
    }

    /**
     * Completes on the main thread. If no address serves the leader, the stage fails with the answer of each address: as
     * {@code DEADLINE} when one of them did not answer in time, and may still serve it, else as {@code NOT_FOUND}.
     */
    public CompletionStage<EndpointRef> find(List<RpcAddress> addresses) {
        mainThread.assertCurrent();
        CompletableFuture<EndpointRef> found = new CompletableFuture<>();
        ask(addresses, timeouts.next(), RpcException.Kind.NOT_FOUND, new ArrayList<>(), found);
        return found;
    }

    private void ask(
            List<RpcAddress> addresses,
            long millis,
            RpcException.Kind kind,
            List<String> answers,
            CompletableFuture<EndpointRef> found) {
        if (answers.size() == addresses.size()) {
            found.completeExceptionally(new RpcException(
                    kind,
                    addresses.isEmpty()
                            ? "no process leads the role " + role + " now"
                            : "no address serves " + role + " now: " + String.join("; ", answers)));
            return;
        }
        RpcAddress address = addresses.get(answers.size());
        CompletionStage<EndpointRef> answer = mainThread.within(millis, "search", rpc.resolve(address, role));
        mainThread.whenComplete(answer, (endpoint, failure) -> {
            Optional<String> reason = failure == null ? objection.apply(endpoint) : Optional.of(Failures.text(failure));
            if (reason.isEmpty()) {
                timeouts.reset();
                found.complete(endpoint);
            } else {
                answers.add(address + ": " + reason.get());
                boolean late = failure != null
                        && Failures.kind(failure)
                                .filter(RpcException.Kind.DEADLINE::equals)
                                .isPresent();
                ask(addresses, millis, late ? RpcException.Kind.DEADLINE : kind, answers, found);
            }
        });
    }
}
