package io.berth.spi.backend;

import java.nio.file.Path;
import java.util.Objects;

/**
 * All files that a worker process needs, in one ZIP file on the machine of the control plane. They are the same for all
 * workers. A backend that starts workers elsewhere copies the file there, checks it, and unpacks it once into a folder.
 */
public final class WorkerArchive {

    private final Path path;
    private final long size;
    private final String sha256;

    private WorkerArchive(Path path, long size, String sha256) {
        this.path = Objects.requireNonNull(path, "path");
        if (size < 0) {
            throw new IllegalArgumentException("size of the archive is " + size + ": at least 0 is allowed");
        }
        if (!sha256.matches("[0-9a-f]{64}")) {
            throw new IllegalArgumentException(
                    "SHA-256 of the archive is '" + sha256 + "': allowed are 64 hexadecimal digits in lower case");
        }
        this.size = size;
        this.sha256 = sha256;
    }

    /**
     * @param path of the file
     * @param size in bytes
     * @param sha256 of its content, 64 hexadecimal digits in lower case
     * @throws IllegalArgumentException when the size is negative, or the hash has other digits
     */
    public static WorkerArchive of(Path path, long size, String sha256) {
        return new WorkerArchive(path, size, sha256);
    }

    /** The file; it stays until the control plane packs another one. */
    public Path path() {
        return path;
    }

    /** In bytes. */
    public long size() {
        return size;
    }

    /** Of its content, 64 hexadecimal digits in lower case. The same files make the same archive. */
    public String sha256() {
        return sha256;
    }

    @Override
    public String toString() {
        return path + " (" + size + " bytes, SHA-256 " + sha256 + ")";
    }
}
