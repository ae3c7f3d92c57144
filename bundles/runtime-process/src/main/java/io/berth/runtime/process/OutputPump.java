package io.berth.runtime.process;

import io.berth.runtime.process.TaskLog.Stream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * Reads what a process prints, line by line, on a thread of its own, and keeps the last lines. A line longer than {@link
 * #MAX_LINE} bytes is passed on in parts.
 */
final class OutputPump {

    static final int MAX_LINE = 8_192;
    static final int KEPT_LINES = 50;

    private final InputStream in;
    private final Stream stream;
    private final TaskLog log;
    private final Deque<String> last = new ArrayDeque<>();
    private final Thread thread;

    private OutputPump(InputStream in, Stream stream, TaskLog log, String name) {
        this.in = in;
        this.stream = stream;
        this.log = log;
        this.thread = new Thread(this::run, name);
        thread.setDaemon(true);
    }

    static OutputPump start(InputStream in, Stream stream, TaskLog log, String threadName) {
        OutputPump pump = new OutputPump(in, stream, log, threadName);
        pump.thread.start();
        return pump;
    }

    /** Waits until all is read; not forever, because a process that left the group may keep the pipe open. */
    void join(long millis) throws InterruptedException {
        thread.join(millis);
    }

    /** The last lines, oldest first. */
    synchronized List<String> last(int lines) {
        return last.stream().skip(Math.max(0, last.size() - lines)).toList();
    }

    private void run() {
        byte[] line = new byte[MAX_LINE];
        int length = 0;
        byte[] chunk = new byte[MAX_LINE];
        try {
            for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
                for (int at = 0; at < read; at++) {
                    if (chunk[at] == '\n') {
                        line(line, length);
                        length = 0;
                    } else {
                        line[length] = chunk[at];
                        length++;
                        if (length == MAX_LINE) {
                            line(line, length);
                            length = 0;
                        }
                    }
                }
            }
        } catch (IOException closed) {
            // The pipe ends with its process.
        }
        if (length > 0) {
            line(line, length);
        }
    }

    private void line(byte[] bytes, int length) {
        int end = length > 0 && bytes[length - 1] == '\r' ? length - 1 : length;
        String text = new String(bytes, 0, end, StandardCharsets.UTF_8);
        synchronized (this) {
            last.addLast(text);
            if (last.size() > KEPT_LINES) {
                last.removeFirst();
            }
        }
        log.line(stream, text);
    }
}
