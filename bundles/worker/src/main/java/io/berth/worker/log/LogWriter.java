package io.berth.worker.log;

import io.berth.core.api.log.TaskLogDetails;
import io.berth.core.api.time.Clock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes text to the logs and keeps them within their bounds. A disk that does not take it costs text, never a task: the
 * log then says how much is missing. Confined to one thread, except for {@link #known}.
 */
final class LogWriter {

    private static final Logger LOG = LoggerFactory.getLogger(LogWriter.class);
    private static final long REPORT_MILLIS = 60_000;

    private final LogSettings settings;
    private final Path folder;
    private final LogQueue queue;
    private final Clock clock;
    /** Logs of tasks on disk, by name. */
    private final ConcurrentSkipListMap<String, LogFile> known = new ConcurrentSkipListMap<>();

    private final Set<LogFile> live = new LinkedHashSet<>();
    private final Deque<LogFile> ended = new ArrayDeque<>();
    private final Map<LogFile, Long> lost = new IdentityHashMap<>();
    private long total;
    private long reportedMillis;

    /**
     * @param folder of this worker
     * @param earlier logs of tasks of an earlier process, the oldest first
     */
    LogWriter(LogSettings settings, Path folder, LogQueue queue, Clock clock, List<LogFile> earlier) {
        this.settings = settings;
        this.folder = folder;
        this.queue = queue;
        this.clock = clock;
        reportedMillis = clock.millis() - REPORT_MILLIS;
        for (LogFile file : earlier) {
            known.put(file.task().orElseThrow().log(), file);
            ended.add(file);
            total += file.bytes();
        }
    }

    /** The logs of tasks on disk, by name. Any thread. */
    SortedMap<String, LogFile> known() {
        return known;
    }

    /** Writes until the queue is closed and empty. */
    void run() {
        try {
            while (!queue.isFinished()) {
                List<LogQueue.Item> items = queue.take();
                for (LogQueue.Item item : items) {
                    write(item);
                    queue.written(item);
                }
                if (items.isEmpty()) {
                    showLife();
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Logs that do not change for long belong to a worker that is gone, and may be removed. */
    private void showLife() {
        try {
            if (Files.isDirectory(folder)) {
                Files.setLastModifiedTime(folder, FileTime.fromMillis(clock.wallMillis()));
            }
        } catch (IOException | RuntimeException failure) {
            report(failure);
        }
    }

    private void write(LogQueue.Item item) {
        LogFile log = item.log();
        if (item.dropped() > 0) {
            lost.merge(log, item.dropped(), Long::sum);
        }
        if (item.text().size() > 0 || lost.containsKey(log)) {
            writeWithNote(log, item.text().toByteArray());
        }
        if (item.last()) {
            log.close();
            lost.remove(log);
            if (live.remove(log)) {
                ended.add(log);
            }
        }
    }

    private void writeWithNote(LogFile log, byte[] text) {
        Long missing = lost.get(log);
        if (missing != null && append(log, note(missing)) > 0) {
            lost.merge(log, (long) text.length, Long::sum);
            return;
        }
        lost.remove(log);
        long left = append(log, text);
        if (left > 0) {
            lost.merge(log, left, Long::sum);
        }
    }

    private static byte[] note(long missing) {
        return ("[berth: " + missing
                        + " bytes of output are missing here, because the disk did not take them in time]\n")
                .getBytes(StandardCharsets.UTF_8);
    }

    /** @return how many bytes were not written */
    private long append(LogFile log, byte[] text) {
        ByteBuffer bytes = ByteBuffer.wrap(text);
        try {
            if (log.task().isPresent()) {
                appendToTask(log, bytes);
            } else {
                log.append(bytes, settings.workerBytes());
            }
        } catch (IOException | RuntimeException failure) {
            // Whatever it is, it is about one log, and the thread writes those of all tasks.
            report(failure);
        }
        return bytes.remaining();
    }

    private void appendToTask(LogFile log, ByteBuffer bytes) throws IOException {
        if (!makeRoom(bytes.remaining() + (log.bytes() == 0 ? LogFile.OVERHEAD_BYTES : 0))) {
            return;
        }
        long before = log.bytes();
        try {
            // Half of all: otherwise one log that cannot lose its older part yet would keep all others out.
            log.append(bytes, Math.min(settings.taskBytes(), settings.tasksBytes() / 2));
        } finally {
            total += log.bytes() - before;
            if (log.bytes() > 0 && live.add(log)) {
                known.put(log.task().map(TaskLogDetails::log).orElseThrow(), log);
            }
        }
    }

    /** Removes the logs of ended tasks, then older parts of others. */
    private boolean makeRoom(long more) throws IOException {
        while (total + more > settings.tasksBytes()) {
            Optional<LogFile> oldest = Optional.ofNullable(ended.poll());
            if (oldest.isPresent()) {
                total -= oldest.get().bytes();
                known.remove(oldest.get().task().orElseThrow().log());
                oldest.get().delete();
                continue;
            }
            Optional<LogFile> largest =
                    live.stream().filter(LogFile::hasOlderPart).max(Comparator.comparingLong(LogFile::bytes));
            if (largest.isEmpty()) {
                return false;
            }
            long before = largest.get().bytes();
            largest.get().removeOldestPart();
            total -= before - largest.get().bytes();
        }
        return true;
    }

    private void report(Exception failure) {
        long now = clock.millis();
        if (now - reportedMillis < REPORT_MILLIS) {
            return;
        }
        reportedMillis = now;
        LOG.warn("logs below {} cannot be written, output of tasks is dropped: {}", folder, failure.toString());
    }
}
