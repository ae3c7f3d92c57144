package io.berth.core.policies.journal;

import io.berth.core.api.operations.PolicyMetrics.DecisionType;
import io.berth.core.policies.frame.DecisionFrame;
import io.berth.core.policies.frame.RecordedDecision;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The segments of a journal: files of bounded size together, of which the oldest ones are deleted. What is written goes
 * to the operating system at once, and to the disk when a segment ends. Confined to the thread of the journal.
 */
final class JournalFiles implements AutoCloseable {

    private static final String PREFIX = "decisions-";
    private static final String SUFFIX = ".journal";
    private static final int SEGMENTS = 8;

    private final JournalSettings settings;
    private final int maxKnown;
    private final long segmentBytes;
    private final long first;
    private long next;
    private @Nullable FileChannel channel;
    private FrameOutput output = new FrameOutput();
    /** Pools whose state is in the segment. */
    private final Set<String> stated = new HashSet<>();
    /** How many values of the segment came with the first states of these pools. */
    private int knownOfStates;

    private long written;

    /**
     * @param maxKnown a segment also ends when it knows so many values more than twice those of the states in it, because
     *     they are kept in memory until then
     */
    JournalFiles(JournalSettings settings, int maxKnown) throws IOException {
        this.settings = settings;
        this.maxKnown = maxKnown;
        this.segmentBytes = settings.bytes() / SEGMENTS;
        Files.createDirectories(settings.folder());
        List<Path> before = segments(settings.folder());
        this.first = before.isEmpty() ? 1 : number(before.get(before.size() - 1)) + 1;
        this.next = first;
    }

    /** Number of the first segment of this process. */
    long first() {
        return first;
    }

    /** The segments of a folder, oldest first. */
    static List<Path> segments(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().matches(PREFIX + "[0-9]{12}" + SUFFIX))
                    .sorted()
                    .toList();
        }
    }

    static long number(Path segment) {
        String name = segment.getFileName().toString();
        return Long.parseLong(name.substring(PREFIX.length(), name.length() - SUFFIX.length()));
    }

    /**
     * Writes a decision.
     *
     * @return whether another segment began after it, which should have the state of each pool
     * @throws IOException when it could not be written; the segment has ended
     */
    boolean write(RecordedDecision frame, long wallMillis) throws IOException {
        try {
            FileChannel to = open(wallMillis);
            output.begin();
            int known = output.known();
            byte type = JournalFormat.write(output, frame);
            put(to, JournalFormat.entry(type, output.bytes(), output.size()));
            if (frame instanceof DecisionFrame decision
                    && decision.before().isPresent()
                    && stated.add(decision.pool())) {
                knownOfStates += output.known() - known;
            }
            if (written < segmentBytes && output.known() < maxKnown + 2L * knownOfStates) {
                return false;
            }
            endSegment();
            return true;
        } catch (IOException | RuntimeException failure) {
            abandon();
            throw failure;
        }
    }

    void gap(DecisionType type, String pool, long frames, long wallMillis) throws IOException {
        try {
            put(open(wallMillis), JournalFormat.gap(type, pool, frames));
        } catch (IOException failure) {
            abandon();
            throw failure;
        }
    }

    private FileChannel open(long wallMillis) throws IOException {
        FileChannel present = channel;
        if (present != null) {
            return present;
        }
        makeRoom(segmentBytes);
        Path file = settings.folder().resolve(String.format("%s%012d%s", PREFIX, next, SUFFIX));
        FileChannel opened = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        next++;
        channel = opened;
        output = new FrameOutput();
        stated.clear();
        knownOfStates = 0;
        written = 0;
        put(opened, JournalFormat.segment(wallMillis));
        return opened;
    }

    private void put(FileChannel to, byte[] entry) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(entry);
        while (bytes.hasRemaining()) {
            to.write(bytes);
        }
        written += entry.length;
    }

    /** Deletes the oldest segments until so much room is left within the limit. */
    private void makeRoom(long bytes) throws IOException {
        List<Path> segments = segments(settings.folder());
        long total = 0;
        for (Path segment : segments) {
            total += Files.size(segment);
        }
        for (Path segment : segments) {
            if (total + bytes <= settings.bytes()) {
                return;
            }
            total -= Files.size(segment);
            Files.deleteIfExists(segment);
        }
    }

    /** Deletes the oldest segment, because the disk is full; the newest one stays. */
    void deleteOldest() throws IOException {
        List<Path> segments = segments(settings.folder());
        if (segments.size() > 1) {
            Files.deleteIfExists(segments.get(0));
        }
    }

    private void endSegment() throws IOException {
        FileChannel ended = channel;
        channel = null;
        if (ended != null) {
            try (ended) {
                ended.force(false);
            }
        }
    }

    private void abandon() {
        Optional.ofNullable(channel).ifPresent(failed -> {
            try {
                failed.close();
            } catch (IOException alsoFailed) {
                // The write that failed is reported.
            }
        });
        channel = null;
    }

    @Override
    public void close() throws IOException {
        endSegment();
    }
}
