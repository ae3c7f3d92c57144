package io.berth.testkit;

import io.berth.spi.WorkerId;
import io.berth.spi.backend.BackendContext;
import io.berth.spi.backend.WorkerSpec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** A ResourceManager that notes what a backend tells it. Any thread. */
public final class RecordedBackendContext implements BackendContext {

    private final Path directory;
    private final List<String> command;
    private final SortedMap<WorkerId, WorkerSpec> started = new TreeMap<>();
    private final SortedMap<WorkerId, String> ended = new TreeMap<>();
    private final List<String> failures = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();
    private final Map<CountDownLatch, BooleanSupplier> waiting = new LinkedHashMap<>();

    /**
     * @param directory the backend's own, exists
     * @param command that stands for a worker
     */
    public RecordedBackendContext(Path directory, List<String> command) {
        this.directory = directory;
        this.command = List.copyOf(command);
    }

    @Override
    public List<String> launchCommand(WorkerId worker, WorkerSpec spec) {
        return command;
    }

    @Override
    public Path directory() {
        return directory;
    }

    @Override
    public String workerIdPrefix() {
        return "test";
    }

    @Override
    public synchronized void started(WorkerId worker, WorkerSpec spec) {
        if (started.put(worker, spec) != null) {
            violations.add("worker " + worker + " was started twice");
        }
        changed();
    }

    @Override
    public synchronized void ended(WorkerId worker, String diagnostics) {
        if (!started.containsKey(worker)) {
            violations.add("worker " + worker + " ended and was never started");
        }
        if (ended.put(worker, diagnostics) != null) {
            violations.add("worker " + worker + " ended twice");
        }
        changed();
    }

    @Override
    public synchronized void startFailed(WorkerSpec spec, String diagnostics) {
        failures.add(spec.name() + ": " + diagnostics);
        changed();
    }

    /** Workers that were started, with their spec. */
    public synchronized SortedMap<WorkerId, WorkerSpec> started() {
        return new TreeMap<>(started);
    }

    /** Workers that ended, with what was said. */
    public synchronized SortedMap<WorkerId, String> ended() {
        return new TreeMap<>(ended);
    }

    /** Starts that failed. */
    public synchronized List<String> failures() {
        return List.copyOf(failures);
    }

    /** Rules that the backend broke. */
    public synchronized List<String> violations() {
        return List.copyOf(violations);
    }

    /** Waits until so many workers were started; answers whether they were. */
    public boolean awaitStarted(int count, long millis) throws InterruptedException {
        return await(() -> started.size() >= count, millis);
    }

    /** Waits until the worker ended; answers whether it did. */
    public boolean awaitEnded(WorkerId worker, long millis) throws InterruptedException {
        return await(() -> ended.containsKey(worker), millis);
    }

    private boolean await(BooleanSupplier condition, long millis) throws InterruptedException {
        CountDownLatch latch = new CountDownLatch(1);
        synchronized (this) {
            waiting.put(latch, condition);
            changed();
        }
        return latch.await(millis, TimeUnit.MILLISECONDS);
    }

    private void changed() {
        waiting.forEach((latch, condition) -> {
            if (condition.getAsBoolean()) {
                latch.countDown();
            }
        });
    }
}
