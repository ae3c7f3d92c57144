package io.berth.backend.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Tells a later life of the control plane of a worker process: id of the process and the moment it was started, which
 * together are the process's alone.
 */
record ProcessRecord(Path file) {

    private static final String SUFFIX = ".pid";

    /** A process that an earlier life started and that still runs. */
    record Leftover(String worker, ProcessHandle process, ProcessRecord record) {}

    static ProcessRecord write(Path directory, String worker, ProcessHandle process) throws IOException {
        Path file = directory.resolve(worker + SUFFIX);
        Files.writeString(file, process.pid() + " " + startOf(process) + "\n");
        return new ProcessRecord(file);
    }

    void remove() throws IOException {
        Files.deleteIfExists(file);
    }

    /** The processes on record that still run; the records of others are removed. */
    static List<Leftover> leftovers(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        List<Path> files;
        try (Stream<Path> all = Files.list(directory)) {
            files = all.filter(path -> path.toString().endsWith(SUFFIX)).sorted().toList();
        }
        List<Leftover> leftovers = new ArrayList<>();
        for (Path file : files) {
            ProcessRecord kept = new ProcessRecord(file);
            Optional<ProcessHandle> process = kept.running();
            if (process.isPresent()) {
                String name = file.getFileName().toString();
                leftovers.add(
                        new Leftover(name.substring(0, name.length() - SUFFIX.length()), process.get(), kept));
            } else {
                kept.remove();
            }
        }
        return leftovers;
    }

    private Optional<ProcessHandle> running() throws IOException {
        String[] words = Files.readString(file).strip().split(" ");
        if (words.length != 2 || !words[0].matches("[0-9]{1,18}")) {
            return Optional.empty();
        }
        return ProcessHandle.of(Long.parseLong(words[0]))
                .filter(process -> process.isAlive() && startOf(process).equals(words[1]));
    }

    private static String startOf(ProcessHandle process) {
        return process.info().startInstant().map(Object::toString).orElse("unknown");
    }
}
