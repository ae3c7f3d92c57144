package io.berth.backend.local;

import io.berth.spi.WorkerId;
import io.berth.spi.backend.Backend;
import io.berth.spi.backend.BackendContext;
import io.berth.spi.backend.LaunchDescription;
import io.berth.spi.backend.StartFailure;
import io.berth.spi.backend.WorkerDeclaration;
import io.berth.spi.backend.WorkerSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts and stops worker processes on this machine until there are as many as declared. Confined to a thread of its
 * own; it notices the end of a process at once. It reports workers that a previous control plane left running before
 * it starts the first one, and manages them like all others.
 */
final class LocalBackend implements Backend {

    private static final Logger LOG = LoggerFactory.getLogger(LocalBackend.class);
    private static final long HOUSEKEEPING_MILLIS = 1_000;
    private static final long FIRST_BACK_OFF_MILLIS = 100;
    private static final int MAX_DOUBLINGS = 6;
    private static final long KILL_WAIT_MILLIS = 1_500;

    private final LocalConfiguration configuration;
    private final BackendContext context;
    private final ScheduledThreadPoolExecutor thread;
    private final SortedMap<WorkerId, LocalWorker> workers = new TreeMap<>();
    private int needed;
    private long count;
    private int failures;
    private int quickEnds;
    private boolean backingOff;
    private boolean begun;
    private boolean closed;

    LocalBackend(LocalConfiguration configuration, BackendContext context) {
        this.configuration = configuration;
        this.context = context;
        thread = new ScheduledThreadPoolExecutor(1, action -> {
            Thread made = new Thread(action, "berth-backend-" + context.name() + "-processes");
            made.setDaemon(true);
            return made;
        });
        thread.setRemoveOnCancelPolicy(true);
        thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public List<WorkerSpec> specs() {
        return List.of(configuration.spec());
    }

    @Override
    public void declare(WorkerDeclaration declaration) {
        run(() -> {
            begin();
            needed = Math.min(
                    declaration.needed().getOrDefault(configuration.spec().name(), 0),
                    configuration.spec().maximum());
            for (WorkerId unwanted : declaration.unwanted()) {
                Optional.ofNullable(workers.get(unwanted))
                        .filter(worker -> !worker.stopping())
                        .ifPresent(this::stop);
            }
            reconcile();
        });
    }

    private void begin() {
        if (begun) {
            return;
        }
        begun = true;
        try {
            Files.createDirectories(context.directory());
            ProcessRecord.leftovers(context.directory()).forEach(this::adopt);
            SecretsFile.removeOthers(context.directory(), workers.keySet());
        } catch (IOException failure) {
            LOG.warn(
                    "backend {}: what a previous control plane left in {} cannot be read",
                    context.name(),
                    context.directory(),
                    failure);
        }
        context.recovered();
        thread.scheduleWithFixedDelay(
                this::runPeriodicChecks, HOUSEKEEPING_MILLIS, HOUSEKEEPING_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Reports the worker in time for the ResourceManager to count it, and to end it if it does not register. */
    private void adopt(ProcessRecord.Leftover leftover) {
        LocalWorker worker;
        try {
            worker = new LocalWorker(
                    new WorkerId(leftover.worker()),
                    leftover.process(),
                    leftover.record(),
                    WorkerLog.in(context.directory(), leftover.worker()));
            context.started(worker.id, leftover.spec());
        } catch (IllegalArgumentException stranger) {
            LOG.warn(
                    "process {} on record as {} is ignored: {}",
                    leftover.process().pid(),
                    leftover.worker(),
                    stranger.getMessage());
            return;
        }
        LOG.info("worker {}: process {} of a previous control plane still runs", worker.id, worker.process.pid());
        workers.put(worker.id, worker);
        leftover.process().onExit().whenComplete((process, failure) -> run(() -> leftoverEnded(worker)));
    }

    private void leftoverEnded(LocalWorker worker) {
        workers.remove(worker.id);
        forget(worker);
        context.ended(worker.id, "process of a previous control plane ended");
        worker.gone.complete(null);
        reconcile();
    }

    private void runPeriodicChecks() {
        List<Path> inUse = new ArrayList<>();
        try {
            for (LocalWorker worker : workers.values()) {
                inUse.add(worker.log.file());
                worker.log.bound(configuration.mostLogBytes());
            }
            WorkerLog.prune(context.directory(), configuration.logsKept(), inUse);
        } catch (IOException failure) {
            LOG.warn("backend {}: logs in {} cannot be kept in bounds", context.name(), context.directory(), failure);
        }
    }

    private void reconcile() {
        if (closed || backingOff) {
            return;
        }
        long running =
                workers.values().stream().filter(worker -> !worker.stopping()).count();
        while (running < needed && !backingOff) {
            if (start()) {
                running++;
            }
        }
    }

    private boolean start() {
        WorkerId id = new WorkerId(context.workerIdPrefix() + ++count);
        Path directory = context.directory();
        WorkerLog log = WorkerLog.in(directory, id.value());
        LaunchDescription launch;
        try {
            launch = context.launch(id, configuration.spec());
        } catch (IllegalStateException refused) {
            failed("worker " + id + " cannot be started: " + refused.getMessage());
            return false;
        }
        Process process;
        try {
            ProcessBuilder command = new ProcessBuilder(launch.localCommand(SecretsFile.write(directory, launch)))
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.file().toFile()));
            command.environment().putAll(launch.environment());
            process = command.start();
            process.getOutputStream().close();
        } catch (IOException failure) {
            SecretsFile.remove(directory, id);
            failed("worker " + id + " cannot be started with " + launch.java() + ": " + failure.getMessage());
            return false;
        }
        ProcessHandle handle = process.toHandle();
        LocalWorker worker = new LocalWorker(id, handle, recorded(id, handle), log);
        workers.put(id, worker);
        LOG.info("worker {}: process {} started, log {}", id, handle.pid(), log.file());
        context.started(id, configuration.spec().name());
        process.onExit().whenComplete((ended, failure) -> run(() -> ended(worker, process.exitValue())));
        schedule(configuration.stableMillis(), () -> {
            if (workers.containsKey(id)) {
                worker.becomeStable();
                failures = 0;
                quickEnds = 0;
            }
        });
        return true;
    }

    private ProcessRecord recorded(WorkerId id, ProcessHandle process) {
        try {
            return ProcessRecord.write(
                    context.directory(), id.value(), configuration.spec().name(), process);
        } catch (IOException failure) {
            LOG.warn("worker {}: process {} cannot be put on record", id, process.pid(), failure);
            return new ProcessRecord(context.directory().resolve(id.value() + ".pid"));
        }
    }

    private void ended(LocalWorker worker, int code) {
        workers.remove(worker.id);
        forget(worker);
        String diagnostics = "exit code " + code;
        context.ended(worker.id, diagnostics);
        worker.gone.complete(null);
        if (worker.stopping() || code == 0) {
            LOG.info("worker {}: ended with {}", worker.id, diagnostics);
            if (!worker.stopping() && !worker.stable()) {
                // The ResourceManager ended it, or the command does nothing. This is no failure, but starts must not
                // follow each other without a pause.
                pause(FIRST_BACK_OFF_MILLIS << Math.min(quickEnds++, MAX_DOUBLINGS));
            }
        } else if (worker.stable()) {
            LOG.warn("worker {}: ended unexpectedly with {}, log {}", worker.id, diagnostics, worker.log.file());
        } else {
            // Its last output may be the only hint at the cause, because it may not have registered.
            LOG.warn("worker {}: ended soon after its start with {}{}", worker.id, diagnostics, tail(worker));
            failed("worker " + worker.id + " ended soon after its start, " + diagnostics + tail(worker));
        }
        reconcile();
    }

    private static String tail(LocalWorker worker) {
        String tail = worker.log.tail();
        return tail.isEmpty() ? "" : ", last log lines: " + tail;
    }

    private void forget(LocalWorker worker) {
        SecretsFile.remove(context.directory(), worker.id);
        try {
            worker.record.remove();
        } catch (IOException failure) {
            LOG.warn("worker {}: its process record cannot be removed", worker.id, failure);
        }
    }

    /** After a failed start the next one is delayed, and after too many in a row much longer. */
    private void failed(String diagnostics) {
        failures++;
        long pause = FIRST_BACK_OFF_MILLIS << Math.min(failures - 1, MAX_DOUBLINGS);
        if (failures >= configuration.mostFailures()) {
            pause = Math.max(pause, configuration.pauseMillis());
            String text = failures + " starts in a row failed, the next one comes in " + pause + " ms: " + diagnostics;
            context.startFailed(
                    configuration.spec().name(),
                    StartFailure.of(StartFailure.Kind.FAILED, text)
                            .retryMillis(Math.min(pause, StartFailure.MAX_RETRY_MILLIS))
                            .build());
        }
        pause(pause);
    }

    private void pause(long millis) {
        backingOff = true;
        schedule(millis, () -> {
            backingOff = false;
            reconcile();
        });
    }

    private void stop(LocalWorker worker) {
        worker.stop();
        worker.process.destroy();
        schedule(configuration.exitGraceMillis(), () -> {
            if (worker.process.isAlive()) {
                LOG.warn("worker {}: did not end within {} ms: killed", worker.id, configuration.exitGraceMillis());
                worker.process.destroyForcibly();
            }
        });
    }

    @Override
    public void close() {
        if (thread.isShutdown()) {
            return;
        }
        Supplier<List<LocalWorker>> stopAll = () -> {
            if (context.workersStay()) {
                LOG.info("backend {}: ends, and its workers {} keep running", context.name(), workers.keySet());
                closed = true;
                return List.of();
            }
            begin();
            closed = true;
            List<LocalWorker> all = new ArrayList<>(workers.values());
            all.forEach(LocalBackend::ask);
            return all;
        };
        try {
            List<LocalWorker> all =
                    CompletableFuture.supplyAsync(stopAll, thread).get(1, TimeUnit.SECONDS);
            if (!awaitEnd(all, Math.min(configuration.exitGraceMillis(), 7_000))) {
                all.forEach(worker -> worker.process.destroyForcibly());
                if (!awaitEnd(all, KILL_WAIT_MILLIS)) {
                    LOG.error(
                            "backend {}: some of the workers {} could not be ended",
                            context.name(),
                            all.stream().map(worker -> worker.id).toList());
                }
            }
        } catch (ExecutionException | TimeoutException | RejectedExecutionException failure) {
            LOG.error("backend {}: did not close cleanly", context.name(), failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            thread.shutdownNow();
        }
    }

    private static void ask(LocalWorker worker) {
        worker.stop();
        worker.process.destroy();
    }

    private static boolean awaitEnd(List<LocalWorker> all, long millis)
            throws InterruptedException, ExecutionException {
        CompletableFuture<?>[] ends = all.stream().map(worker -> worker.gone).toArray(CompletableFuture<?>[]::new);
        try {
            CompletableFuture.allOf(ends).get(millis, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException late) {
            return false;
        }
    }

    private void run(Runnable action) {
        try {
            thread.execute(() -> {
                try {
                    action.run();
                } catch (RuntimeException failure) {
                    LOG.error("backend {}: an action failed", context.name(), failure);
                }
            });
        } catch (RejectedExecutionException ended) {
            LOG.debug("backend {} has ended", context.name());
        }
    }

    private void schedule(long millis, Runnable action) {
        try {
            thread.schedule(action, millis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException ended) {
            LOG.debug("backend {} has ended", context.name());
        }
    }
}
