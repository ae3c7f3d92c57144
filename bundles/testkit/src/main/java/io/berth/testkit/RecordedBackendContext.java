package io.berth.testkit;

import io.berth.policy.rules.SpecsCheck;
import io.berth.spi.WorkerId;
import io.berth.spi.backend.BackendContext;
import io.berth.spi.backend.LaunchDescription;
import io.berth.spi.backend.StartFailure;
import io.berth.spi.backend.WorkerArchive;
import io.berth.spi.backend.WorkerSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/** A ResourceManager that records what a backend reports. Thread-safe. */
public final class RecordedBackendContext implements BackendContext {

    /** An archive without files. */
    private static final byte[] EMPTY_ZIP = HexFormat.of().parseHex("504b0506" + "00".repeat(18));

    private static final String EMPTY_ZIP_SHA256 = "8739c76e681f900923b900c9df0ef75cf421d39cabb54650c4b9ad19b6a76d85";

    private final String name;
    private final String prefix;
    private final Path directory;
    private final List<String> command;
    private volatile boolean workersStay;
    private final SortedMap<WorkerId, String> started = new TreeMap<>();
    private final SortedMap<WorkerId, String> ended = new TreeMap<>();
    private final SortedMap<WorkerId, Leave> leaving = new TreeMap<>();
    private final SortedMap<String, List<StartFailure>> failures = new TreeMap<>();
    private final SortedMap<String, String> queued = new TreeMap<>();
    private Optional<List<WorkerSpec>> specs = Optional.empty();
    private boolean recovered;
    private final List<String> violations = new ArrayList<>();
    private final Map<CountDownLatch, BooleanSupplier> waiting = new LinkedHashMap<>();

    /** What was said about a worker that leaves. */
    public static final class Leave {

        private final long millis;
        private final String reason;

        private Leave(long millis, String reason) {
            this.millis = millis;
            this.reason = reason;
        }

        /** After how many milliseconds, as it was reported. */
        public long millis() {
            return millis;
        }

        /** As it was reported. */
        public String reason() {
            return reason;
        }

        @Override
        public String toString() {
            return "in " + millis + " ms: " + reason;
        }
    }

    /**
     * @param directory belongs to the backend and exists
     * @param command that stands for a worker
     */
    public RecordedBackendContext(Path directory, List<String> command) {
        this("test", "test-1-", directory, command);
    }

    /**
     * @param name of the backend
     * @param prefix of the ids of its workers: the name, and what is unique to this instance
     * @param directory belongs to the backend and exists
     * @param command that stands for a worker
     */
    public RecordedBackendContext(String name, String prefix, Path directory, List<String> command) {
        this.name = name;
        this.prefix = prefix;
        this.directory = directory;
        this.command = List.copyOf(command);
    }

    /**
     * A description whose command line runs another command instead of a worker. It needs {@code sh}, and passes nothing
     * else to the command.
     */
    public static LaunchDescription.Builder standIn(WorkerId worker, List<String> command) {
        String script = command.stream()
                .map(word -> "'" + word.replace("'", "'\\''") + "'")
                .collect(Collectors.joining(" ", "exec ", ""));
        return LaunchDescription.of(worker)
                .java("sh")
                .javaOptions(List.of("-c", script))
                .mainClass("worker");
    }

    @Override
    public LaunchDescription launch(WorkerId worker, WorkerSpec spec) {
        return standIn(worker, command).build();
    }

    @Override
    public WorkerArchive archive() throws IOException {
        Path archive = Files.write(directory.resolve("archive.zip"), EMPTY_ZIP);
        return WorkerArchive.of(archive, EMPTY_ZIP.length, EMPTY_ZIP_SHA256);
    }

    @Override
    public Path directory() {
        return directory;
    }

    @Override
    public long now() {
        return System.nanoTime() / 1_000_000;
    }

    @Override
    public long wallTime() {
        return System.currentTimeMillis();
    }

    @Override
    public ZoneId zone() {
        return ZoneOffset.UTC;
    }

    /** A minute: no call has a deadline here. */
    @Override
    public long remainingMillis() {
        return 60_000;
    }

    @Override
    public String workerIdPrefix() {
        return prefix;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean workersStay() {
        return workersStay;
    }

    /** Workers keep running when the backend is closed: another instance takes them over. */
    public void letWorkersStay() {
        workersStay = true;
    }

    @Override
    public synchronized void started(WorkerId worker, String spec) {
        if (started.put(worker, spec) != null) {
            violations.add("worker " + worker + " was started twice");
        }
        checkOwn(worker);
        if (recovered && !worker.value().startsWith(prefix)) {
            violations.add("worker " + worker + " of an earlier instance was reported after recovered()");
        }
        changed();
    }

    private void checkOwn(WorkerId worker) {
        if (!worker.value().startsWith(name + "-")) {
            violations.add("worker " + worker + " has an id that does not begin with workerIdPrefix()");
        }
    }

    @Override
    public synchronized void leaving(WorkerId worker, long millis, String reason) {
        checkOwn(worker);
        if (ended.containsKey(worker)) {
            violations.add("worker " + worker + " leaves after it ended");
        }
        if (millis > MAX_LEAVING_MILLIS && millis != NO_DEADLINE) {
            violations.add("worker " + worker + " leaves in " + millis + " ms: allowed are up to " + MAX_LEAVING_MILLIS
                    + ", or NO_DEADLINE");
        }
        if (reason.isBlank()) {
            violations.add("worker " + worker + " leaves without a reason");
        }
        leaving.put(worker, new Leave(millis, reason));
        changed();
    }

    @Override
    public synchronized void ended(WorkerId worker, String diagnostics) {
        if (!started.containsKey(worker)) {
            violations.add("worker " + worker + " ended but was never started");
        }
        if (ended.put(worker, diagnostics) != null) {
            violations.add("worker " + worker + " ended twice");
        }
        changed();
    }

    @Override
    public synchronized void startFailed(String spec, StartFailure failure) {
        failures.computeIfAbsent(spec, name -> new ArrayList<>()).add(failure);
        changed();
    }

    @Override
    public synchronized void queued(String spec, String diagnostics) {
        queued.put(spec, diagnostics);
        changed();
    }

    /** @throws IllegalArgumentException as the host throws it; the previous specs stay, and it is a violation */
    @Override
    public synchronized void specs(List<WorkerSpec> offered) {
        try {
            specs = Optional.of(SpecsCheck.copy(offered));
        } catch (IllegalArgumentException refused) {
            violations.add("the backend " + refused.getMessage());
            throw refused;
        }
        changed();
    }

    @Override
    public synchronized void recovered() {
        if (recovered) {
            violations.add("recovered was reported twice");
        }
        recovered = true;
        changed();
    }

    /** Workers that were started, with the names of their specs. */
    public synchronized SortedMap<WorkerId, String> started() {
        return new TreeMap<>(started);
    }

    /** Workers that ended, with their diagnostics. */
    public synchronized SortedMap<WorkerId, String> ended() {
        return new TreeMap<>(ended);
    }

    /** Workers that leave, with what was last said about them. */
    public synchronized SortedMap<WorkerId, Leave> leaving() {
        return new TreeMap<>(leaving);
    }

    /** Starts that failed, by spec, in their order. */
    public synchronized SortedMap<String, List<StartFailure>> failures() {
        SortedMap<String, List<StartFailure>> copy = new TreeMap<>();
        failures.forEach((spec, all) -> copy.put(spec, List.copyOf(all)));
        return copy;
    }

    /** What was last said about queued requests, by spec. */
    public synchronized SortedMap<String, String> queued() {
        return new TreeMap<>(queued);
    }

    /** The specs that were reported last; empty if none were. */
    public synchronized Optional<List<WorkerSpec>> reportedSpecs() {
        return specs;
    }

    /** Whether all workers of earlier instances were reported. */
    public synchronized boolean isRecovered() {
        return recovered;
    }

    /** Rules that the backend broke. */
    public synchronized List<String> violations() {
        return List.copyOf(violations);
    }

    /** Waits until {@code count} workers were started. Returns whether they were. */
    public boolean awaitStarted(int count, long millis) throws InterruptedException {
        return await(() -> started.size() >= count, millis);
    }

    /** Waits until some start has failed. Returns whether one has. */
    public boolean awaitFailure(long millis) throws InterruptedException {
        return await(() -> !failures.isEmpty(), millis);
    }

    /** Waits until all workers of earlier instances were reported. Returns whether they were. */
    public boolean awaitRecovered(long millis) throws InterruptedException {
        return await(() -> recovered, millis);
    }

    /** Waits until other specs were reported. Returns whether they were. */
    public boolean awaitSpecs(List<WorkerSpec> before, long millis) throws InterruptedException {
        return await(() -> specs.filter(now -> !now.equals(before)).isPresent(), millis);
    }

    /** Waits until the worker was reported as one that leaves. Returns whether it was. */
    public boolean awaitLeaving(WorkerId worker, long millis) throws InterruptedException {
        return await(() -> leaving.containsKey(worker), millis);
    }

    /** Waits until the worker ended. Returns whether it did. */
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
