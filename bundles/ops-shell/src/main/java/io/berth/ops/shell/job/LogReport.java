package io.berth.ops.shell.job;

import io.berth.core.api.log.LogFolder;
import io.berth.core.api.log.LogPart;
import io.berth.core.api.log.LogRequest;
import io.berth.core.api.operations.LogLines;
import io.berth.spi.WorkerId;
import java.io.PrintStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.Consumer;

/** Prints logs, part by part. */
final class LogReport {

    private final Optional<Integer> tail;
    private final LogsCommand.Reading reading;

    /** @param tail how many of the last lines are printed; empty: all */
    LogReport(Optional<Integer> tail, LogsCommand.Reading reading) {
        this.tail = tail;
        this.reading = reading;
    }

    /**
     * Prints a log.
     *
     * @param which the log; offset and limit do not matter
     * @param label what each line begins with
     * @throws IllegalArgumentException when there is none
     */
    void print(WorkerId worker, LogRequest which, String label, PrintStream out) {
        if (tail.isEmpty()) {
            lines(worker, which, 0, line -> out.println(label + line));
            return;
        }
        Deque<String> last = new ArrayDeque<>();
        lines(worker, which, -LogFolder.MAX_READ, line -> {
            last.add(line);
            if (last.size() > tail.get()) {
                last.remove();
            }
        });
        last.forEach(line -> out.println(label + line));
    }

    /** As {@link #print}, but says it and goes on when the log was removed after it was listed. */
    void printListed(WorkerId worker, LogRequest which, String label, PrintStream out) {
        try {
            print(worker, which, label, out);
        } catch (IllegalArgumentException removed) {
            out.println(label + "[berth: " + removed.getMessage() + "]");
        }
    }

    private void lines(WorkerId worker, LogRequest which, long begin, Consumer<String> line) {
        LogLines lines = new LogLines();
        long from = begin;
        while (true) {
            LogPart part = reading.read(worker, new LogRequest(which.job(), which.log(), from, LogFolder.MAX_READ))
                    .orElseThrow(() -> new IllegalArgumentException(
                            "no such log of worker '" + worker + "': it is not known, or the log was removed"));
            if (from >= 0 && part.from() > from) {
                line.accept("[berth: " + (part.from() - from) + " bytes are no longer there]");
            }
            lines.add(part.content()).forEach(line);
            if (part.next() >= part.end() || part.next() == part.from()) {
                lines.end().forEach(line);
                return;
            }
            from = part.next();
        }
    }
}
