package io.berth.runtime.dataflow.files;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiPredicate;

/**
 * Publishes the files of one vertex of one job by renaming them. A hidden manifest, {@code .berth-JOB.VERTEX}, names
 * the files that the job has published in the directory. When the job runs again with another parallelism, files that
 * it no longer writes are removed. A repeated commit, after a complete one or after one that was interrupted anywhere,
 * ends with the same files.
 *
 * <p>The first line of the manifest is the execution that wrote it. A worker that continues after a later execution
 * has committed is rejected. A commit removes the hidden files of earlier executions before it publishes its own, so a
 * worker that continues in the middle of its commit finds nothing to publish.
 */
final class FileCommit {

    private final Path directory;
    private final String job;
    private final String prefix;
    private final Execution execution;

    /** An execution of the job. Later ones are greater. */
    record Execution(long epoch, long number) implements Comparable<Execution> {

        static final Execution NONE = new Execution(0, 0);

        /** Reads what {@link #toString} wrote. */
        static Execution parse(String text) {
            int dot = text.indexOf('.');
            return new Execution(Long.parseLong(text.substring(0, dot)), Long.parseLong(text.substring(dot + 1)));
        }

        @Override
        public int compareTo(Execution other) {
            int byEpoch = Long.compare(epoch, other.epoch);
            return byEpoch != 0 ? byEpoch : Long.compare(number, other.number);
        }

        @Override
        public String toString() {
            return epoch + "." + number;
        }
    }

    /** From a hidden name to the visible one. */
    record Rename(String temporaryName, String finalName) {}

    /** What the job has published, and in which execution; 0 for none. */
    private record Manifest(Execution execution, Set<String> names) {}

    FileCommit(Path directory, String job, String vertex, Execution execution) {
        this.directory = directory;
        this.job = job;
        this.prefix = ".berth-" + job + "." + encoded(vertex);
        this.execution = execution;
    }

    /** Different for different vertices, and without a dot, because dots separate the parts of hidden names. */
    private static String encoded(String vertex) {
        StringBuilder name = new StringBuilder();
        for (char each : vertex.toCharArray()) {
            boolean plain = each < 128 && Character.isLetterOrDigit(each) || each == '-';
            name.append(plain ? String.valueOf(each) : each == '_' ? "__" : String.format("_%04x", (int) each));
        }
        return name.toString();
    }

    /** @param attempt of the task, without a dot */
    String temporaryName(String attempt) {
        return prefix + "." + execution + "." + attempt + ".tmp";
    }

    void run(List<Rename> renames) throws IOException {
        Set<String> wanted = new TreeSet<>();
        renames.forEach(rename -> wanted.add(rename.finalName()));
        Manifest shown = readManifest(manifest());
        requireNoneLater(shown);
        requireOwn(wanted);
        Set<String> all = new TreeSet<>(shown.names());
        all.addAll(wanted);
        // Written before anything is published: an execution that continues after a crash knows all files that may
        // exist.
        writeManifest(all);
        removeHidden((made, by) -> made.compareTo(execution) < 0);
        for (Rename rename : renames) {
            show(rename, shown);
        }
        requireNoneLater(readManifest(manifest()));
        for (String name : all) {
            if (!wanted.contains(name)) {
                Files.deleteIfExists(directory.resolve(name));
            }
        }
        writeManifest(wanted);
        removeHidden((made, by) -> made.equals(execution));
        force(directory);
    }

    /**
     * Publishes one complete file under a name that no other attempt uses.
     *
     * @throws FileAlreadyExistsException when there is a file of that name
     */
    void publish(Rename rename) throws IOException {
        Path target = directory.resolve(rename.finalName());
        if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
            throw new FileAlreadyExistsException(
                    target.toString(),
                    null,
                    "is there already and is not replaced: remove it, or write to another path");
        }
        Files.move(directory.resolve(rename.temporaryName()), target, StandardCopyOption.ATOMIC_MOVE);
        force(directory);
    }

    /** Removes the hidden files of earlier executions, and of earlier attempts of the subtask in this one. */
    void removeEarlier(int subtask) throws IOException {
        removeHidden(
                (made, by) -> made.compareTo(execution) < 0 || made.equals(execution) && by.startsWith(subtask + "-"));
    }

    private void requireNoneLater(Manifest shown) throws FileSystemException {
        if (shown.execution().compareTo(execution) > 0) {
            throw new FileSystemException(
                    manifest().toString(),
                    null,
                    "execution " + shown.execution() + " of the job has committed; execution " + execution
                            + " is older and must not");
        }
    }

    // The Dispatcher rejects two sinks with one target, but cannot know which paths lead to the same directory.
    private void requireOwn(Set<String> wanted) throws IOException {
        try (DirectoryStream<Path> manifests = Files.newDirectoryStream(directory, this::isOfAnotherVertex)) {
            for (Path other : manifests) {
                for (String name : readManifest(other).names()) {
                    if (wanted.contains(name)) {
                        throw new FileSystemException(
                                directory.resolve(name).toString(),
                                null,
                                "another file-sink of this job has written this file: give each file-sink a file or"
                                        + " path of its own (see " + other + ")");
                    }
                }
            }
        }
    }

    private boolean isOfAnotherVertex(Path entry) {
        String name = entry.getFileName().toString();
        String ofJob = ".berth-" + job + ".";
        return name.startsWith(ofJob) && name.indexOf('.', ofJob.length()) < 0 && !name.equals(prefix);
    }

    /** @param before what was published before this commit began */
    private void show(Rename rename, Manifest before) throws IOException {
        Path temporary = directory.resolve(rename.temporaryName());
        Path target = directory.resolve(rename.finalName());
        try {
            Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (NoSuchFileException e) {
            if (!Files.exists(target)) {
                throw new FileSystemException(
                        temporary.toString(), target.toString(), "neither the written file nor the result exists");
            }
            if (!before.names().contains(rename.finalName())
                    || before.execution().compareTo(madeBy(rename)) < 0) {
                throw new FileSystemException(
                        temporary.toString(),
                        target.toString(),
                        "the written file is gone, and the result is another one");
            }
        }
    }

    /** The execution that wrote the hidden file. */
    private Execution madeBy(Rename rename) {
        String[] parts = rename.temporaryName().substring(prefix.length() + 1).split("\\.");
        return new Execution(Long.parseLong(parts[0]), Long.parseLong(parts[1]));
    }

    private Path manifest() {
        return directory.resolve(prefix);
    }

    private static Manifest readManifest(Path file) throws IOException {
        try {
            List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
            return new Manifest(Execution.parse(lines.get(0)), new TreeSet<>(lines.subList(1, lines.size())));
        } catch (NoSuchFileException e) {
            return new Manifest(Execution.NONE, new TreeSet<>());
        } catch (NumberFormatException | IndexOutOfBoundsException e) {
            throw new FileSystemException(file.toString(), null, "is not a manifest: remove it if nothing needs it");
        }
    }

    private void writeManifest(Set<String> names) throws IOException {
        Path fresh = directory.resolve(prefix + "." + execution + ".manifest.tmp");
        List<String> lines = new ArrayList<>(names);
        lines.add(0, execution.toString());
        Files.write(fresh, lines, StandardCharsets.UTF_8);
        force(fresh);
        Files.move(fresh, manifest(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    // Left by attempts that were killed, or still being written by attempts that do not know yet that they are
    // superseded.
    private void removeHidden(BiPredicate<Execution, String> which) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory, prefix + ".*.*.*.tmp")) {
            for (Path entry : entries) {
                String[] parts = entry.getFileName()
                        .toString()
                        .substring(prefix.length() + 1)
                        .split("\\.");
                if (which.test(new Execution(Long.parseLong(parts[0]), Long.parseLong(parts[1])), parts[2])) {
                    Files.deleteIfExists(entry);
                }
            }
        }
    }

    private static void force(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
