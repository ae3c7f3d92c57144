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
 * What the file system says about a folder and one file in it. While it stays the same, and the last change is some
 * time ago, no file was added, removed or replaced in the folder, and nobody wrote to the file.
 */
record FolderStamp(Object folder, FileTime folderTime, Object file, FileTime fileTime, long fileSize) {

    /** Empty when the folder or the file does not exist. */
    static Optional<FolderStamp> of(Path folder, Path file) throws IOException {
        try {
            BasicFileAttributes folderNow = attributes(folder);
            BasicFileAttributes fileNow = attributes(file);
            return Optional.of(new FolderStamp(
                    folderNow.fileKey(),
                    folderNow.lastModifiedTime(),
                    fileNow.fileKey(),
                    fileNow.lastModifiedTime(),
                    fileNow.size()));
        } catch (NoSuchFileException gone) {
            return Optional.empty();
        }
    }

    private static BasicFileAttributes attributes(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }

    /** The time of the last change, in milliseconds of the wall clock. */
    long changedMillis() {
        return Math.max(folderTime.toMillis(), fileTime.toMillis());
    }
}
