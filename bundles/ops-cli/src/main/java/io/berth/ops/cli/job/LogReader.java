package io.berth.ops.cli.job;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.core.api.operations.LogLines;
import io.berth.core.api.task.AttemptId;
import io.berth.ops.cli.console.Api;
import io.berth.ops.cli.console.CommandFailure;
import io.berth.ops.cli.console.ExitCode;
import io.berth.ops.cli.console.Terminal;
import io.berth.spi.JobId;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Reads logs page by page and prints their lines. It remembers how far it has read each of them. */
final class LogReader {

    private static final long TURN_MILLIS = 1_000;
    private static final long TAIL_BYTES = 256 << 10;

    private final Api api;
    private final Terminal terminal;
    private final Optional<Integer> tail;
    private final Map<String, Progress> progress = new LinkedHashMap<>();
    private boolean labeled;

    /**
     * A log.
     *
     * @param path of its pages, below {@code /v1}
     * @param label what its lines begin with, if there are several logs
     * @param end offset behind its last byte when it was listed; -1: not known
     */
    record Source(String path, String label, long end) {

        /** To be read whatever the list said. */
        Source again() {
            return new Source(path, label, -1);
        }
    }

    private static final class Progress {
        private final LogLines lines = new LogLines();
        private long next;
        private boolean begun;
        private String label = "";
    }

    /**
     * @param tail how many of the last lines of each log are shown; empty: all
     * @param labeled whether lines have labels, also when there is only one log
     */
    LogReader(Api api, Terminal terminal, Optional<Integer> tail, boolean labeled) {
        this.api = api;
        this.terminal = terminal;
        this.tail = tail;
        this.labeled = labeled;
    }

    /** Which attempt a log in the list of logs is of. */
    static AttemptId attempt(String job, JsonNode log) {
        return new AttemptId(
                new JobId(job),
                log.path("vertices").path(0).asText(),
                log.path("subtask").asInt(),
                log.path("epoch").asLong(),
                log.path("execution").asLong(),
                log.path("restart").asInt());
    }

    /** Prints all that there is of these logs and was not printed before, each to its last line. */
    void show(List<Source> sources) {
        showMore(sources);
        end();
    }

    /** As {@link #show}, but without a last line that is not complete. */
    void showMore(List<Source> sources) {
        labeled |= sources.size() > 1;
        for (Source source : sources) {
            Progress at = progress.computeIfAbsent(source.path(), path -> new Progress());
            at.label = source.label();
            if (at.begun && at.next == source.end()) {
                continue;
            }
            try {
                read(source, at);
            } catch (CommandFailure failure) {
                // A log may be removed after it was listed. That a worker has no log is news.
                if (failure.exitCode() != ExitCode.BAD_INPUT || source.label().isEmpty()) {
                    throw failure;
                }
            }
        }
    }

    /** Prints what is left of all logs. */
    void end() {
        progress.values().forEach(at -> at.lines.end().forEach(line -> print(at, line)));
        terminal.out().flush();
    }

    /** Prints what comes until the command is ended. */
    void follow(List<Source> sources) {
        do {
            showMore(sources);
        } while (!terminal.pause(TURN_MILLIS));
        end();
    }

    /** The whole text of a log, or its last lines. */
    String text(Source source) {
        StringBuilder text = new StringBuilder();
        Progress at = new Progress();
        lines(source, at, line -> text.append(line).append('\n'));
        at.lines.end().forEach(text::append);
        return text.toString();
    }

    private void read(Source source, Progress at) {
        lines(source, at, line -> print(at, line));
        terminal.out().flush();
    }

    private void lines(Source source, Progress at, Consumer<String> line) {
        boolean first = !at.begun;
        if (first && tail.isPresent()) {
            Deque<String> last = new ArrayDeque<>();
            pages(source, at, -TAIL_BYTES, each -> {
                last.add(each);
                if (last.size() > tail.get()) {
                    last.remove();
                }
            });
            last.forEach(line);
        } else {
            pages(source, at, at.next, line);
        }
    }

    private void pages(Source source, Progress at, long begin, Consumer<String> line) {
        long from = begin;
        // What a task writes faster than it is read is for the next time.
        long end = Long.MAX_VALUE;
        while (true) {
            JsonNode page = api.get(source.path() + "?from=" + from);
            long read = page.path("from").asLong();
            if (from >= 0 && read > from) {
                line.accept("[berth: " + (read - from) + " bytes are no longer there]");
            }
            at.begun = true;
            at.next = page.path("next").asLong();
            at.lines.add(page.path("text").asText()).forEach(line);
            end = Math.min(end, page.path("end").asLong());
            if (at.next >= end || at.next == read) {
                return;
            }
            from = at.next;
        }
    }

    private void print(Progress at, String line) {
        terminal.out().println(labeled ? at.label + " | " + line : line);
    }
}
