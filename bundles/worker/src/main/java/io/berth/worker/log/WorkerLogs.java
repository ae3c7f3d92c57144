package io.berth.worker.log;

import io.berth.core.api.log.LogFilter;
import io.berth.core.api.log.LogFolder;
import io.berth.core.api.log.LogList;
import io.berth.core.api.log.LogPart;
import io.berth.core.api.log.LogRequest;
import io.berth.core.api.log.TaskLogDetails;
import io.berth.core.api.task.AttemptId;
import io.berth.core.api.time.Clock;
import io.berth.spi.WorkerId;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The logs of this worker: streams that sort output by the task of the thread that writes it, and the files with the
 * result. A thread that a task's thread starts belongs to the same task. Thread-safe.
 */
public final class WorkerLogs implements TaskLogs, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(WorkerLogs.class);
    private static final long CLOSE_MILLIS = 2_000;

    /** The task that a thread works for. */
    private static final InheritableThreadLocal<Optional<RunningTask>> CURRENT = new InheritableThreadLocal<>() {
        @Override
        protected Optional<RunningTask> initialValue() {
            return Optional.empty();
        }
    };

    private final LogFolder folder;
    private final WorkerId worker;
    private final Clock clock;
    private final LogQueue queue = new LogQueue();
    private final LogFile own;
    private final LogWriter writer;
    private final Thread thread;
    private final AtomicInteger numbers = new AtomicInteger();

    /** A task, as long as it runs. It refers to nothing of the job, because a thread may keep it for long. */
    private static final class RunningTask implements TaskLog {

        private final LogQueue queue;
        private final LogFile file;
        private volatile boolean ended;

        RunningTask(LogQueue queue, LogFile file) {
            this.queue = queue;
            this.file = file;
        }

        @Override
        public <T> T call(Supplier<T> action) {
            Optional<RunningTask> before = CURRENT.get();
            CURRENT.set(Optional.of(this));
            try {
                return action.get();
            } finally {
                if (before.isPresent()) {
                    CURRENT.set(before);
                } else {
                    CURRENT.remove();
                }
            }
        }

        @Override
        public void end() {
            if (!ended) {
                ended = true;
                queue.end(file);
            }
        }
    }

    /** @throws IOException when what an earlier process of this worker has left cannot be read */
    public WorkerLogs(WorkerId worker, LogSettings settings, Clock clock) throws IOException {
        this.worker = worker;
        this.clock = clock;
        folder = LogFolder.in(settings.folder(), worker);
        own = LogFile.ofWorker(folder);
        List<TaskLogDetails> left = new ArrayList<>(folder.all());
        left.sort(Comparator.comparing(TaskLogDetails::log));
        List<LogFile> earlier = new ArrayList<>();
        for (TaskLogDetails task : left) {
            try {
                earlier.add(LogFile.earlier(folder, task));
            } catch (IOException failure) {
                LOG.warn("log {} of an ended task cannot be read and is not shown: {}", task.log(), failure.toString());
            }
        }
        writer = new LogWriter(settings, folder.folder(), queue, clock, earlier);
        thread = new Thread(writer::run, "berth-worker-logs");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public TaskLog begin(AttemptId attempt, List<String> vertices) {
        long now = clock.wallMillis();
        String name = LogFolder.name(now, numbers.incrementAndGet());
        return new RunningTask(
                queue, LogFile.ofTask(folder, new TaskLogDetails(worker, name, attempt, vertices, now, 0, 0)));
    }

    /**
     * For what is printed: of a task into its log, everything else into the own log of the worker and where it went before.
     * A task waits a moment when the disk does not keep up.
     */
    public OutputStream prints(OutputStream before) {
        return new Sorted() {
            @Override
            public void write(byte[] text, int from, int length) throws IOException {
                Optional<RunningTask> task = task();
                if (task.isEmpty() || !queue.add(task.get().file, text, from, length, true)) {
                    before.write(text, from, length);
                    queue.add(own, text, from, length, false);
                }
            }

            @Override
            public void flush() throws IOException {
                if (task().isEmpty()) {
                    before.flush();
                }
            }
        };
    }

    /**
     * For lines of the logging library: into the own log of the worker and where they went before, and those of a task into
     * its log too. No caller waits, because all callers of the library would wait with it.
     */
    public OutputStream lines(OutputStream before) {
        return new Sorted() {
            @Override
            public void write(byte[] text, int from, int length) throws IOException {
                before.write(text, from, length);
                queue.add(own, text, from, length, false);
                task().ifPresent(task -> queue.add(task.file, text, from, length, false));
            }

            @Override
            public void flush() throws IOException {
                before.flush();
            }
        };
    }

    private Optional<RunningTask> task() {
        return CURRENT.get().filter(task -> task.queue == queue && !task.ended);
    }

    private abstract static class Sorted extends OutputStream {

        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public abstract void write(byte[] text, int from, int length) throws IOException;
    }

    @Override
    public LogList list(LogFilter filter) {
        queue.flush();
        List<TaskLogDetails> logs = new ArrayList<>();
        for (LogFile file : writer.known().values()) {
            file.details()
                    .filter(log -> filter.matches(log.attempt(), log.vertices()))
                    .ifPresent(logs::add);
        }
        return LogList.newest(logs, 0, List.of());
    }

    @Override
    public LogPart read(LogRequest request) throws IOException {
        queue.flush();
        return folder.read(request);
    }

    /** Writes what is there, for at most two seconds, and takes nothing more. */
    @Override
    public void close() {
        queue.close();
        try {
            thread.join(CLOSE_MILLIS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
