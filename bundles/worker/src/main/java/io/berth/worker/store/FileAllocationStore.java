package io.berth.worker.store;

import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequest;
import io.berth.spi.WorkerId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Allocations in one text file of a folder: a line each with a checksum of its own, below a line that names the format,
 * the worker and the number of lines. The file is replaced as a whole. A line that does not have its checksum is left out
 * with a warning, and so is the file of another worker.
 *
 * <p>The folder also keeps the epoch of the worker's last session, so that the next one is newer although the clock of the
 * machine was set back.
 */
public final class FileAllocationStore implements AllocationStore {

    /** Name of the folder below the work folder of the worker. */
    public static final String FOLDER = "allocations";

    private static final Logger LOG = LoggerFactory.getLogger(FileAllocationStore.class);
    private static final String FORMAT = "berth-allocations-1";
    private static final String SESSION_FORMAT = "berth-session-1";
    private static final long MAX_BYTES = 16L << 20;

    private final Path folder;
    private final WorkerId worker;

    public FileAllocationStore(Path folder, WorkerId worker) {
        this.folder = folder;
        this.worker = worker;
    }

    /** An epoch above that of every session that was begun in this folder: the wall time, unless that went back. */
    public long nextSession(long wallMillis) throws IOException {
        long last = 0;
        List<String> lines = read(folder.resolve("session"));
        Optional<String> text = lines.isEmpty() ? Optional.empty() : verified(lines.get(0));
        if (text.filter(line -> line.startsWith(SESSION_FORMAT + " ")).isPresent()) {
            last = Long.parseLong(text.get().substring(SESSION_FORMAT.length() + 1));
        } else if (!lines.isEmpty()) {
            LOG.warn("worker {}: the record of the last session in {} is damaged: ignored", worker, folder);
        }
        long next = Math.max(wallMillis, last + 1);
        replace("session", List.of(SESSION_FORMAT + " " + next));
        return next;
    }

    @Override
    public List<SlotRequest> load() throws IOException {
        Path file = folder.resolve("slots");
        List<String> lines = read(file);
        if (lines.isEmpty()) {
            return List.of();
        }
        List<SlotRequest> allocations = new ArrayList<>();
        String expected = FORMAT + " " + AllocationText.escape(worker.value()) + " ";
        Optional<String> head = verified(lines.get(0)).filter(line -> line.startsWith(expected));
        if (head.isEmpty()) {
            LOG.warn(
                    "worker {}: {} is damaged, of another version or of another worker: its allocations are ignored",
                    worker,
                    file);
            return List.of();
        }
        for (String line : lines.subList(1, lines.size())) {
            Optional<SlotRequest> allocation = verified(line).flatMap(AllocationText::read);
            if (allocation.isEmpty()) {
                LOG.warn("worker {}: a damaged record in {} is ignored", worker, file);
            }
            allocation.ifPresent(allocations::add);
        }
        String written = head.get().substring(expected.length());
        if (!written.equals(String.valueOf(allocations.size()))) {
            LOG.warn(
                    "worker {}: {} holds {} whole records of {}: the slots of the others are free",
                    worker,
                    file,
                    allocations.size(),
                    written);
        }
        return allocations;
    }

    @Override
    public void write(List<SlotRequest> allocations) throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add(FORMAT + " " + AllocationText.escape(worker.value()) + " " + allocations.size());
        allocations.forEach(allocation -> lines.add(AllocationText.write(allocation)));
        replace("slots", lines);
    }

    private List<String> read(Path file) throws IOException {
        if (!Files.exists(file)) {
            return List.of();
        }
        long size = Files.size(file);
        if (size > MAX_BYTES) {
            LOG.warn("worker {}: {} has {} bytes, at most {} are read: ignored", worker, file, size, MAX_BYTES);
            return List.of();
        }
        // Never fails on a damaged byte: the checksum tells.
        return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1)
                .lines()
                .toList();
    }

    private void replace(String name, List<String> lines) throws IOException {
        Files.createDirectories(folder);
        StringBuilder text = new StringBuilder();
        lines.forEach(
                line -> text.append(checksum(line)).append(' ').append(line).append('\n'));
        Path part = folder.resolve(name + ".part");
        try (FileChannel channel = FileChannel.open(
                part, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            ByteBuffer bytes = ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.ISO_8859_1));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        Files.move(part, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
        try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
            names.force(true);
        }
    }

    private static Optional<String> verified(String line) {
        int space = line.indexOf(' ');
        return Optional.of(line)
                .filter(present -> space > 0)
                .map(present -> present.substring(space + 1))
                .filter(text -> checksum(text).equals(line.substring(0, space)));
    }

    private static String checksum(String text) {
        CRC32C checksum = new CRC32C();
        checksum.update(text.getBytes(StandardCharsets.ISO_8859_1));
        return Long.toHexString(checksum.getValue());
    }
}
