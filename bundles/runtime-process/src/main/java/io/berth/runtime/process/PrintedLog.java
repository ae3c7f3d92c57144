package io.berth.runtime.process;

import io.berth.core.api.time.Clock;
import java.io.PrintStream;

/**
 * Prints what a process prints, at most {@link #MAX_LINES} lines in a second: a process that prints without end must not fill
 * the disk as fast as it can. The worker keeps what the threads of a task print in the log of that task.
 */
final class PrintedLog implements TaskLog {

    static final int MAX_LINES = 500;

    private static final long WINDOW_MILLIS = 1_000;

    private final Clock clock;
    private long windowSince;
    private int lines;
    private long omitted;

    PrintedLog(Clock clock) {
        this.clock = clock;
        this.windowSince = clock.millis();
    }

    @Override
    public synchronized void line(Stream stream, String text) {
        long now = clock.millis();
        if (now - windowSince >= WINDOW_MILLIS) {
            windowSince = now;
            lines = 0;
            sayOmitted();
        }
        lines++;
        if (lines > MAX_LINES) {
            omitted++;
            return;
        }
        // Each time: the worker replaces the streams.
        PrintStream printed = stream == Stream.OUT ? System.out : System.err;
        printed.println(text);
    }

    @Override
    public synchronized void close() {
        sayOmitted();
    }

    private void sayOmitted() {
        if (omitted > 0) {
            System.out.println(
                    "[berth: " + omitted + " lines are left out: at most " + MAX_LINES + " in a second are kept]");
            omitted = 0;
        }
    }
}
