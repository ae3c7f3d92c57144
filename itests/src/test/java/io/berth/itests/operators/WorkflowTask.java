package io.berth.itests.operators;

import io.berth.dataflow.api.Configuration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * The work of one task of a workflow: it takes its time, waits for a file if it has to, and then has a checksum of its name
 * and its inputs.
 *
 * @param millis how long it takes at least
 * @param file for which it waits
 * @param awaited a file that it creates when it waits
 */
public record WorkflowTask(long millis, Optional<Path> file, Optional<Path> awaited) {

    private static final long PAUSE_NANOS = 5_000_000;
    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

    static WorkflowTask of(Configuration configuration) {
        return new WorkflowTask(
                configuration.number("millis", 0, 0, 600_000),
                configuration.find("file").map(Path::of),
                configuration.find("awaited").map(Path::of));
    }

    /** Takes the time, and waits for the file. */
    void work() throws IOException, InterruptedException {
        long end = System.nanoTime() + millis * 1_000_000;
        while (end - System.nanoTime() > 0) {
            pause(Math.min(end - System.nanoTime(), PAUSE_NANOS));
        }
        if (file.isPresent() && awaited.isPresent()) {
            Files.writeString(awaited.get(), "");
            while (!Files.exists(file.get())) {
                pause(PAUSE_NANOS);
            }
        }
    }

    private static void pause(long nanos) throws InterruptedException {
        LockSupport.parkNanos(nanos);
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    /**
     * The checksum of a task. The parts of the inputs are added up, so their order does not matter, but each counts.
     *
     * @return not negative
     */
    public static long checksum(String task, Collection<Long> inputs) {
        long parts = inputs.stream().mapToLong(WorkflowTask::mixed).sum();
        return mixed(task.hashCode() + MULTIPLIER * (parts + 1)) >>> 1;
    }

    private static long mixed(long value) {
        long mixed = (value ^ value >>> 31) * MULTIPLIER;
        return mixed ^ mixed >>> 29;
    }
}
