package io.berth.simulator.time;

import io.berth.simulator.time.VirtualTime.Event;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What happened in a simulated world: a hash over all of it, which is the same for the same seed in any JVM, and the
 * last lines for people.
 */
public final class Trace {

    private static final long PRIME = 0x100000001b3L;
    private static final int KEPT = 400;

    private final Deque<Line> last = new ArrayDeque<>();
    private final Optional<Consumer<String>> reader;
    private long hash = 0xcbf29ce484222325L;
    private long now;

    /** @param reader receives each line; empty: only the last ones are kept */
    public Trace(Optional<Consumer<String>> reader) {
        this.reader = reader;
    }

    public long hash() {
        return hash;
    }

    void begins(long at, Event event) {
        now = at;
        mix(at);
        mix(event.what.ordinal());
        mix(event.process.number());
        String name = event.process.name();
        mix(name.charAt(0) * 31 + name.charAt(name.length() - 1));
    }

    /** Adds a value to the hash only, such as the content of a message. */
    public void mix(long value) {
        hash = (hash ^ value) * PRIME;
        hash ^= hash >>> 29;
    }

    /** A line for people who read the trace; it is part of the hash. */
    public void log(String text) {
        for (int at = 0; at < text.length(); at++) {
            hash = (hash ^ text.charAt(at)) * PRIME;
        }
        logLazily(text);
    }

    /** Like {@link #log}, for something that is already in the hash; formatted only when somebody reads it. */
    public void logLazily(Object what) {
        Line line = new Line(now, what);
        last.add(line);
        if (last.size() > KEPT) {
            last.remove();
        }
        reader.ifPresent(to -> to.accept(line.toString()));
    }

    public List<String> last() {
        return last.stream().map(Line::toString).toList();
    }

    private record Line(long at, Object what) {

        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%12.6f %s", at / (double) VirtualTime.SECOND, what);
        }
    }
}
