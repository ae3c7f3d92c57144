package io.berth.simulator.time;

import io.berth.core.api.time.Timers.Cancellable;
import java.util.PriorityQueue;

/**
 * The time of a simulated world: what is to happen, in the order of time and, at one moment, in the order in which it was
 * said. Nothing passes but by taking the next event. One thread.
 */
public final class VirtualTime {

    public static final long MILLI = 1_000_000L;
    public static final long SECOND = 1_000 * MILLI;

    /** What an event is. */
    public enum What {
        /** A turn of a thread pool. */
        TURN,
        TIMER,
        /** A call into a policy. */
        POLICY,
        MESSAGE,
        ANSWER,
        /** A caller waits no longer. */
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

    /** Nanoseconds since the world began. */
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

    /** How many events of that kind wait for a process, those that were called off left out. */
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

    /** What waited for a process that stood still happens from now on, behind all that is due now. */
    void again(Event event) {
        event.at = now;
        event.number = ++numbers;
        events.add(event);
    }

    /**
     * Takes the next event, if one is due by then.
     *
     * @return whether there was one; if not, it is {@code until} now
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
