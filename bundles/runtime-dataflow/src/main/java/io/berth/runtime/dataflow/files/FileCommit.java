package io.berth.runtime.dataflow.files;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Makes the files of one vertex of one job visible, by renaming. A hidden manifest, {@code .berth-JOB.VERTEX}, names the
 * files that the job has shown in the directory: when the job runs again with other parallelism, those that it does not
 * write any more are removed. Running it again, whole or after it was cut off anywhere, ends in the same files. The
 * manifest's first line is the number of the job's execution: a worker that wakes up after a later execution has
 * committed is refused.
 */
final class FileCommit {

    private final Path directory;
    private final String prefix;
    private final long execution;

    /** From a hidden name to the visible one. */
    record Rename(String temporaryName, String finalName) {}

    /** What the job has shown, and in which execution; 0 for none. */
    private record Manifest(long execution, Set<String> names) {}

    FileCommit(Path directory, String job, String vertex, long execution) {
        this.directory = directory;
        this.prefix = ".berth-" + job + "." + vertex.replaceAll("[^A-Za-z0-9_-]", "_");
        this.execution = execution;
    }

    String temporaryName(String attempt) {
        return prefix + "." + attempt + ".tmp";
    }

    void run(List<Rename> renames) throws IOException {
        Set<String> wanted = new TreeSet<>();
        renames.forEach(rename -> wanted.add(rename.finalName()));
        Manifest shown = readManifest();
        if (shown.execution() > execution) {
            throw new FileSystemException(
                    manifest().toString(),
                    null,
                    "execution " + shown.execution() + " of the job has committed, execution " + execution
                            + " must not any more");
        }
        Set<String> all = new TreeSet<>(shown.names());
        all.addAll(wanted);
        // Written before anything is shown: whoever goes on after a crash knows all that may be there.
        writeManifest(all);
        for (Rename rename : renames) {
            show(rename);
        }
        for (String name : all) {
            if (!wanted.contains(name)) {
                Files.deleteIfExists(directory.resolve(name));
            }
        }
        writeManifest(wanted);
        removeLeftOvers();
        force(directory);
    }

    private void show(Rename rename) throws IOException {
        Path temporary = directory.resolve(rename.temporaryName());
        Path target = directory.resolve(rename.finalName());
        try {
            Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (NoSuchFileException e) {
            if (!Files.exists(target)) {
                throw new FileSystemException(
                        temporary.toString(), target.toString(), "neither the written file nor the result is there");
            }
        }
    }

    private Path manifest() {
        return directory.resolve(prefix);
    }

    private Manifest readManifest() throws IOException {
        try {
            List<String> lines = Files.readAllLines(manifest(), StandardCharsets.UTF_8);
            return new Manifest(Long.parseLong(lines.get(0)), new TreeSet<>(lines.subList(1, lines.size())));
        } catch (NoSuchFileException e) {
            return new Manifest(0, new TreeSet<>());
        } catch (NumberFormatException | IndexOutOfBoundsException e) {
            throw new FileSystemException(manifest().toString(), null, "is no manifest: remove it if nothing needs it");
        }
    }

    private void writeManifest(Set<String> names) throws IOException {
        Path fresh = directory.resolve(prefix + ".manifest.tmp");
        List<String> lines = new ArrayList<>(names);
        lines.add(0, Long.toString(execution));
        Files.write(fresh, lines, StandardCharsets.UTF_8);
        force(fresh);
        Files.move(fresh, manifest(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    // Left by attempts that were killed.
    private void removeLeftOvers() throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory, prefix + ".*.tmp")) {
            for (Path entry : entries) {
                Files.deleteIfExists(entry);
            }
        }
    }

    private static void force(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
