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
 * What others see of a lock file whose holder lives: the holder writes to the file, so the time changes. Times are
 * only compared with each other, so no clock has to be correct.
 */
record LockStamp(Object file, FileTime modified) {

    /** Empty when the file does not exist. Opens nothing. */
    static Optional<LockStamp> of(Path file) throws IOException {
        try {
            BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return Optional.of(new LockStamp(now.fileKey(), now.lastModifiedTime()));
        } catch (NoSuchFileException gone) {
            return Optional.empty();
        }
    }
}
