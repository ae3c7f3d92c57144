package io.berth.runtime.process;

import io.berth.core.api.job.Problem;
import io.berth.core.api.process.ProcessSettings;
import io.berth.core.api.process.ProcessSettingsReader;
import io.berth.core.api.rpc.Failures;
import io.berth.core.api.task.FailureKind;
import io.berth.core.api.task.TaskContext;
import io.berth.core.api.task.TaskDeployment;
import io.berth.core.api.task.TaskHandle;
import io.berth.core.api.task.TaskMetrics;
import io.berth.core.api.task.TaskMetrics.OperatorMetrics;
import io.berth.core.api.time.Timers;
import io.berth.core.api.time.Timers.Cancellable;
import io.berth.runtime.process.TaskLog.Stream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One task: a process from its start to the end of its group. Exit code 0 is FINISHED, all others are FAILED. It ends early
 * when it is canceled or when its health command fails too often: by its stop signal, and when that is not enough, killed. The
 * methods of the handle are thread-safe and do not block.
 */
final class ProcessTask implements TaskHandle {

    private static final Logger LOG = LoggerFactory.getLogger(ProcessTask.class);
    private static final long OUTPUT_MILLIS = 2_000;

    private final TaskDeployment deployment;
    private final TaskContext context;
    private final Path tasks;
    private final String worker;
    private final Timers timers;
    private final TaskLog log;
    private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    private final Thread thread;
    private boolean canceled;
    private Optional<String> unhealthy = Optional.empty();
    private Optional<Running> running = Optional.empty();

    /** The process, and how it is stopped. */
    private record Running(ProcessGroup group, ProcessSettings settings, Optional<HealthCheck> health) {}

    /**
     * A task that is not started yet.
     *
     * @param tasks folder of the directories of tasks
     * @param worker id of the worker
     */
    ProcessTask(TaskDeployment deployment, TaskContext context, Path tasks, String worker, Timers timers, TaskLog log) {
        this.deployment = deployment;
        this.context = context;
        this.tasks = tasks;
        this.worker = worker;
        this.timers = timers;
        this.log = log;
        this.thread = new Thread(this::run, "berth-runtime-process-task-" + deployment.attempt());
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    @Override
    public CompletionStage<Outcome> outcome() {
        return outcome.minimalCompletionStage();
    }

    @Override
    public TaskMetrics metrics() {
        SortedMap<String, Long> counters = new TreeMap<>();
        String vertex = deployment.attempt().chain();
        Optional<Running> now;
        synchronized (this) {
            now = running;
        }
        now.flatMap(Running::health).ifPresent(health -> counters.put(vertex + ".health.failures", health.failures()));
        return new TaskMetrics(List.of(new OperatorMetrics(vertex, 0, 0)), 0, 0, counters);
    }

    @Override
    public synchronized void cancel() {
        if (!canceled) {
            canceled = true;
            running.ifPresent(this::stop);
        }
    }

    /** Ends the process at once. */
    void kill() {
        Optional<Running> now;
        synchronized (this) {
            canceled = true;
            now = running;
        }
        now.ifPresent(process -> process.group().kill());
    }

    private synchronized void unhealthy(String what) {
        if (unhealthy.isEmpty() && !canceled) {
            unhealthy = Optional.of(what);
            running.ifPresent(this::stop);
        }
    }

    private void stop(Running process) {
        ProcessSettings settings = process.settings();
        timers.schedule(0, () -> process.group().signal(settings.stopSignal()));
        Cancellable kill = timers.schedule(settings.stopTimeoutMillis(), () -> {
            LOG.info(
                    "task {}: killed, it has not ended {} ms after the signal {}",
                    deployment.attempt(),
                    settings.stopTimeoutMillis(),
                    settings.stopSignal());
            process.group().kill();
        });
        outcome.whenComplete((end, none) -> kill.cancel());
    }

    private void run() {
        Optional<TaskDirectory> directory = Optional.empty();
        Outcome result;
        try {
            ProcessSettings settings = settings();
            directory = Optional.of(TaskDirectory.create(tasks, deployment.attempt()));
            result = work(settings, directory.get());
        } catch (UnusableException refused) {
            result = new Outcome.Failed(Failures.text(refused), refused.kind());
        } catch (InterruptedException interrupted) {
            // Nobody interrupts this thread.
            result = new Outcome.Failed("the thread of the task was interrupted", FailureKind.TRANSIENT);
        } catch (Throwable failure) {
            // Also an Error, such as one for want of memory: the task has to end.
            LOG.warn("task {}: its process was not started", deployment.attempt(), failure);
            result = new Outcome.Failed(
                    "the process was not started: " + Failures.text(failure),
                    FailureKind.TRANSIENT,
                    Failures.stack(failure));
        }
        if (isCanceled()) {
            result = new Outcome.Canceled();
        }
        directory.ifPresent(TaskDirectory::delete);
        LOG.info("task {} ended: {}", deployment.attempt(), result);
        // Before the outcome, with which the log of the task ends.
        log.close();
        outcome.complete(result);
    }

    private ProcessSettings settings() {
        ProcessSettingsReader.Read read =
                ProcessSettingsReader.read(deployment.operators().get(0).configuration());
        return read.settings()
                .orElseThrow(() -> new UnusableException(
                        read.problems().stream().map(Problem::toString).collect(Collectors.joining("; ")),
                        FailureKind.PERMANENT));
    }

    private Outcome work(ProcessSettings settings, TaskDirectory own) throws IOException, InterruptedException {
        requireFreeRendezvous();
        Optional<Path> script = settings.script().isPresent()
                ? Optional.of(own.script(settings.script().get()))
                : Optional.empty();
        SortedMap<String, String> environment =
                TaskEnvironment.of(System.getenv(), deployment, settings, context.resources(), own.path(), script);
        Path directory = settings.directory().map(Path::of).orElse(own.path());
        ProcessGroup.requireDirectory(directory, worker);
        String search = environment.getOrDefault("PATH", "");
        List<String> command = program(command(settings, script), search, directory);
        Optional<HealthCheck> health = settings.health().map(check -> {
            List<String> words = program(withScript(check.command(), script), search, directory);
            return new HealthCheck(
                    deployment.attempt().toString(),
                    check,
                    () -> ProcessGroup.start(words, directory, environment),
                    this::unhealthy);
        });
        if (isCanceled()) {
            return new Outcome.Canceled();
        }
        // Not under the lock, which the main thread of the worker takes: the start waits for the directory, which may
        // hang.
        ProcessGroup group = ProcessGroup.start(command, directory, environment);
        try {
            if (!publish(new Running(group, settings, health))) {
                return new Outcome.Canceled();
            }
            OutputPump out = OutputPump.start(group.output(), Stream.OUT, log, thread.getName() + "-stdout");
            OutputPump errors = OutputPump.start(group.errors(), Stream.ERR, log, thread.getName() + "-stderr");
            health.ifPresent(HealthCheck::start);
            int exitCode = group.waitFor();
            group.kill();
            out.join(OUTPUT_MILLIS);
            errors.join(OUTPUT_MILLIS);
            return outcome(settings, command.get(0), exitCode, errors.last(OutputPump.KEPT_LINES));
        } finally {
            health.ifPresent(HealthCheck::close);
            group.kill();
        }
    }

    /** From now on a cancel stops it. Returns whether it may go on: one that was canceled meanwhile must not. */
    private synchronized boolean publish(Running started) {
        running = Optional.of(started);
        return !canceled;
    }

    private synchronized boolean isCanceled() {
        return canceled;
    }

    private Outcome outcome(ProcessSettings settings, String program, int exitCode, List<String> errors) {
        String lines = String.join("\n", errors);
        Optional<String> ill;
        synchronized (this) {
            ill = unhealthy;
        }
        if (ill.isPresent()) {
            return new Outcome.Failed(ill.get(), FailureKind.TRANSIENT, lines);
        }
        if (exitCode == 0) {
            return new Outcome.Finished();
        }
        return new Outcome.Failed(
                ExitText.cause(program, exitCode, errors),
                settings.isPermanent(exitCode) ? FailureKind.PERMANENT : FailureKind.TRANSIENT,
                lines);
    }

    /** The words, with the file of the script where it belongs. */
    private static List<String> command(ProcessSettings settings, Optional<Path> script) {
        if (script.isEmpty()) {
            return settings.command();
        }
        String file = script.get().toString();
        if (settings.command().isEmpty()) {
            return settings.script().orElse("").startsWith("#!") ? List.of(file) : List.of("sh", file);
        }
        List<String> words = new ArrayList<>(settings.command());
        if (!words.contains(ProcessSettings.SCRIPT_WORD)) {
            words.add(file);
        }
        return withScript(words, script);
    }

    private static List<String> withScript(List<String> command, Optional<Path> script) {
        List<String> words = new ArrayList<>(command);
        script.ifPresent(
                file -> words.replaceAll(word -> word.equals(ProcessSettings.SCRIPT_WORD) ? file.toString() : word));
        return words;
    }

    private List<String> program(List<String> command, String search, Path directory) {
        List<String> words = new ArrayList<>(command);
        words.set(0, Executables.require(words.get(0), search, directory, worker));
        return words;
    }

    /** The port follows from the attempt and is not reserved, so subtask 0 looks whether it is free. */
    private void requireFreeRendezvous() throws IOException {
        String address = deployment.rendezvous();
        if (address.isEmpty() || deployment.attempt().subtask() != 0) {
            return;
        }
        int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
        try (ServerSocket probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(new InetSocketAddress(port));
        } catch (IOException taken) {
            throw new IOException(
                    "port " + port + " of the rendezvous is in use on this machine (" + taken.getMessage()
                            + "); the next attempt has another one",
                    taken);
        }
    }
}
