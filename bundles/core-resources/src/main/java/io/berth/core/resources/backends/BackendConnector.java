package io.berth.core.resources.backends;

import io.berth.core.api.gateway.WorkerLeave;
import io.berth.core.api.policy.BackendHost.BackendFollower;
import io.berth.core.api.policy.BackendHost.BackendHandle;
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
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Connects backends to the ResourceManager, and gives each the context to start workers. Thread-safe. */
public final class BackendConnector implements BackendFollower {

    private static final Logger LOG = LoggerFactory.getLogger(BackendConnector.class);

    private static final int MAX_WAITING = 20_000;
    private static final int MAX_TEXT_LENGTH = 2_000;

    private final Listener listener;
    private final Supplier<WorkerLaunch> launch;
    private final Executor files;
    private final long epoch;
    private final AtomicLong contexts = new AtomicLong();
    private final Set<BackendHandle> changedSpecs = ConcurrentHashMap.newKeySet();
    private volatile boolean workersStay;

    /** Acts on reports of backends, in the order of the calls. Thread-safe. */
    public interface Listener {

        void backendAdded(BackendHandle backend);

        /**
         * A backend offers other specs.
         *
         * @param begins to run before the specs are read
         */
        void backendSpecsChanged(BackendHandle backend, Runnable begins);

        /** Its registered workers stay. */
        void backendRemoved(BackendHandle backend);

        /** A backend started a process. */
        void workerStarted(String backend, WorkerId worker, String spec);

        /** A process of an earlier term still runs. */
        void workerSurvived(String backend, WorkerId worker, String spec);

        /** A backend has reported all running processes of earlier terms. */
        void backendRecovered(String backend);

        /**
         * A backend takes a worker away.
         *
         * @param leave what was said last, read when the report is handled
         */
        void workerLeaves(String backend, WorkerId worker, Supplier<WorkerLeave> leave);

        /** A process of a backend ended. */
        void workerEnded(String backend, WorkerId worker, String diagnostics);

        /** A backend could not start a process. */
        void workerStartFailed(String backend, String spec, StartFailure failure);

        /** The cluster manager has queued requests for workers of a spec. */
        void workersQueued(String backend, String spec, String diagnostics);

        /** Runs on the main thread, after all earlier reports. */
        void afterwards(Runnable action);
    }

    /**
     * @param launch how workers are started now
     * @param files removes the files of ended workers
     * @param epoch of the ResourceManager
     */
    public BackendConnector(Listener listener, Supplier<WorkerLaunch> launch, Executor files, long epoch) {
        this.listener = listener;
        this.launch = launch;
        this.files = files;
        this.epoch = epoch;
    }

    /** Backends that are closed from now on leave their workers to the next ResourceManager. */
    public void leaveWorkers() {
        workersStay = true;
    }

    @Override
    public BackendContext context(String backend) {
        return new Context(backend, backend + "-" + Long.toString(epoch, 36) + "-" + contexts.incrementAndGet() + "-");
    }

    @Override
    public void added(BackendHandle backend) {
        listener.backendAdded(backend);
    }

    @Override
    public void specsChanged(BackendHandle backend) {
        // One report waits at most, however often a backend changes its specs.
        if (changedSpecs.add(backend)) {
            listener.backendSpecsChanged(backend, () -> changedSpecs.remove(backend));
        }
    }

    @Override
    public void removed(BackendHandle backend) {
        listener.backendRemoved(backend);
    }

    /**
     * Receives the reports of one backend. A backend is foreign code: workers of others are rejected, texts are
     * shortened, and the number of outstanding reports is limited.
     */
    private final class Context implements BackendContext {

        private final String backend;
        private final String prefix;
        private final AtomicInteger waiting = new AtomicInteger();
        /** What is not handled yet. */
        private final Map<WorkerId, WorkerLeave> leaving = new ConcurrentHashMap<>();

        Context(String backend, String prefix) {
            this.backend = backend;
            this.prefix = prefix;
        }

        @Override
        public LaunchDescription launch(WorkerId worker, WorkerSpec spec) {
            own(worker);
            return launch.get().describe(worker, backend, Objects.requireNonNull(spec, "spec"));
        }

        @Override
        public WorkerArchive archive() throws IOException {
            return launch.get().archive();
        }

        @Override
        public String name() {
            return backend;
        }

        @Override
        public Path directory() {
            return launch.get().backendDirectory(backend);
        }

        @Override
        public String workerIdPrefix() {
            return prefix;
        }

        @Override
        public boolean workersStay() {
            return workersStay;
        }

        @Override
        public void specs(List<WorkerSpec> specs) {
            throw ofHost("checks and reports specs");
        }

        @Override
        public long now() {
            throw ofHost("has the time");
        }

        @Override
        public long wallTime() {
            throw ofHost("has the time");
        }

        @Override
        public ZoneId zone() {
            throw ofHost("has the time zone");
        }

        @Override
        public long remainingMillis() {
            throw ofHost("knows the deadlines of its calls");
        }

        private static UnsupportedOperationException ofHost(String what) {
            return new UnsupportedOperationException("the host of backends " + what);
        }

        @Override
        public void started(WorkerId worker, String spec) {
            own(worker);
            Objects.requireNonNull(spec, "spec");
            boolean ofThisTerm = worker.value().startsWith(prefix);
            report(() -> {
                if (ofThisTerm) {
                    listener.workerStarted(backend, worker, spec);
                } else {
                    listener.workerSurvived(backend, worker, spec);
                }
            });
        }

        @Override
        public void recovered() {
            report(() -> listener.backendRecovered(backend));
        }

        @Override
        public void leaving(WorkerId worker, long millis, String reason) {
            own(worker);
            if (millis > MAX_LEAVING_MILLIS && millis != NO_DEADLINE) {
                throw new IllegalArgumentException("worker " + worker + " leaves in " + millis
                        + " ms: allowed are up to " + MAX_LEAVING_MILLIS + ", or NO_DEADLINE");
            }
            // One report of a worker waits at most, however often a backend repeats it.
            if (leaving.put(worker, new WorkerLeave(millis, takenAway(reason), true)) == null) {
                try {
                    report(() -> listener.workerLeaves(
                            backend, worker, () -> Objects.requireNonNull(leaving.remove(worker))));
                } catch (IllegalStateException tooMany) {
                    leaving.remove(worker);
                    throw tooMany;
                }
            }
        }

        private String takenAway(String reason) {
            String text = "taken away by backend " + backend
                    + (reason == null || reason.isBlank() ? "" : ": " + reason.strip());
            return text.length() > WorkerLeave.MAX_REASON
                    ? text.substring(0, WorkerLeave.MAX_REASON - 3) + "..."
                    : text;
        }

        @Override
        public void ended(WorkerId worker, String diagnostics) {
            own(worker);
            report(() -> listener.workerEnded(backend, worker, cut(diagnostics)));
            // On a thread of the host: a thread started here would inherit from the backend.
            listener.afterwards(() -> files.execute(() -> removeFiles(worker)));
        }

        @Override
        public void startFailed(String spec, StartFailure failure) {
            Objects.requireNonNull(spec, "spec");
            StartFailure.Builder shortened = StartFailure.of(failure.kind(), cut(failure.diagnostics()));
            failure.retryMillis().ifPresent(shortened::retryMillis);
            StartFailure reported = shortened.build();
            report(() -> listener.workerStartFailed(backend, spec, reported));
        }

        @Override
        public void queued(String spec, String diagnostics) {
            Objects.requireNonNull(spec, "spec");
            report(() -> listener.workersQueued(backend, spec, cut(diagnostics)));
        }

        /** Ids begin with the name of the backend, in this term and in earlier ones. */
        private void own(WorkerId worker) {
            if (worker == null || !worker.value().startsWith(backend + "-")) {
                throw new IllegalArgumentException("worker " + worker + " does not belong to backend " + backend
                        + ": ids of its workers begin with workerIdPrefix()");
            }
        }

        private void report(Runnable report) {
            if (waiting.incrementAndGet() > MAX_WAITING) {
                waiting.decrementAndGet();
                throw new IllegalStateException("backend " + backend + " has " + MAX_WAITING
                        + " reports that the ResourceManager has not handled yet: report each event once");
            }
            report.run();
            listener.afterwards(waiting::decrementAndGet);
        }

        private static String cut(String text) {
            if (text == null) {
                return "";
            }
            return text.length() > MAX_TEXT_LENGTH ? text.substring(0, MAX_TEXT_LENGTH) + "..." : text;
        }
    }

    /** Its logs stay. */
    private void removeFiles(WorkerId worker) {
        removeTree(worker, launch.get().workDirectory(worker));
    }

    private static void removeTree(WorkerId worker, Path directory) {
        if (!Files.isDirectory(directory)) {
            return;
        }
        try (Stream<Path> tree = Files.walk(directory)) {
            for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException failure) {
            LOG.warn("worker {}: its files could not be removed from {}", worker, directory, failure);
        }
    }
}
