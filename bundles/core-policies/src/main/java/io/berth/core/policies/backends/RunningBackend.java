package io.berth.core.policies.backends;

import io.berth.core.api.operations.PolicyMetrics.PolicyCall;
import io.berth.core.api.policy.BackendHost.BackendFollower;
import io.berth.core.api.policy.BackendHost.BackendHandle;
import io.berth.core.api.time.MainThread;
import io.berth.core.policies.guard.CallDeadline;
import io.berth.core.policies.guard.CallOutcome;
import io.berth.core.policies.guard.Guard;
import io.berth.core.policies.registration.Asker;
import io.berth.core.policies.registration.DecisionOwner;
import io.berth.core.policies.registration.PolicyCandidate;
import io.berth.core.policies.registry.PolicyRegistry;
import io.berth.spi.WorkerId;
import io.berth.spi.backend.Backend;
import io.berth.spi.backend.WorkerDeclaration;
import io.berth.spi.backend.WorkerSpec;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One generation of a backend. Declarations are passed on one at a time, in order. During a call the newest one waits,
 * with the unwanted workers of those that it replaced. Confined to the main thread of the follower.
 */
final class RunningBackend implements BackendHandle {

    private static final Logger LOG = LoggerFactory.getLogger(RunningBackend.class);
    static final Asker ASKER = Asker.of(DecisionOwner.WORKERS);
    static final long RETRY_MILLIS = 1_000;

    private final PolicyCandidate candidate;
    private final long generation;
    private volatile List<WorkerSpec> specs;
    private final LiveContext context;
    private final PolicyRegistry registry;
    private final Guard guard;
    private final MainThread main;
    private final CompletableFuture<Boolean> ended = new CompletableFuture<>();
    private Optional<Backend> backend;
    private Optional<WorkerDeclaration> waiting = Optional.empty();
    private boolean busy;
    /** After a failure, until the next attempt. */
    private boolean paused;

    private boolean hung;
    private boolean closed;

    RunningBackend(
            PolicyCandidate candidate,
            long generation,
            Backend backend,
            List<WorkerSpec> created,
            LiveContext context,
            BackendFollower follower,
            PolicyRegistry registry,
            Guard guard,
            MainThread main) {
        this.candidate = candidate;
        this.generation = generation;
        this.backend = Optional.of(backend);
        this.context = context;
        this.registry = registry;
        this.guard = guard;
        this.main = main;
        specs = created;
        context.use(changed -> {
            specs = changed;
            follower.specsChanged(this);
        });
    }

    PolicyCandidate candidate() {
        return candidate;
    }

    /** Whether a call never returned in time. */
    boolean hung() {
        return hung;
    }

    long generation() {
        return generation;
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
            waiting =
                    Optional.of(waiting.map(older -> merge(older, declaration)).orElse(declaration));
            next();
        });
    }

    private static WorkerDeclaration merge(WorkerDeclaration older, WorkerDeclaration newer) {
        Set<WorkerId> unwanted = new LinkedHashSet<>(older.unwanted());
        unwanted.addAll(newer.unwanted());
        return WorkerDeclaration.builder()
                .needed(newer.needed())
                .unwanted(List.copyOf(unwanted))
                .build();
    }

    private void next() {
        if (busy || paused || closed || hung || waiting.isEmpty() || backend.isEmpty()) {
            return;
        }
        WorkerDeclaration declaration = waiting.get();
        waiting = Optional.empty();
        busy = true;
        Backend target = backend.get();
        var call = guard.call(
                candidate.registration(),
                PolicyCall.DECLARE,
                PolicyCall.DECLARE.label(),
                registry.deadline(candidate.registration()),
                phases -> context.during(phases, () -> {
                    target.declare(declaration);
                    return true;
                }));
        main.whenComplete(call, (outcome, never) -> {
            busy = false;
            if (outcome instanceof CallOutcome.Failed<Boolean> failed) {
                hung = failed.hung();
                failed(declaration, failed);
            } else if (outcome instanceof CallOutcome.Refused<Boolean> refused) {
                // A backend cannot reject a declaration: this is a failure.
                failed(declaration, new CallOutcome.Failed<>("declare threw: " + refused.message(), false));
            } else {
                registry.health().succeeded(candidate, ASKER);
            }
            if (closed) {
                endBackend();
            } else {
                next();
            }
        });
    }

    private void failed(WorkerDeclaration declaration, CallOutcome.Failed<Boolean> failed) {
        if (hung) {
            // A hanging instance gets no further call but its close.
            registry.health().failed(candidate, ASKER, failed.text(), true);
            return;
        }
        // No other backend can decide on its workers: it is tried again instead of being quarantined.
        if (failed.fault() == CallOutcome.Fault.NO_THREAD) {
            registry.health().waited(candidate, failed.text());
        } else {
            registry.health().counted(candidate, ASKER, failed.text());
        }
        // At once: after a newer one that is made in between, this one would be out of date.
        waiting = Optional.of(waiting.map(newer -> merge(declaration, newer)).orElse(declaration));
        paused = true;
        main.schedule(RETRY_MILLIS, () -> {
            paused = false;
            next();
        });
    }

    /** Closes the backend and leaves its workers to its successor. */
    CompletableFuture<Boolean> handOver() {
        context.keepWorkers();
        return close();
    }

    /** Closes the backend in the guard. The future completes when it is closed, or when its time is over. */
    CompletableFuture<Boolean> close() {
        if (!closed) {
            closed = true;
            if (!busy) {
                endBackend();
            }
        }
        return ended;
    }

    private void endBackend() {
        if (backend.isEmpty()) {
            return;
        }
        Backend target = backend.get();
        backend = Optional.empty();
        guard.call(
                        candidate.registration(),
                        PolicyCall.CLOSE,
                        PolicyCall.CLOSE.label(),
                        CallDeadline.of(BackendRegistry.CLOSE_MILLIS),
                        phases -> context.during(phases, () -> {
                            target.close();
                            return true;
                        }))
                .whenComplete((outcome, never) -> {
                    if (!(outcome instanceof CallOutcome.Returned)) {
                        LOG.warn("backend {} did not close: {}", candidate, outcome);
                    }
                    context.end();
                    registry.end(generation);
                    ended.complete(true);
                });
    }
}
