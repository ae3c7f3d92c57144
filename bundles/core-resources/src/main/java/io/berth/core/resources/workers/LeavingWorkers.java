package io.berth.core.resources.workers;

import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.gateway.ResourceManagerGateway;
import io.berth.core.api.gateway.ResourceManagerGateway.DrainedWorker;
import io.berth.core.api.gateway.WorkerLeave;
import io.berth.core.api.gateway.WorkerLeaves;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.MainThread;
import io.berth.core.resources.state.RequirementLedger;
import io.berth.core.resources.state.WorkerConnection;
import io.berth.core.resources.state.WorkerEntry;
import io.berth.core.resources.state.WorkerEntry.Leaving;
import io.berth.core.resources.state.WorkerRegistry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Workers that leave, because an operator drains them or their backend takes them away. They receive no slots from that
 * moment on. Their processes keep it, so that the next ResourceManager knows too; it is sent to them until they
 * acknowledge it. That a worker stays counts only when its process knows. Confined to the main thread.
 */
public final class LeavingWorkers {

    private static final Logger LOG = LoggerFactory.getLogger(LeavingWorkers.class);
    private static final long RETRY_MILLIS = 1_000;

    private final ResourceManagerId id;
    private final MainThread mainThread;
    private final Clock clock;
    private final WorkerRegistry workers;
    private final RequirementLedger ledger;
    /** The number that each worker was last sent; absent if it was sent none. */
    private final Map<WorkerEntry, Long> sent = new LinkedHashMap<>();

    private long lastNumber;

    public LeavingWorkers(
            ResourceManagerId id,
            MainThread mainThread,
            Clock clock,
            WorkerRegistry workers,
            RequirementLedger ledger) {
        this.id = id;
        this.mainThread = mainThread;
        this.clock = clock;
        this.workers = workers;
        this.ledger = ledger;
    }

    /**
     * The workers that {@code target} names leave.
     *
     * @throws MainThread.RefusedException if time or reason are out of bounds
     */
    public CompletionStage<List<DrainedWorker>> drain(String target, WorkerLeave leave) {
        mainThread.assertCurrent();
        if (leave.hasDeadline() && leave.millis() > ResourceManagerGateway.MAX_BLOCK_MILLIS) {
            throw new MainThread.RefusedException("deadline of a drain is in " + leave.millis()
                    + " ms: allowed are up to " + ResourceManagerGateway.MAX_BLOCK_MILLIS + ", or none");
        }
        if (leave.reason().isBlank() || leave.reason().length() > WorkerLeave.MAX_REASON) {
            throw new MainThread.RefusedException("reason of a drain has "
                    + leave.reason().length() + " characters: allowed are 1 to " + WorkerLeave.MAX_REASON);
        }
        List<CompletableFuture<DrainedWorker>> answers = new ArrayList<>();
        workers.named(target).forEach(worker -> answers.add(drain(worker, leave)));
        return all(answers);
    }

    /** Its backend takes the worker away. That replaces what it said before. */
    void takenAway(WorkerEntry worker, Leaving leaving) {
        leaves(worker, worker.drained(), Optional.of(leaving));
        worker.connection().ifPresent(connection -> send(worker, connection));
    }

    private void leaves(WorkerEntry worker, Optional<Leaving> drained, Optional<Leaving> announced) {
        workers.leaving(worker, drained, announced);
        WorkerLeave leave = worker.leaving().orElseThrow().left(clock);
        LOG.info(
                "{}: leaves{}, and receives no slots: {}",
                worker,
                leave.hasDeadline() ? " in " + leave.millis() + " ms" : " when it is empty",
                leave.reason());
    }

    private CompletableFuture<DrainedWorker> drain(WorkerEntry worker, WorkerLeave leave) {
        leaves(worker, Optional.of(Leaving.of(leave, clock)), worker.announced());
        CompletableFuture<DrainedWorker> answer = new CompletableFuture<>();
        worker.connection()
                .ifPresentOrElse(
                        connection -> mainThread.whenComplete(
                                send(worker, connection),
                                (known, failure) -> answer.complete(
                                        isPresent(worker, connection)
                                                ? drained(
                                                        worker,
                                                        known
                                                                ? ""
                                                                : "its process has not acknowledged it: it is sent again")
                                                : lost(worker))),
                        () -> answer.complete(drained(worker, "")));
        return answer;
    }

    /** The workers that {@code target} names stay, once their processes know. */
    public CompletionStage<List<DrainedWorker>> undrain(String target) {
        mainThread.assertCurrent();
        List<CompletableFuture<DrainedWorker>> answers = new ArrayList<>();
        for (WorkerEntry worker : workers.named(target)) {
            if (worker.leaving().isPresent()) {
                answers.add(stay(worker));
            }
        }
        return all(answers);
    }

    private CompletableFuture<DrainedWorker> stay(WorkerEntry worker) {
        Optional<WorkerConnection> connection = worker.connection();
        if (worker.state() == WorkerEntry.State.RELEASING) {
            return CompletableFuture.completedFuture(
                    drained(worker, "it is empty and is being stopped: it can no longer stay"));
        }
        if (worker.announced().isPresent()) {
            return CompletableFuture.completedFuture(cannotStay(worker, connection));
        }
        if (connection.isEmpty()) {
            stays(worker);
            return CompletableFuture.completedFuture(drained(worker, ""));
        }
        CompletableFuture<DrainedWorker> answer = new CompletableFuture<>();
        long number = ++lastNumber;
        sent.put(worker, number);
        mainThread.whenComplete(connection.get().gateway().leave(id, number, WorkerLeaves.NONE), (done, failure) -> {
            if (!isPresent(worker, connection.get())) {
                answer.complete(lost(worker));
            } else if (!isLast(worker, number)) {
                answer.complete(drained(worker, "another request came in between: look at it again"));
            } else if (failure == null) {
                stays(worker);
                answer.complete(drained(worker, ""));
            } else {
                // It may know, or not: from now on it is what is listed here.
                send(worker, connection.get());
                answer.complete(drained(worker, "it did not answer, and leaves as before: repeat the command"));
            }
        });
        return answer;
    }

    /** Only the request of the operator ends. */
    private DrainedWorker cannotStay(WorkerEntry worker, Optional<WorkerConnection> connection) {
        if (worker.drained().isPresent()) {
            leaves(worker, Optional.empty(), worker.announced());
            connection.ifPresent(by -> send(worker, by));
        }
        return drained(worker, "backend " + worker.backend + " takes it away: it cannot stay");
    }

    private void stays(WorkerEntry worker) {
        LOG.info("{}: no longer leaves", worker);
        workers.leaving(worker, Optional.empty(), Optional.empty());
        ledger.stays(worker);
        // It counts as used until now.
        worker.idleSince(-1);
    }

    private DrainedWorker drained(WorkerEntry worker, String problem) {
        return new DrainedWorker(worker.id(), worker.leaving().map(leaving -> leaving.left(clock)), problem);
    }

    private static DrainedWorker lost(WorkerEntry worker) {
        return new DrainedWorker(worker.id(), Optional.empty(), "it was lost, or registered again: look at it again");
    }

    private static CompletionStage<List<DrainedWorker>> all(List<CompletableFuture<DrainedWorker>> answers) {
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                .thenApply(all -> answers.stream().map(CompletableFuture::join).toList());
    }

    /**
     * A process has registered.
     *
     * @param said what it knows of an earlier ResourceManager, or of a request of this one
     */
    public void registered(WorkerEntry worker, WorkerLeaves said) {
        boolean known = worker.leaving().isPresent();
        // What was sent to it in this term is newer than what it says.
        if (!said.isEmpty() && !sent.containsKey(worker)) {
            workers.leaving(
                    worker,
                    worker.drained().or(() -> said.drained().map(leave -> Leaving.of(leave, clock))),
                    worker.announced().or(() -> said.announced().map(leave -> Leaving.of(leave, clock))));
            LOG.info(
                    "{}: leaves, as it was told before: {}",
                    worker,
                    worker.leaving().orElseThrow().reason());
        }
        if (known) {
            // It was said while the process was starting, or is newer than the registration.
            send(worker, worker.connection().orElseThrow());
        }
    }

    /** Sends what is true until the process acknowledges it. @return whether it has acknowledged the first message */
    private CompletionStage<Boolean> send(WorkerEntry worker, WorkerConnection connection) {
        sent.keySet().removeIf(known -> !workers.contains(known));
        long number = ++lastNumber;
        sent.put(worker, number);
        CompletableFuture<Boolean> known = new CompletableFuture<>();
        mainThread.whenComplete(connection.gateway().leave(id, number, worker.leaves(clock)), (done, failure) -> {
            known.complete(failure == null);
            if (failure != null && isLast(worker, number)) {
                mainThread.schedule(RETRY_MILLIS, () -> {
                    if (isLast(worker, number) && isPresent(worker, connection)) {
                        send(worker, connection);
                    }
                });
            }
        });
        return known;
    }

    private boolean isLast(WorkerEntry worker, long number) {
        return Long.valueOf(number).equals(sent.get(worker));
    }

    private boolean isPresent(WorkerEntry worker, WorkerConnection connection) {
        return workers.contains(worker) && worker.isInstance(connection.instance());
    }
}
