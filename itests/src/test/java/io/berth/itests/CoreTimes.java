package io.berth.itests;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How long each thread of this process has run, and how long it has been ready to run without a core, by thread id.
 * Linux counts it; on other systems there is nothing.
 */
record CoreTimes(Map<String, Times> threads) {

    private static final Path THREADS = Path.of("/proc/self/task");
    private static final int SHOWN = 3;

    record Times(long ranNanos, long waitedNanos) {

        private static final Times NONE = new Times(0, 0);

        private Times minus(Times before) {
            return new Times(ranNanos - before.ranNanos, waitedNanos - before.waitedNanos);
        }
    }

    static CoreTimes now() {
        Map<String, Times> threads = new TreeMap<>();
        if (Files.isDirectory(THREADS)) {
            try (Stream<Path> found = Files.list(THREADS)) {
                found.forEach(thread -> read(thread.resolve("schedstat")).ifPresent(text -> {
                    String[] numbers = text.split(" ");
                    threads.put(
                            thread.getFileName().toString(),
                            new Times(Long.parseLong(numbers[0]), Long.parseLong(numbers[1])));
                }));
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }
        return new CoreTimes(threads);
    }

    /** Empty when the thread has ended. */
    private static Optional<String> read(Path file) {
        try {
            return Optional.of(Files.readString(file).strip());
        } catch (IOException ended) {
            return Optional.empty();
        }
    }

    /** The threads that have run and those that have waited the longest since then, for people. */
    String since(CoreTimes before) {
        Map<String, Times> passed = new TreeMap<>();
        threads.forEach((thread, times) ->
                passed.put(thread, times.minus(before.threads().getOrDefault(thread, Times.NONE))));
        return "ran: " + longest(passed, Times::ranNanos) + "; waited for a core: "
                + longest(passed, Times::waitedNanos);
    }

    private static String longest(Map<String, Times> passed, ToLongFunction<Times> nanos) {
        return passed.entrySet().stream()
                .sorted(Comparator.comparingLong(
                        (Map.Entry<String, Times> thread) -> -nanos.applyAsLong(thread.getValue())))
                .limit(SHOWN)
                .map(thread -> String.format(
                        Locale.ROOT,
                        "%s %.1f ms",
                        read(THREADS.resolve(thread.getKey()).resolve("comm")).orElse("an ended thread"),
                        nanos.applyAsLong(thread.getValue()) / 1_000_000.0))
                .collect(Collectors.joining(", "));
    }
}
