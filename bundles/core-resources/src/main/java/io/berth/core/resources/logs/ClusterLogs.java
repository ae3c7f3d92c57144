package io.berth.core.resources.logs;

import io.berth.core.api.gateway.TaskExecutorGateway;
import io.berth.core.api.log.LogFilter;
import io.berth.core.api.log.LogList;
import io.berth.core.api.log.LogPart;
import io.berth.core.api.log.LogRequest;
import io.berth.core.api.log.TaskLogDetails;
import io.berth.core.api.time.MainThread;
import io.berth.core.resources.state.WorkerEntry;
import io.berth.core.resources.state.WorkerRegistry;
import io.berth.spi.WorkerId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Finds and reads logs, wherever their worker is. Nothing is remembered about them: each question goes to the workers that
 * are registered, and to the files of this machine for all others. The methods may be called on any thread.
 */
public final class ClusterLogs {

    private static final long ANSWER_MILLIS = 3_000;

    private final MainThread mainThread;
    private final WorkerRegistry workers;
    private final Supplier<HostLogs> host;
    private final Executor files;

    /** @param files reads files, which blocks */
    public ClusterLogs(MainThread mainThread, WorkerRegistry workers, Supplier<HostLogs> host, Executor files) {
        this.mainThread = mainThread;
        this.workers = workers;
        this.host = host;
        this.files = files;
    }

    private record Answer(WorkerId worker, Optional<LogList> logs) {}

    /** The logs of tasks of a job. A worker that does not answer soon is named instead. */
    public CompletionStage<LogList> list(LogFilter filter) {
        return mainThread.call(this::gateways).thenCompose(gateways -> {
            List<CompletableFuture<Answer>> answers = new ArrayList<>();
            gateways.forEach((worker, gateway) -> answers.add(mainThread
                    .within(ANSWER_MILLIS, "the list of logs of worker " + worker, gateway.listLogs(filter))
                    .handle((logs, failure) -> new Answer(worker, Optional.ofNullable(logs)))
                    .toCompletableFuture()));
            CompletableFuture<List<TaskLogDetails>> gone =
                    read(() -> host.get().list(filter, gateways.keySet())).toCompletableFuture();
            return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                    .thenCombine(
                            gone,
                            (all, left) -> merge(
                                    answers.stream()
                                            .map(CompletableFuture::join)
                                            .toList(),
                                    left));
        });
    }

    private static LogList merge(List<Answer> answers, List<TaskLogDetails> left) {
        List<TaskLogDetails> logs = new ArrayList<>(left);
        List<WorkerId> silent = new ArrayList<>();
        int omitted = 0;
        for (Answer answer : answers) {
            if (answer.logs().isPresent()) {
                logs.addAll(answer.logs().get().logs());
                omitted += answer.logs().get().omitted();
            } else {
                silent.add(answer.worker());
            }
        }
        return LogList.newest(logs, omitted, silent);
    }

    /** Reads a part of a log; from its files if the worker is not registered, or is of this machine and does not answer. */
    public CompletionStage<LogPart> read(WorkerId worker, LogRequest request) {
        return mainThread
                .call(() ->
                        workers.find(worker).flatMap(WorkerEntry::connection).map(connection -> connection.gateway()))
                .thenCompose(gateway -> gateway.isEmpty()
                        ? readHere(worker, request)
                        : mainThread
                                .within(
                                        ANSWER_MILLIS,
                                        "the log of worker " + worker,
                                        gateway.get().readLog(request))
                                .handle((part, failure) -> failure == null
                                        ? CompletableFuture.completedStage(part)
                                        : orHere(worker, request, failure))
                                .thenCompose(Function.identity()));
    }

    private CompletionStage<LogPart> orHere(WorkerId worker, LogRequest request, Throwable silent) {
        return readHere(worker, request)
                .thenCompose(part ->
                        part.found() ? CompletableFuture.completedStage(part) : CompletableFuture.failedStage(silent));
    }

    private CompletionStage<LogPart> readHere(WorkerId worker, LogRequest request) {
        return read(() -> host.get().read(worker, request));
    }

    /**
     * Removes logs of workers of this machine that are gone, until the others are within their bounds.
     *
     * @param settled whether all workers that run are known; before that nothing is removed
     * @return completes when that is done; fails when the ResourceManager has ended
     */
    public CompletionStage<Boolean> prune(BooleanSupplier settled, long wallMillis) {
        return mainThread
                .call(() -> settled.getAsBoolean()
                        ? Optional.of(
                                workers.all().stream().map(WorkerEntry::id).collect(Collectors.toSet()))
                        : Optional.<Set<WorkerId>>empty())
                .thenCompose(alive -> read(() -> {
                    alive.ifPresent(running -> host.get().prune(wallMillis, running));
                    return alive.isPresent();
                }));
    }

    private SortedMap<WorkerId, TaskExecutorGateway> gateways() {
        SortedMap<WorkerId, TaskExecutorGateway> gateways = new TreeMap<>();
        for (WorkerEntry worker : workers.connected()) {
            gateways.put(worker.id(), worker.connection().orElseThrow().gateway());
        }
        return gateways;
    }

    private <T> CompletionStage<T> read(Callable<T> reading) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return reading.call();
                    } catch (IOException failure) {
                        throw new UncheckedIOException("a log cannot be read: " + failure.getMessage(), failure);
                    } catch (RuntimeException failure) {
                        throw failure;
                    } catch (Exception impossible) {
                        throw new IllegalStateException(impossible);
                    }
                },
                files);
    }
}
