package io.berth.core.resources.logs;

import io.berth.core.api.log.LogFilter;
import io.berth.core.api.log.LogFolder;
import io.berth.core.api.log.LogPart;
import io.berth.core.api.log.LogRequest;
import io.berth.core.api.log.TaskLogDetails;
import io.berth.spi.WorkerId;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The logs of the workers of this machine: a folder with one folder for each worker, which the workers share. All methods
 * block on files. Thread-safe.
 */
public record HostLogs(Path folder, LogBounds bounds) {

    private static final Logger LOG = LoggerFactory.getLogger(HostLogs.class);

    /** A worker that was just started may not be known yet. */
    private static final long RECENT_MILLIS = 120_000;

    private record Usage(Path folder, long bytes, long changedMillis) {}

    /** The logs of tasks of a job, except those of some workers. */
    List<TaskLogDetails> list(LogFilter filter, Set<WorkerId> except) throws IOException {
        List<TaskLogDetails> logs = new ArrayList<>();
        for (Path path : folders()) {
            String name = path.getFileName().toString();
            WorkerId worker;
            try {
                worker = new WorkerId(name);
            } catch (IllegalArgumentException stranger) {
                continue;
            }
            if (!except.contains(worker)) {
                logs.addAll(new LogFolder(path, worker).list(filter));
            }
        }
        return logs;
    }

    LogPart read(WorkerId worker, LogRequest request) throws IOException {
        return LogFolder.in(folder, worker).read(request);
    }

    /**
     * Removes logs of workers that are gone: the old ones, and then the oldest until all fit.
     *
     * @param alive workers that run or are being started
     */
    void prune(long nowMillis, Set<WorkerId> alive) {
        Optional<Exception> failed = Optional.empty();
        try {
            List<Usage> all = new ArrayList<>();
            for (Path path : folders()) {
                all.add(usage(path));
            }
            all.sort(Comparator.comparingLong(Usage::changedMillis));
            long total = all.stream().mapToLong(Usage::bytes).sum();
            Set<String> kept = alive.stream().map(WorkerId::value).collect(Collectors.toSet());
            for (Usage usage : all) {
                long age = nowMillis - usage.changedMillis();
                if (age > RECENT_MILLIS
                        && !kept.contains(usage.folder().getFileName().toString())
                        && (age > bounds.maxAgeMillis() || total > bounds.maxBytes())) {
                    try {
                        remove(usage.folder());
                        total -= usage.bytes();
                    } catch (IOException | RuntimeException failure) {
                        failed = Optional.of(failure);
                    }
                }
            }
        } catch (IOException | RuntimeException failure) {
            failed = Optional.of(failure);
        }
        failed.ifPresent(
                failure -> LOG.warn("logs of workers in {} cannot be kept in bounds: {}", folder, failure.toString()));
    }

    private List<Path> folders() throws IOException {
        List<Path> folders = new ArrayList<>();
        if (!Files.isDirectory(folder)) {
            return folders;
        }
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            for (Path entry : entries) {
                if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
                    folders.add(entry);
                }
            }
        }
        return folders;
    }

    /** What cannot be read counts as nothing: the worker is removing logs of ended tasks. */
    private static Usage usage(Path folder) throws IOException {
        Measure measure = new Measure();
        Files.walkFileTree(folder, measure);
        return new Usage(folder, measure.bytes, measure.changed);
    }

    private static final class Measure extends SimpleFileVisitor<Path> {

        private long bytes;
        /** Of a folder that is gone by now. */
        private long changed = Long.MIN_VALUE;

        @Override
        public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
            changed = Math.max(changed, attributes.lastModifiedTime().toMillis());
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            bytes += attributes.isRegularFile() ? attributes.size() : 0;
            changed = Math.max(changed, attributes.lastModifiedTime().toMillis());
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException failure) {
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure) {
            return FileVisitResult.CONTINUE;
        }
    }

    private static void remove(Path folder) throws IOException {
        try (Stream<Path> tree = Files.walk(folder)) {
            for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
        LOG.info("logs of worker {} were removed, they are old or too many", folder.getFileName());
    }
}
