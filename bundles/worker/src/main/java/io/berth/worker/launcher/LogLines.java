package io.berth.worker.launcher;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.slf4j.LoggerFactory;

/**
 * Where the logging library writes its lines: to the standard error of the process, until the worker redirects them. It
 * has a stream of its own, so that lines can be told apart from what tasks print. Thread-safe.
 */
final class LogLines extends OutputStream implements Consumer<UnaryOperator<OutputStream>> {

    private final OutputStream err;
    private volatile OutputStream target;

    private LogLines(OutputStream err) {
        this.err = err;
        target = err;
    }

    /** Makes the logging library start, and keep the stream that it finds then. */
    static LogLines install() {
        PrintStream err = System.err;
        LogLines lines = new LogLines(err);
        System.getProperties().putIfAbsent("org.slf4j.simpleLogger.cacheOutputStream", "true");
        System.setErr(new PrintStream(lines, true, StandardCharsets.UTF_8));
        try {
            LoggerFactory.getILoggerFactory();
        } finally {
            System.setErr(err);
        }
        return lines;
    }

    /** Redirects the lines to the stream that is made of the standard error. */
    @Override
    public void accept(UnaryOperator<OutputStream> redirected) {
        target = redirected.apply(err);
    }

    @Override
    public void write(int one) throws IOException {
        target.write(one);
    }

    @Override
    public void write(byte[] text, int from, int length) throws IOException {
        target.write(text, from, length);
    }

    @Override
    public void flush() throws IOException {
        target.flush();
    }
}
