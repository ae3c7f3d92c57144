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
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Holds a role for one contender: a lock of the operating system on a file, which ends with the process. The lock is
 * on the file, not on its name, so the holder regularly checks that the name still refers to that file. The holder
 * regularly writes to the file to show that it lives. If it does not, another process puts its own file under the same
 * name and so takes over.
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
     * Empty when another contender, in this process or another one, holds the lock.
     *
     * @throws IOException when it is not possible to find out who holds it
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
     * Closing any channel on a file releases every lock that this process has on it, so a second contender of the same
     * process must not even open it. All class loaders share system properties.
     */
    private static String marker(Path file) throws IOException {
        return "io.berth.ha.file.open:"
                + Objects.requireNonNull(file.getParent()).toRealPath().resolve(file.getFileName());
    }

    /**
     * Takes over from a holder that is paused: another file, locked by this process, gets the name. Empty when the
     * holder shows a sign of life or is in this process, or when another process was faster.
     *
     * @param last the last sign of life of the holder
     */
    static Optional<RoleLock> takeOver(Path file, LockStamp last) throws IOException {
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
            if (aside != null && LockStamp.of(file).equals(Optional.of(last))) {
                // If there is no space for this, the new leader could not show that it lives.
                aside.renewLease();
                Files.move(own, file, StandardCopyOption.ATOMIC_MOVE);
                taken = true;
            }
            return taken && aside != null
                    ? Optional.of(new RoleLock(file, aside.channel, marker, aside.key))
                    : Optional.empty();
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

    /** Null when another process holds it, or when the file was replaced meanwhile. */
    private static @Nullable RoleLock lock(Path file, String marker) throws IOException {
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            try {
                Files.createFile(file);
            } catch (FileAlreadyExistsException there) {
                // Another candidate was faster.
            }
        }
        PosixFileAttributes before = attributes(file);
        if (!before.isRegularFile()) {
            throw new IOException("lock file " + file + " is not a file: remove it");
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

    /** Shows that this process lives, to everyone who reads {@link LockStamp}. Thread-safe. */
    void renewLease() throws IOException {
        channel.write(ByteBuffer.wrap(LIFE), 0);
    }

    /** Why the lock is no longer reliable; empty while it is. Opens nothing. */
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
                return Optional.of("lock file " + file + " is no longer writable");
            }
            return Optional.empty();
        } catch (NoSuchFileException gone) {
            return Optional.of("lock file " + file + " is gone");
        } catch (IOException failure) {
            return Optional.of("lock file " + file + " cannot be read: " + failure);
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
