package io.berth.runtime.process;

import io.berth.core.api.task.FailureKind;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.TimeUnit;

/**
 * A process and all that it starts, in a process group of its own. A small shell beside it holds the other end of a pipe to
 * this process: a line is the name of a signal for the group, and the end of the pipe kills the group. So nothing of a task
 * outlives its first process or the worker, however the worker ends. The shell is no child of the first process, which may wait
 * for all of its children; its parent is the init process of the system. Where the system has no {@code setsid}, as on macOS,
 * there is no group: signals reach the first process only, and the others are killed one by one. Thread-safe.
 */
final class ProcessGroup {

    /** Its name is "-" for a group, and empty for a single process: then signals go to the process. */
    private static final String WRAPPER = """
            exec 3<&0 </dev/null
            (
            (
            trap '' TERM INT HUP QUIT USR1 USR2
            while read -r s <&3; do kill -s "$s" -- "$0$$"; done
            kill -s KILL -- "$0$$"
            ) >/dev/null 2>&1 &
            )
            exec 3<&-
            exec "$@"
            """;

    private final Process process;

    private ProcessGroup(Process process) {
        this.process = process;
    }

    /**
     * Starts it.
     *
     * @param command the program, by its path, and its arguments
     * @param environment all of it
     * @throws IOException when the system cannot start a process
     */
    static ProcessGroup start(List<String> command, Path directory, SortedMap<String, String> environment)
            throws IOException {
        List<String> words = new ArrayList<>();
        boolean grouped = Executables.find("setsid", System.getenv().getOrDefault("PATH", ""), directory)
                .isPresent();
        if (grouped) {
            words.add("setsid");
        }
        words.addAll(List.of("/bin/sh", "-c", WRAPPER, grouped ? "-" : ""));
        words.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(words);
        builder.directory(directory.toFile());
        builder.environment().clear();
        builder.environment().putAll(environment);
        return new ProcessGroup(builder.start());
    }

    InputStream output() {
        return process.getInputStream();
    }

    InputStream errors() {
        return process.getErrorStream();
    }

    /** Waits for the end of the first process and returns its exit code: 128 and the number of the signal that ended it. */
    int waitFor() throws InterruptedException {
        return process.waitFor();
    }

    /** Whether the first process has ended within that time. */
    boolean waitFor(long millis) throws InterruptedException {
        return process.waitFor(millis, TimeUnit.MILLISECONDS);
    }

    int exitCode() {
        return process.exitValue();
    }

    /** Sends a signal to all processes of the group, as long as the first one runs. */
    void signal(String name) {
        if (!process.isAlive()) {
            return;
        }
        OutputStream pipe = process.getOutputStream();
        try {
            synchronized (pipe) {
                pipe.write((name + "\n").getBytes(StandardCharsets.US_ASCII));
                pipe.flush();
            }
        } catch (IOException ended) {
            // The process has ended meanwhile.
        }
    }

    /** Kills all processes of the group. What the first one has printed can still be read. */
    void kill() {
        // Those of a process that has ended have another parent, and its id may be that of another process by now.
        List<ProcessHandle> tree = process.isAlive() ? process.descendants().toList() : List.of();
        try {
            process.getOutputStream().close();
        } catch (IOException ended) {
            // What the end of the pipe does is done below too.
        }
        // Not that of the process, which closes the pipes that are still being read.
        process.toHandle().destroyForcibly();
        tree.forEach(ProcessHandle::destroyForcibly);
    }

    /** Whether the directory exists, with a message for people if it does not. */
    static void requireDirectory(Path directory, String worker) {
        if (!Files.isDirectory(directory)) {
            throw new UnusableException(
                    "directory '" + directory + "' is not a directory on worker " + worker, FailureKind.TRANSIENT);
        }
    }
}
