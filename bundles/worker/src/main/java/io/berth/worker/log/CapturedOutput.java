package io.berth.worker.log;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Sends what the process prints and logs through the logs of the worker, until it is closed. There is one process, so
 * there may be only one of it at a time.
 */
public final class CapturedOutput implements AutoCloseable {

    private final PrintStream out = System.out;
    private final PrintStream err = System.err;
    private final Consumer<UnaryOperator<OutputStream>> lines;

    /** @param lines redirects the lines of the logging library, to a stream made of the one where they go otherwise */
    public CapturedOutput(WorkerLogs logs, Consumer<UnaryOperator<OutputStream>> lines) {
        this.lines = lines;
        lines.accept(logs::lines);
        System.setOut(new PrintStream(logs.prints(out), true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(logs.prints(err), true, StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        System.setOut(out);
        System.setErr(err);
        lines.accept(UnaryOperator.identity());
    }
}
