package io.berth.runtime.process;

import io.berth.core.api.task.AttemptId;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The directory of one attempt, which is removed when the attempt has ended. For one thread. */
record TaskDirectory(Path path) {

    private static final Logger LOG = LoggerFactory.getLogger(TaskDirectory.class);
    private static final String SCRIPT = "script";

    /** Creates it below the folder of the tasks. */
    static TaskDirectory create(Path tasks, AttemptId attempt) throws IOException {
        String name = attempt.job().value() + "." + attempt.chain() + "." + attempt.subtask() + "."
                + Long.toString(attempt.epoch(), 36) + "." + attempt.execution() + "." + attempt.restart();
        Path path = tasks.resolve(name);
        delete(path);
        Files.createDirectories(path);
        return new TaskDirectory(path.toAbsolutePath());
    }

    /** Writes the script as a file that may be executed. */
    Path script(String text) throws IOException {
        Path file = path.resolve(SCRIPT);
        Files.writeString(file, text);
        Files.setPosixFilePermissions(
                file,
                Set.of(
                        PosixFilePermission.OWNER_READ,
                        PosixFilePermission.OWNER_WRITE,
                        PosixFilePermission.OWNER_EXECUTE));
        return file;
    }

    void delete() {
        delete(path);
    }

    /** Removes a folder with all that is in it; what cannot be removed stays. */
    static void delete(Path folder) {
        if (!Files.exists(folder)) {
            return;
        }
        Deleting deleting = new Deleting();
        try {
            Files.walkFileTree(folder, deleting);
        } catch (IOException failure) {
            deleting.failure = Optional.of(failure);
        }
        deleting.failure.ifPresent(
                failure -> LOG.warn("directory {} of a task is not removed: {}", folder, failure.toString()));
    }

    /** Goes on after a failure. */
    private static final class Deleting extends SimpleFileVisitor<Path> {

        private Optional<IOException> failure = Optional.empty();

        private FileVisitResult delete(Path path) {
            try {
                Files.deleteIfExists(path);
            } catch (IOException remains) {
                fail(remains);
            }
            return FileVisitResult.CONTINUE;
        }

        private void fail(IOException next) {
            // A directory is not empty because of the first failure.
            failure = failure.or(() -> Optional.of(next));
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            return delete(file);
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException unreadable) {
            fail(unreadable);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException unreadable) {
            return delete(visited);
        }
    }
}
