package io.berth.core.resources.backends;

import io.berth.spi.backend.WorkerArchive;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Packs the files of workers into one file that is the same for the same files. Thread-safe; blocks. */
final class WorkerArchives {

    /** A time that every ZIP file can hold, in milliseconds: 1980-02-01. */
    private static final long ENTRY_MILLIS = 318_211_200_000L;

    private static final Map<Path, Packed> PACKED = new HashMap<>();

    /** @param state of the files when they were packed: names, sizes and times */
    private record Packed(List<String> state, WorkerArchive archive) {}

    private WorkerArchives() {}

    /**
     * The archive of the files below a folder.
     *
     * @param directory for the archive; an older one in it is replaced
     */
    static WorkerArchive of(Path home, Path directory) throws IOException {
        // Several backends may ask at once: they wait for one archive.
        synchronized (PACKED) {
            List<Path> files = files(home);
            List<String> state = state(home, files);
            Packed before = PACKED.get(directory);
            if (before != null
                    && before.state().equals(state)
                    && Files.isRegularFile(before.archive().path())) {
                return before.archive();
            }
            WorkerArchive archive = pack(home, files, directory);
            PACKED.put(directory, new Packed(state, archive));
            return archive;
        }
    }

    private static List<Path> files(Path home) throws IOException {
        if (!Files.isDirectory(home)) {
            throw new NoSuchFileException(home.toString(), null, "the files of workers are not there: see worker.home");
        }
        try (Stream<Path> tree = Files.walk(home)) {
            return tree.filter(Files::isRegularFile).sorted().toList();
        }
    }

    private static List<String> state(Path home, List<Path> files) throws IOException {
        List<String> state = new ArrayList<>();
        state.add(home.toString());
        for (Path file : files) {
            state.add(file + " " + Files.size(file) + " "
                    + Files.getLastModifiedTime(file).toMillis());
        }
        return state;
    }

    private static WorkerArchive pack(Path home, List<Path> files, Path directory) throws IOException {
        Files.createDirectories(directory);
        Path unfinished = directory.resolve("unfinished.zip");
        MessageDigest digest = sha256();
        try (OutputStream out = new BufferedOutputStream(
                        new DigestOutputStream(Files.newOutputStream(unfinished), digest), 1 << 16);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            for (Path file : files) {
                ZipEntry entry = new ZipEntry(home.relativize(file).toString().replace('\\', '/'));
                entry.setTime(ENTRY_MILLIS);
                zip.putNextEntry(entry);
                Files.copy(file, zip);
                zip.closeEntry();
            }
        }
        String hash = HexFormat.of().formatHex(digest.digest());
        try (Stream<Path> older = Files.list(directory)) {
            for (Path file : older.filter(one -> !one.equals(unfinished)).toList()) {
                Files.deleteIfExists(file);
            }
        }
        Path finished = directory.resolve("berth-worker-" + hash.substring(0, 16) + ".zip");
        Files.move(unfinished, finished, StandardCopyOption.ATOMIC_MOVE);
        return WorkerArchive.of(finished, Files.size(finished), hash);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("this Java has no SHA-256", impossible);
        }
    }
}
