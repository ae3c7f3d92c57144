package io.berth.ha.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Optional;

/**
 * What others see of the holder of a lock file: it writes to the file as long as it lives, so the time changes. Times are
 * compared with one another only, so no clock has to be right.
 */
record LifeSign(Object file, FileTime modified) {

    /** Empty when there is no such file. Opens nothing. */
    static Optional<LifeSign> of(Path file) throws IOException {
        try {
            BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return Optional.of(new LifeSign(now.fileKey(), now.lastModifiedTime()));
        } catch (NoSuchFileException gone) {
            return Optional.empty();
        }
    }
}
