package io.berth.ha.file;

import io.berth.spi.ha.SupersededException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The folder with the records of a part. Its name contains the epoch that owns it. A greater epoch takes it by
 * renaming it, one step of the file system. The previous owner then finds nothing under the old name, even if it was
 * paused in the middle of a write. Files that it had already renamed into the folder are kept.
 *
 * <p>A part has one such folder from the start, with epoch 0, which has no owner. No folder is ever added. If a
 * listing shows none, it was made during a rename; a process that believed it would start without the records.
 */
record TermFolder(Path part, long epoch) {

    private static final Pattern NAME = Pattern.compile("term-([0-9a-f]{16})");
    /** More than the leaders that can take it at the same time. */
    private static final int TRIES = 20;

    Path path() {
        return part.resolve(String.format("term-%016x", epoch));
    }

    /** Whether no other epoch has taken it since. */
    boolean isMine() {
        return Files.isDirectory(path(), LinkOption.NOFOLLOW_LINKS);
    }

    /**
     * Takes the folder of a part; creates the part if there is none.
     *
     * @throws SupersededException when a greater epoch has taken it
     * @throws IOException when the part does not belong to the user, or has files but no such folder
     */
    static TermFolder take(Path part, long epoch) throws IOException {
        TermFolder mine = new TermFolder(part, epoch);
        if (!Files.exists(part, LinkOption.NOFOLLOW_LINKS)) {
            begin(part);
        }
        OwnFolder.check(part);
        for (int i = 0; i < TRIES; i++) {
            if (mine.tryTake()) {
                force(part);
                return mine;
            }
        }
        if (mine.epochs().isEmpty()) {
            throw new IOException("metadata folder " + part + " has files, but no folder of an epoch (term-EPOCH): put"
                    + " that back, or move the files away to start with an empty part");
        }
        throw new IOException("metadata folder " + part + " is taken by other epochs again and again");
    }

    private boolean tryTake() throws IOException {
        TreeSet<Long> before = epochs();
        if (before.isEmpty()) {
            begin(part);
            return false;
        }
        requireGreatest(before);
        if (before.last() < epoch && !rename(before.last())) {
            return false;
        }
        TreeSet<Long> after = epochs();
        if (!after.contains(epoch)) {
            return false;
        }
        requireGreatest(after);
        return true;
    }

    /**
     * Creates a part that is missing or an empty folder, with the folder of epoch 0 in it, in one step. Does nothing
     * when it contains files, also when another process created it at the same time.
     */
    private static void begin(Path part) throws IOException {
        RecordDirectory.create(Objects.requireNonNull(part.getParent()));
        Path begun = part.resolveSibling(".unfinished-" + part.getFileName() + "-" + UUID.randomUUID());
        Path first = new TermFolder(begun, 0).path();
        Files.createDirectories(first);
        force(begun);
        try {
            Files.move(begun, part, StandardCopyOption.ATOMIC_MOVE);
            force(Objects.requireNonNull(part.getParent()));
        } catch (FileSystemException thereAlready) {
            Files.deleteIfExists(first);
            Files.deleteIfExists(begun);
            if (!Files.isDirectory(part)) {
                throw thereAlready;
            }
        }
    }

    private boolean rename(long from) throws IOException {
        try {
            Files.move(new TermFolder(part, from).path(), path(), StandardCopyOption.ATOMIC_MOVE);
            return true;
        } catch (NoSuchFileException takenByAnother) {
            return false;
        }
    }

    private void requireGreatest(TreeSet<Long> epochs) throws SupersededException {
        if (epochs.last() > epoch) {
            throw superseded(epochs.last());
        }
    }

    /** What a former owner receives. */
    SupersededException superseded() {
        try {
            TreeSet<Long> epochs = epochs();
            return superseded(epochs.isEmpty() ? 0 : epochs.last());
        } catch (IOException unknown) {
            return superseded(0);
        }
    }

    private SupersededException superseded(long by) {
        return new SupersededException(
                "metadata " + part + " belongs to " + (by > epoch ? "epoch " + by : "another epoch")
                        + ", this is epoch " + epoch + ": its leader no longer leads. Processes that"
                        + " share the folder must share that of the election as well (io.berth.ha.file.election, key"
                        + " directory)");
    }

    private TreeSet<Long> epochs() throws IOException {
        TreeSet<Long> epochs = new TreeSet<>();
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(part, "term-*")) {
            for (Path folder : folders) {
                Matcher name = NAME.matcher(folder.getFileName().toString());
                if (name.matches()) {
                    epochs.add(Long.parseUnsignedLong(name.group(1), 16));
                }
            }
        } catch (DirectoryIteratorException failure) {
            throw failure.getCause();
        }
        return epochs;
    }

    private static void force(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    @Override
    public String toString() {
        return path().toString();
    }
}
