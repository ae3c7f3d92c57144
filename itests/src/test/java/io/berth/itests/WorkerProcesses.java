package io.berth.itests;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The worker processes of this machine. */
final class WorkerProcesses {

    /** By hand, and by a backend. */
    private static final List<String> STARTS = List.of("-jar", "-cp");

    private WorkerProcesses() {}

    /** The processes that were started from an instance: its directory is in their command line. */
    static List<ProcessHandle> below(Path home) {
        String launcher = home.resolve("worker")
                .resolve("lib")
                .resolve("berth-worker.jar")
                .toString();
        return ProcessHandle.allProcesses()
                .filter(process ->
                        STARTS.stream().anyMatch(start -> commandLine(process).contains(start + " " + launcher + " ")))
                .filter(ProcessHandle::isAlive)
                .toList();
    }

    /** Program and arguments, separated by blanks; empty when the process is gone or a zombie. */
    static String commandLine(ProcessHandle process) {
        try {
            byte[] line = Files.readAllBytes(Path.of("/proc", Long.toString(process.pid()), "cmdline"));
            return new String(line, StandardCharsets.UTF_8).replace('\0', ' ');
        } catch (IOException gone) {
            return process.info().commandLine().orElse("");
        }
    }
}
