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
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Makes the files of one vertex of one job visible, by renaming. A hidden manifest, {@code .berth-JOB.VERTEX}, names the
 * files that the job has shown in the directory: when the job runs again with other parallelism, those that it does not
 * write any more are removed. Running it again, whole or after it was cut off anywhere, ends in the same files.
 */
final class FileCommit {

    private final Path directory;
    private final String prefix;

    /** From a hidden name to the visible one. */
    record Rename(String temporaryName, String finalName) {}

    FileCommit(Path directory, String job, String vertex) {
        this.directory = directory;
        this.prefix = ".berth-" + job + "." + vertex.replaceAll("[^A-Za-z0-9_-]", "_");
    }

    String temporaryName(String attempt) {
        return prefix + "." + attempt + ".tmp";
    }

    void run(List<Rename> renames) throws IOException {
        Set<String> wanted = new TreeSet<>();
        renames.forEach(rename -> wanted.add(rename.finalName()));
        Set<String> shown = readManifest();
        Set<String> all = new TreeSet<>(shown);
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

    private Set<String> readManifest() throws IOException {
        try {
            return new TreeSet<>(Files.readAllLines(manifest(), StandardCharsets.UTF_8));
        } catch (NoSuchFileException e) {
            return new TreeSet<>();
        }
    }

    private void writeManifest(Set<String> names) throws IOException {
        Path fresh = directory.resolve(prefix + ".manifest.tmp");
        Files.write(fresh, names, StandardCharsets.UTF_8);
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
