package io.berth.ha.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.UserPrincipal;

/**
 * Checks a folder before anything is stored in it: it must be a real folder, not a link, and belong to the user of
 * this process.
 */
final class OwnFolder {

    private OwnFolder() {}

    /** @throws IOException names the folder, what is wrong with it and what to do */
    static void check(Path folder) throws IOException {
        PosixFileAttributes attributes =
                Files.readAttributes(folder, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (attributes.isSymbolicLink()) {
            throw new IOException(folder + " is a symbolic link to " + Files.readSymbolicLink(folder)
                    + ": configure the folder itself (io.berth.ha.file)");
        }
        if (!attributes.isDirectory()) {
            throw new IOException(folder + " is not a folder:  remove it, or configure another one (io.berth.ha.file)");
        }
        UserPrincipal self = self(folder);
        if (!attributes.owner().equals(self)) {
            throw new IOException(folder + " belongs to " + attributes.owner().getName() + ", this process runs as "
                    + self.getName() + ": give it to that user, or configure another one (io.berth.ha.file)");
        }
    }

    /** Files that this process creates belong to its user. */
    private static UserPrincipal self(Path folder) throws IOException {
        Path probe;
        try {
            probe = Files.createTempFile(folder, ".unfinished-", "");
        } catch (IOException failure) {
            throw new IOException(
                    folder + " cannot be written to: " + failure.getMessage()
                            + "; make it writable, or configure another one (io.berth.ha.file)",
                    failure);
        }
        try {
            return Files.getOwner(probe, LinkOption.NOFOLLOW_LINKS);
        } finally {
            Files.deleteIfExists(probe);
        }
    }
}
