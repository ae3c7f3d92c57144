package io.berth.spi.backend;

import java.nio.file.Path;
import java.util.Objects;

/**
 * All files that a worker process needs, in one ZIP file on the machine of the control plane. They are the same for all
 * workers. A backend that starts workers elsewhere copies the file there, checks it, and unpacks it once into a folder.
 *
 * @param path of the file; it stays until the control plane packs another one
 * @param size in bytes
 * @param sha256 of its content, 64 hexadecimal digits in lower case. The same files make the same archive
 */
public record WorkerArchive(Path path, long size, String sha256) {

    public WorkerArchive {
        Objects.requireNonNull(path, "path");
        if (size < 0) {
            throw new IllegalArgumentException("size of the archive is " + size + ": at least 0 is allowed");
        }
        if (!sha256.matches("[0-9a-f]{64}")) {
            throw new IllegalArgumentException(
                    "SHA-256 of the archive is '" + sha256 + "': allowed are 64 hexadecimal digits in lower case");
        }
    }
}
