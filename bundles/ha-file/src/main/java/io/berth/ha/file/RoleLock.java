package io.berth.ha.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Optional;

/**
 * Holds a role for one contender: a lock of the operating system on a file, which ends with the process however it ends.
 * The lock is on the file, not on its name, so whoever holds it looks now and then whether the name still means that
 * file. It shows now and then that it lives, by writing to the file; the place of one that does not is taken by a file
 * under the same name.
 */
final class RoleLock implements AutoCloseable {

    private static final byte[] LIFE =
            ("process " + ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.US_ASCII);

    private final Path file;
    private final FileChannel channel;
    private final String marker;
    private final Object key;

    private RoleLock(Path file, FileChannel channel, String marker, Object key) {
        this.file = file;
        this.channel = channel;
        this.marker = marker;
        this.key = key;
    }

    /**
     * Empty when another contender holds it, of this process or another.
     *
     * @throws IOException when it cannot be told who holds it
     */
    static Optional<RoleLock> tryAcquire(Path file) throws IOException {
        String marker = marker(file);
        if (System.getProperties().putIfAbsent(marker, "true") != null) {
            return Optional.empty();
        }
        RoleLock lock = null;
        try {
            lock = lock(file, marker);
            return Optional.ofNullable(lock);
        } finally {
            if (lock == null) {
                System.clearProperty(marker);
            }
        }
    }

    /**
     * Closing any channel on a file gives up every lock that this process has on it, so a second contender of the same
     * process must not even open it. A system property is seen by all class loaders.
     */
    private static String marker(Path file) throws IOException {
        return "io.berth.ha.file.open:" + file.getParent().toRealPath().resolve(file.getFileName());
    }

    /**
     * Takes the place of a holder that stands still: another file, held by this process, gets the name. Empty when it
     * shows a sign of life, is of this process, or another one was faster.
     *
     * @param last sign of life that it showed
     */
    static Optional<RoleLock> takeOver(Path file, LifeSign last) throws IOException {
        String marker = marker(file);
        if (System.getProperties().putIfAbsent(marker, "true") != null) {
            return Optional.empty();
        }
        Path own = file.resolveSibling(
                ".unfinished-lock-" + ProcessHandle.current().pid());
        RoleLock aside = null;
        boolean taken = false;
        try {
            Files.deleteIfExists(own);
            aside = lock(own, marker);
            if (aside != null && LifeSign.of(file).equals(Optional.of(last))) {
                // Where there is no room for this, the new leader could not show that it lives.
                aside.showLife();
                Files.move(own, file, StandardCopyOption.ATOMIC_MOVE);
                taken = true;
            }
            return taken ? Optional.of(new RoleLock(file, aside.channel, marker, aside.key)) : Optional.empty();
        } finally {
            if (!taken) {
                if (aside == null) {
                    System.clearProperty(marker);
                } else {
                    aside.close();
                }
                Files.deleteIfExists(own);
            }
        }
    }

    /** Null when another process holds it, or the file was exchanged meanwhile. */
    private static RoleLock lock(Path file, String marker) throws IOException {
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            try {
                Files.createFile(file);
            } catch (FileAlreadyExistsException there) {
                // Another candidate was faster.
            }
        }
        PosixFileAttributes before = attributes(file);
        if (!before.isRegularFile()) {
            throw new IOException("lock file " + file + " is no file: remove it");
        }
        FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        try {
            if (channel.tryLock() != null
                    && before.fileKey().equals(attributes(file).fileKey())) {
                RoleLock held = new RoleLock(file, channel, marker, before.fileKey());
                channel = null;
                return held;
            }
            return null;
        } finally {
            if (channel != null) {
                channel.close();
            }
        }
    }

    /** Shows that this process lives, to whoever looks at {@link LifeSign}. Any thread. */
    void showLife() throws IOException {
        channel.write(ByteBuffer.wrap(LIFE), 0);
    }

    /** Why it cannot be relied on any more; empty while it can. Opens nothing. */
    Optional<String> problem() {
        if (!channel.isOpen()) {
            return Optional.of("its lock was closed");
        }
        try {
            PosixFileAttributes now = attributes(file);
            if (!key.equals(now.fileKey())) {
                return Optional.of("lock file " + file + " was replaced");
            }
            if (!now.permissions().contains(PosixFilePermission.OWNER_WRITE)) {
                return Optional.of("lock file " + file + " is not writable any more");
            }
            return Optional.empty();
        } catch (NoSuchFileException gone) {
            return Optional.of("lock file " + file + " is gone");
        } catch (IOException failure) {
            return Optional.of("lock file " + file + " cannot be looked at: " + failure);
        }
    }

    private static PosixFileAttributes attributes(Path file) throws IOException {
        return Files.readAttributes(file, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }

    @Override
    public void close() throws IOException {
        try {
            channel.close();
        } finally {
            System.clearProperty(marker);
        }
    }
}
