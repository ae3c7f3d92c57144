package io.berth.simulator.time;

import io.berth.core.api.time.Timers.Cancellable;
import java.util.PriorityQueue;

/**
 * The time of a simulated world: future events in the order of time and, at the same moment, in the order in which
 * they were scheduled. Time passes only when the next event is taken. For one thread.
 */
public final class VirtualTime {

    public static final long MILLI = 1_000_000L;
    public static final long SECOND = 1_000 * MILLI;

    /** The kind of an event. */
    public enum What {
        /** A turn of a thread pool. */
        TURN,
        TIMER,
        /** A call to a policy. */
        POLICY,
        MESSAGE,
        ANSWER,
        /** A caller stops waiting. */
        DEADLINE,
        /** What the world does: processes, elections, backends, tasks. */
        WORLD
    }

    /** Something that happens at a moment, to one process or to the world. */
    public static final class Event implements Comparable<Event>, Cancellable {
        final What what;
        final Incarnation process;
        final Runnable action;
        long at;
        private long number;
        private boolean canceled;

        private Event(long at, long number, What what, Incarnation process, Runnable action) {
            this.at = at;
            this.number = number;
            this.what = what;
            this.process = process;
            this.action = action;
        }

        @Override
        public void cancel() {
            canceled = true;
        }

        boolean isCancelled() {
            return canceled;
        }

        @Override
        public int compareTo(Event other) {
            int byTime = Long.compare(at, other.at);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }

    private final PriorityQueue<Event> events = new PriorityQueue<>(1_024);
    private final Trace trace;
    private long now;
    private long numbers;
    private long happened;

    public VirtualTime(Trace trace) {
        this.trace = trace;
    }

    /** Nanoseconds since the world started. */
    public long now() {
        return now;
    }

    /** How many events have happened. */
    public long happened() {
        return happened;
    }

    int waiting() {
        return events.size();
    }

    /** How many events of that kind wait for a process, without those that were canceled. */
    public long waiting(Incarnation process, What what) {
        return events.stream()
                .filter(event -> event.process == process && event.what == what && !event.isCancelled())
                .count();
    }

    public Event in(long delayNanos, What what, Incarnation process, Runnable action) {
        Event event = new Event(now + Math.max(0, delayNanos), ++numbers, what, process, action);
        events.add(event);
        return event;
    }

    /** An event that waited for a paused process happens now, after everything that is due now. */
    void again(Event event) {
        event.at = now;
        event.number = ++numbers;
        events.add(event);
    }

    /**
     * Takes the next event if it is due by {@code until}.
     *
     * @return whether there was one; if not, the time is now {@code until}
     */
    public boolean step(long until) {
        while (!events.isEmpty() && events.peek().at <= until) {
            Event event = events.remove();
            if (event.isCancelled() || !event.process.takes(event)) {
                continue;
            }
            now = event.at;
            happened++;
            trace.begins(now, event);
            event.action.run();
            event.process.happened(event.what);
            return true;
        }
        now = until;
        return false;
    }
}
