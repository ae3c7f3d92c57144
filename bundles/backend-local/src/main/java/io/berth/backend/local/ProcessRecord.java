package io.berth.backend.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Records a worker process for the next control plane: id and start time of the process, which together identify it,
 * and the spec that it was started for.
 */
record ProcessRecord(Path file) {

    private static final String SUFFIX = ".pid";
    private static final String UNNAMED_SPEC = "default";

    /** A process that a previous control plane started and that still runs. */
    record Leftover(String worker, String spec, ProcessHandle process, ProcessRecord record) {}

    static ProcessRecord write(Path directory, String worker, String spec, ProcessHandle process) throws IOException {
        Path file = directory.resolve(worker + SUFFIX);
        Files.writeString(file, process.pid() + " " + startOf(process) + " " + spec + "\n");
        return new ProcessRecord(file);
    }

    void remove() throws IOException {
        Files.deleteIfExists(file);
    }

    /** The recorded processes that still run. Records of others are removed. */
    static List<Leftover> leftovers(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        List<Path> files;
        try (Stream<Path> all = Files.list(directory)) {
            files = all.filter(path -> path.toString().endsWith(SUFFIX))
                    .sorted()
                    .toList();
        }
        List<Leftover> leftovers = new ArrayList<>();
        for (Path file : files) {
            ProcessRecord kept = new ProcessRecord(file);
            String[] words = Files.readString(file).strip().split(" ");
            Optional<ProcessHandle> process = running(words);
            if (process.isPresent()) {
                String name = file.getFileName().toString();
                leftovers.add(new Leftover(
                        name.substring(0, name.length() - SUFFIX.length()),
                        words.length > 2 ? words[2] : UNNAMED_SPEC,
                        process.get(),
                        kept));
            } else {
                kept.remove();
            }
        }
        return leftovers;
    }

    private static Optional<ProcessHandle> running(String[] words) {
        if (words.length < 2 || words.length > 3 || !words[0].matches("[0-9]{1,18}")) {
            return Optional.empty();
        }
        return ProcessHandle.of(Long.parseLong(words[0]))
                .filter(process -> process.isAlive() && startOf(process).equals(words[1]));
    }

    private static String startOf(ProcessHandle process) {
        return process.info().startInstant().map(Object::toString).orElse("unknown");
    }
}
