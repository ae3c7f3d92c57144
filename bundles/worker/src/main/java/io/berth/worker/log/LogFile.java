package io.berth.worker.log;

import io.berth.core.api.log.LogFolder;
import io.berth.core.api.log.TaskLogDetails;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;

/**
 * One log on disk: at most two parts, of which the older one is removed when the newer one is full. Confined to the thread
 * that writes, except for {@link #task} and {@link #details}, and for {@link #end} and {@link #hasEnded}, which the queue calls
 * under its lock.
 */
final class LogFile {

    /** What a folder, a file with a few lines and the rest of a block cost, roughly. */
    static final long OVERHEAD_BYTES = 8 << 10;

    private static final int MAX_PARTS = 2;

    private final LogFolder folder;
    private final Path path;
    private final Optional<TaskLogDetails> task;
    private final Deque<Part> parts = new ArrayDeque<>();
    private Optional<FileChannel> open = Optional.empty();
    private boolean exists;
    private boolean ended;
    private volatile long start;
    private volatile long end;

    private static final class Part {
        private final long offset;
        private long bytes;

        Part(long offset, long bytes) {
            this.offset = offset;
            this.bytes = bytes;
        }
    }

    private LogFile(LogFolder folder, Path path, Optional<TaskLogDetails> task) {
        this.folder = folder;
        this.path = path;
        this.task = task;
    }

    /** A log of a task that does not exist yet. */
    static LogFile ofTask(LogFolder folder, TaskLogDetails task) {
        return new LogFile(folder, folder.task(task.attempt().job(), task.log()), Optional.of(task));
    }

    /** The own log of a worker, with what an earlier process of the worker has left. */
    static LogFile ofWorker(LogFolder folder) throws IOException {
        LogFile file = new LogFile(folder, folder.own(), Optional.empty());
        file.load();
        return file;
    }

    /** A log that an earlier process of the worker has left. */
    static LogFile earlier(LogFolder folder, TaskLogDetails task) throws IOException {
        LogFile file = ofTask(folder, task);
        file.load();
        return file;
    }

    private void load() throws IOException {
        for (Map.Entry<Long, Path> part : LogFolder.parts(path).entrySet()) {
            parts.add(new Part(part.getKey(), Files.size(part.getValue())));
            exists = true;
        }
        span();
    }

    Optional<TaskLogDetails> task() {
        return task;
    }

    /** The log as it is now. Any thread. */
    Optional<TaskLogDetails> details() {
        return task.map(known -> known.spanning(start, end));
    }

    /** Nothing follows. Returns whether that is new. */
    boolean end() {
        boolean first = !ended;
        ended = true;
        return first;
    }

    boolean hasEnded() {
        return ended;
    }

    /** What it takes on disk. */
    long bytes() {
        return exists ? OVERHEAD_BYTES + end - start : 0;
    }

    boolean hasOlderPart() {
        return parts.size() > 1;
    }

    /**
     * Appends bytes, as far as possible.
     *
     * @param maxBytes of the whole log
     * @throws IOException when the disk does not take all of them; those that remain in the buffer are not written
     */
    void append(ByteBuffer bytes, long maxBytes) throws IOException {
        long partBytes = Math.max(1, maxBytes / MAX_PARTS);
        try {
            while (bytes.hasRemaining()) {
                if (open.isPresent() && parts.getLast().bytes >= partBytes) {
                    close();
                }
                FileChannel channel = open.isPresent() ? open.get() : next(partBytes);
                Part part = parts.getLast();
                ByteBuffer fitting = bytes.slice();
                fitting.limit((int) Math.min(fitting.remaining(), partBytes - part.bytes));
                int written = channel.write(fitting);
                bytes.position(bytes.position() + written);
                part.bytes += written;
                end = part.offset + part.bytes;
            }
        } catch (IOException failure) {
            // What was written of the last bytes is not known.
            close();
            throw failure;
        }
    }

    private FileChannel next(long partBytes) throws IOException {
        if (!exists) {
            create();
        }
        if (parts.isEmpty() || parts.getLast().bytes >= partBytes) {
            parts.add(new Part(parts.isEmpty() ? 0 : parts.getLast().offset + parts.getLast().bytes, 0));
            while (parts.size() > MAX_PARTS) {
                removeOldestPart();
            }
        }
        FileChannel channel;
        try {
            channel = open(parts.getLast());
        } catch (NoSuchFileException removed) {
            // Somebody has removed the folder. Offsets go on from where they were.
            Part again = new Part(end, 0);
            parts.clear();
            parts.add(again);
            create();
            channel = open(again);
        }
        parts.getLast().bytes = channel.size();
        open = Optional.of(channel);
        span();
        return channel;
    }

    private FileChannel open(Part part) throws IOException {
        return FileChannel.open(
                LogFolder.part(path, part.offset), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private void create() throws IOException {
        if (task.isPresent()) {
            folder.create(task.get());
        } else {
            Files.createDirectories(path);
        }
        exists = true;
    }

    void removeOldestPart() throws IOException {
        Files.deleteIfExists(LogFolder.part(path, parts.getFirst().offset));
        parts.removeFirst();
        span();
    }

    private void span() {
        end = parts.isEmpty() ? 0 : parts.getLast().offset + parts.getLast().bytes;
        start = parts.isEmpty() ? 0 : parts.getFirst().offset;
    }

    void close() {
        Optional<FileChannel> closing = open;
        open = Optional.empty();
        try {
            if (closing.isPresent()) {
                closing.get().close();
            }
        } catch (IOException failure) {
            // The next write opens the file again and sees what is there.
        }
    }

    /** Removes all of it, and the folder of the job when it was the last one there. */
    void delete() throws IOException {
        close();
        exists = false;
        parts.clear();
        span();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(path)) {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
        } catch (NoSuchFileException gone) {
            return;
        }
        Files.deleteIfExists(path);
        boolean last;
        try (DirectoryStream<Path> others = Files.newDirectoryStream(path.getParent())) {
            last = !others.iterator().hasNext();
        }
        if (last) {
            Files.deleteIfExists(path.getParent());
        }
    }
}
