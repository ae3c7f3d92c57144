package io.berth.backend.local;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file that a worker process appends its output to. The process writes directly, so it can continue when this
 * process dies. The size is bounded: the file is copied and then truncated, which an appending writer does not notice.
 */
record WorkerLog(Path file) {

    private static final Logger LOG = LoggerFactory.getLogger(WorkerLog.class);
    private static final String SUFFIX = ".log";
    private static final int TAIL_BYTES = 4_096;
    private static final int TAIL_LINES = 5;
    private static final int TAIL_CHARS = 600;

    static WorkerLog in(Path directory, String worker) {
        return new WorkerLog(directory.resolve(worker + SUFFIX));
    }

    private Path older() {
        return file.resolveSibling(file.getFileName() + ".1");
    }

    /**
     * Rotates the file when it exceeds the bound. What cannot be copied, because the disk is full for example, is
     * dropped.
     */
    void bound(long mostBytes) throws IOException {
        if (!Files.exists(file) || Files.size(file) <= mostBytes) {
            return;
        }
        try {
            // First, because it may be what fills the disk.
            Files.deleteIfExists(older());
            Files.copy(file, older());
        } catch (IOException failure) {
            LOG.warn("backend local: {} is cut without a copy, because {} cannot be written", file, older(), failure);
            older().toFile().delete();
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(0);
        }
    }

    /** The last lines, as one line of bounded length; empty without output. */
    String tail() {
        try (RandomAccessFile content = new RandomAccessFile(file.toFile(), "r")) {
            long from = Math.max(0, content.length() - TAIL_BYTES);
            byte[] bytes = new byte[(int) Math.min(TAIL_BYTES, content.length() - from)];
            content.seek(from);
            content.readFully(bytes);
            String[] lines = new String(bytes, StandardCharsets.UTF_8).strip().split("\\R");
            String tail = String.join(
                    " | ", Arrays.asList(lines).subList(Math.max(0, lines.length - TAIL_LINES), lines.length));
            return tail.length() <= TAIL_CHARS ? tail : "..." + tail.substring(tail.length() - TAIL_CHARS);
        } catch (IOException unreadable) {
            return "";
        }
    }

    /** Removes all but the newest logs. Those of running workers are always among the newest. */
    static void prune(Path directory, int kept, List<Path> inUse) throws IOException {
        List<Path> logs;
        try (Stream<Path> files = Files.list(directory)) {
            logs = files.filter(path -> path.toString().endsWith(SUFFIX) && !inUse.contains(path))
                    .sorted(Comparator.comparing((Path path) -> path.toFile().lastModified())
                            .reversed())
                    .toList();
        }
        for (Path log : logs.subList(Math.min(kept, logs.size()), logs.size())) {
            Files.deleteIfExists(log);
            Files.deleteIfExists(new WorkerLog(log).older());
        }
    }
}
