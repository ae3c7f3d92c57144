package io.berth.security.authority;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/** Files and folders that only their owner can read. They are replaced whole, so no reader sees half of one. */
final class PrivateFiles {

    private PrivateFiles() {}

    /** Creates a folder, and those above it; one that exists stays as it is. */
    static void createFolder(Path folder) throws IOException {
        Files.createDirectories(folder, permissions("rwx------"));
    }

    static void write(Path file, String text) throws IOException {
        Path next = file.resolveSibling(file.getFileName() + ".next");
        Files.deleteIfExists(next);
        try {
            Files.createFile(next, permissions("rw-------"));
        } catch (FileAlreadyExistsException other) {
            throw new IOException(next + " is written by another process", other);
        }
        Files.writeString(next, text, StandardCharsets.US_ASCII, StandardOpenOption.WRITE);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static FileAttribute<?>[] permissions(String text) {
        return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(text))}
                : new FileAttribute<?>[0];
    }

    static AuthorityException failed(Path path, IOException failure) {
        return new AuthorityException(
                path + ": " + (failure.getMessage() == null ? failure.toString() : failure.getMessage()), failure);
    }
}
