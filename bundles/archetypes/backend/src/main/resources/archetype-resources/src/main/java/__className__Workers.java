package ${package};

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
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Starts what is declared and stops what is unwanted. All of it runs on one thread, so that a slow cluster manager never
 * keeps a caller waiting. Its workers end with it: a backend whose workers outlive it reports them with
 * {@link BackendContext#started} before {@link BackendContext#recovered}.
 */
final class ${className}Workers implements Backend {

    /** A worker that ends sooner could not be started. */
    private static final long STARTS_WITHIN_NANOS = Duration.ofSeconds(10).toNanos();

    private static final long PAUSE_MILLIS = 1_000;

    private record Running(Process process, long since, Optional<Path> secrets) {}

    private final BackendContext context;
    private final WorkerSpec spec;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
    private final Map<WorkerId, Running> running = new TreeMap<>();
    private boolean recovered;
    private boolean pausing;
    private int needed;
    private int count;

    ${className}Workers(BackendContext context, WorkerSpec spec) {
        this.context = context;
        this.spec = spec;
    }

    @Override
    public List<WorkerSpec> specs() {
        return List.of(spec);
    }

    @Override
    public void declare(WorkerDeclaration declaration) {
        execute(() -> {
            if (!recovered) {
                recovered = true;
                context.recovered();
            }
            needed = declaration.needed().getOrDefault(spec.name(), 0);
            for (WorkerId unwanted : declaration.unwanted()) {
                Optional.ofNullable(running.get(unwanted)).ifPresent(worker -> worker.process().destroy());
            }
            startMissing();
        });
    }

    private void startMissing() {
        while (!pausing && running.size() < needed) {
            WorkerId worker = new WorkerId(context.workerIdPrefix() + ++count);
            try {
                Running started = start(worker);
                running.put(worker, started);
                context.started(worker, spec.name());
                started.process().onExit().thenAccept(ended -> execute(() -> ended(worker, ended.exitValue())));
            } catch (IOException | IllegalStateException failure) {
                startFailed(failure.toString());
            }
        }
    }

    /** What a cluster manager would do on another machine; there it needs the archive of a worker, too. */
    private Running start(WorkerId worker) throws IOException {
        LaunchDescription launch = context.launch(worker, spec);
        Files.createDirectories(context.directory());
        Optional<Path> secrets = secrets(launch, worker);
        Process process = new ProcessBuilder(launch.localCommand(secrets))
                .redirectErrorStream(true)
                .redirectOutput(log(worker).toFile())
                .start();
        return new Running(process, System.nanoTime(), secrets);
    }

    private Path log(WorkerId worker) {
        return context.directory().resolve(worker + ".log");
    }

    /** Nobody else may read them, so they are neither arguments nor environment. */
    private Optional<Path> secrets(LaunchDescription launch, WorkerId worker) throws IOException {
        if (launch.secrets().isEmpty()) {
            return Optional.empty();
        }
        Path file = Files.createFile(
                context.directory().resolve(worker + ".secrets"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(
                file,
                launch.secrets().entrySet().stream()
                        .map(secret -> secret.getKey() + "=" + secret.getValue() + "\n")
                        .collect(Collectors.joining()));
        return Optional.of(file);
    }

    private void ended(WorkerId worker, int code) {
        Running ended = running.remove(worker);
        context.ended(worker, "exit code " + code);
        try {
            if (ended.secrets().isPresent()) {
                Files.deleteIfExists(ended.secrets().orElseThrow());
            }
        } catch (IOException stays) {
            // Nobody else may read it.
        }
        boolean wanted = running.size() < needed;
        if (wanted && code != 0 && System.nanoTime() - ended.since() < STARTS_WITHIN_NANOS) {
            startFailed("exit code " + code + ", see " + log(worker));
        } else {
            startMissing();
        }
    }

    /** Starts that fail must not keep a machine busy. */
    private void startFailed(String why) {
        pausing = true;
        context.startFailed(
                spec.name(),
                StartFailure.of(StartFailure.Kind.FAILED, why).retryMillis(PAUSE_MILLIS).build());
        thread.schedule(
                () -> {
                    pausing = false;
                    startMissing();
                },
                PAUSE_MILLIS,
                TimeUnit.MILLISECONDS);
    }

    private void execute(Runnable action) {
        try {
            thread.execute(action);
        } catch (RejectedExecutionException closed) {
            // Nobody waits for it.
        }
    }

    @Override
    public void close() {
        execute(() -> {
            needed = 0;
            running.values().forEach(worker -> worker.process().destroy());
            thread.shutdown();
        });
    }
}
