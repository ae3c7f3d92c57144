package io.berth.benchmark.journal;

import io.berth.benchmark.decision.Policies;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.Pools;
import io.berth.core.policies.journal.DecisionJournal;
import io.berth.core.policies.journal.JournalSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.stream.Stream;

/** The journal of a policy host, in a temporary folder, which is deleted when this is closed. */
public final class JournalFolder implements AutoCloseable {

    /** What the name of the thread of the journal begins with. */
    static final String THREAD = "berth-benchmark-journal";

    /** So much that no file is deleted while something is measured. */
    private static final int MEBIBYTES = 1_024;

    private final ExecutorService thread = Pools.fixed(THREAD, 1);
    private final Path folder;
    private final DecisionJournal journal;

    public JournalFolder(Policies policies, Clock clock) {
        try {
            folder = Files.createTempDirectory("berth-journal");
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        journal = new DecisionJournal(policies.observers(), clock, thread);
    }

    Path folder() {
        return folder;
    }

    /** Records from the next decision on, or no longer. */
    void record(boolean on) {
        journal.settings(new JournalSettings(on, folder, MEBIBYTES));
        awaitWritten();
    }

    /** Waits until what was decided is written. */
    void awaitWritten() {
        CompletableFuture.runAsync(() -> {}, thread).join();
    }

    long bytes() {
        long sum = 0;
        try {
            for (Path file : files()) {
                sum += Files.size(file);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        return sum;
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }

    @Override
    public void close() {
        journal.close();
        thread.shutdown();
        try {
            for (Path file : files()) {
                Files.delete(file);
            }
            Files.delete(folder);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
