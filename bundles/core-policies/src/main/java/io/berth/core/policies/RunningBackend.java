package io.berth.core.policies;

import io.berth.core.api.policy.BackendHost.BackendHandle;
import io.berth.core.api.time.MainThread;
import io.berth.spi.PolicyKind;
import io.berth.spi.WorkerId;
import io.berth.spi.backend.Backend;
import io.berth.spi.backend.WorkerDeclaration;
import io.berth.spi.backend.WorkerSpec;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One generation of a backend. Declarations are passed on one at a time in the order of calls; while one is under way
 * the newest waits, with the unwanted workers of all that it replaced. State on the follower's main thread.
 */
final class RunningBackend implements BackendHandle {

    private static final Logger LOG = LoggerFactory.getLogger(RunningBackend.class);

    private final Candidate candidate;
    private final long generation;
    private final List<WorkerSpec> specs;
    private final Services services;
    private final MainThread main;
    private Optional<Backend> backend;
    private Optional<WorkerDeclaration> waiting = Optional.empty();
    private boolean busy;
    private boolean closed;

    RunningBackend(
            Candidate candidate,
            long generation,
            Backend backend,
            List<WorkerSpec> specs,
            Services services,
            MainThread main) {
        this.candidate = candidate;
        this.generation = generation;
        this.backend = Optional.of(backend);
        this.specs = specs;
        this.services = services;
        this.main = main;
    }

    Candidate candidate() {
        return candidate;
    }

    @Override
    public String name() {
        return candidate.name();
    }

    @Override
    public List<WorkerSpec> specs() {
        return specs;
    }

    @Override
    public void declare(WorkerDeclaration declaration) {
        main.execute(() -> {
            waiting = Optional.of(waiting.map(older -> merge(older, declaration)).orElse(declaration));
            next();
        });
    }

    private static WorkerDeclaration merge(WorkerDeclaration older, WorkerDeclaration newer) {
        Set<WorkerId> unwanted = new LinkedHashSet<>(older.unwanted());
        unwanted.addAll(newer.unwanted());
        return new WorkerDeclaration(newer.needed(), new ArrayList<>(unwanted));
    }

    private void next() {
        if (busy || closed || waiting.isEmpty() || backend.isEmpty()) {
            return;
        }
        WorkerDeclaration declaration = waiting.get();
        waiting = Optional.empty();
        busy = true;
        Backend target = backend.get();
        var call = services.guard().call(candidate.registration(), "declare",
                services.registry().deadline(PolicyKind.BACKEND), () -> {
                    target.declare(declaration);
                    return true;
                });
        main.whenComplete(call, (outcome, never) -> {
            busy = false;
            if (outcome instanceof CallOutcome.Failed<Boolean> failed) {
                services.registry().failed(candidate, failed.text(), failed.hung());
                if (failed.hung()) {
                    // One running call per instance: this one gets no more.
                    backend = Optional.empty();
                    services.registry().end(generation);
                }
            } else {
                services.registry().succeeded(candidate.id());
            }
            next();
        });
    }

    /** Ends the backend in the guard; the future completes when it did, or when its time is over. Main thread. */
    CompletableFuture<Boolean> close() {
        CompletableFuture<Boolean> ended = new CompletableFuture<>();
        if (closed || backend.isEmpty()) {
            closed = true;
            ended.complete(true);
            return ended;
        }
        closed = true;
        Backend target = backend.get();
        backend = Optional.empty();
        services.guard()
                .call(candidate.registration(), "close", Backends.CLOSE_MILLIS, () -> {
                    target.close();
                    return true;
                })
                .whenComplete((outcome, never) -> {
                    if (!(outcome instanceof CallOutcome.Returned)) {
                        LOG.warn("backend {} did not close: {}", candidate, outcome);
                    }
                    services.registry().end(generation);
                    ended.complete(true);
                });
        return ended;
    }
}
