package io.berth.ha.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Holds a directory for one opener at a time: a lock of the operating system on the file {@code lock}, which ends with
 * the process however it ends, and a file {@code holder} that says who it is.
 */
final class StoreLock implements AutoCloseable {

    static final String LOCK = "lock";
    static final String HOLDER = "holder";

    private final FileChannel channel;
    private final String marker;

    private StoreLock(FileChannel channel, String marker) {
        this.channel = channel;
        this.marker = marker;
    }

    /** @throws HeldException when another opener holds it, which the message names */
    static StoreLock acquire(Path directory) throws IOException {
        // Closing any channel on a file gives up every lock that this process has on it, so a second opener in the
        // same process must not even open it. A system property is seen by all class loaders.
        String marker = "io.berth.ha.file.open:" + directory.toRealPath();
        if (System.getProperties().putIfAbsent(marker, "true") != null) {
            throw refused(directory);
        }
        FileChannel channel = null;
        try {
            channel = FileChannel.open(
                    directory.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            FileLock lock = channel.tryLock();
            if (lock == null) {
                throw refused(directory);
            }
            Files.writeString(directory.resolve(HOLDER), "process " + ProcessHandle.current().pid());
            return new StoreLock(channel, marker);
        } catch (IOException | RuntimeException failure) {
            if (channel != null) {
                channel.close();
            }
            System.clearProperty(marker);
            throw failure;
        }
    }

    private static HeldException refused(Path directory) throws IOException {
        Path holder = directory.resolve(HOLDER);
        String name = Files.exists(holder) ? Files.readString(holder) : "another opener";
        return new HeldException("metadata directory " + directory + " is held by " + name
                + ": stop it, or configure another directory (io.berth.ha.file, key directory)");
    }

    @Override
    public void close() throws IOException {
        try {
            channel.close();
        } finally {
            System.clearProperty(marker);
        }
    }

    /** Another opener has the directory. */
    static final class HeldException extends IOException {

        private static final long serialVersionUID = 1L;

        HeldException(String message) {
            super(message);
        }
    }
}
