package io.berth.simulator.replay;

import io.berth.simulator.traces.Outage;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;

/** What is known to happen later in a replay: ends of jobs that run, and nodes that go and come back. */
final class Agenda {

    /** Of nothing. */
    static final long NEVER = Long.MAX_VALUE;

    /** A job ends, if it still is in that attempt. */
    record Ending(long atMillis, int job, int attempt) implements Comparable<Ending> {
        @Override
        public int compareTo(Ending other) {
            int byTime = Long.compare(atMillis, other.atMillis);
            return byTime != 0 ? byTime : Integer.compare(job, other.job);
        }
    }

    /** A node goes or comes back; of one moment those that come back are first. */
    record Turn(long atMillis, int worker, boolean up) implements Comparable<Turn> {
        @Override
        public int compareTo(Turn other) {
            int byTime = Long.compare(atMillis, other.atMillis);
            int byUp = byTime != 0 ? byTime : Boolean.compare(other.up, up);
            return byUp != 0 ? byUp : Integer.compare(worker, other.worker);
        }
    }

    private final PriorityQueue<Ending> endings = new PriorityQueue<>();
    private final PriorityQueue<Turn> turns = new PriorityQueue<>();

    Agenda(List<Outage> outages) {
        for (Outage outage : outages) {
            turns.add(new Turn(outage.downMillis(), outage.node(), false));
            if (outage.upMillis() != Outage.NEVER) {
                turns.add(new Turn(outage.upMillis(), outage.node(), true));
            }
        }
    }

    void add(Ending ending) {
        endings.add(ending);
    }

    /** When the next job ends, or {@link #NEVER}. */
    long nextEnding() {
        return endings.isEmpty() ? NEVER : endings.peek().atMillis();
    }

    /** When the next node goes or comes back, or {@link #NEVER}. */
    long nextTurn() {
        return turns.isEmpty() ? NEVER : turns.peek().atMillis();
    }

    /** One that is due, which is taken off. */
    Optional<Ending> takeEnding(long nowMillis) {
        return nextEnding() <= nowMillis ? Optional.of(endings.remove()) : Optional.empty();
    }

    /** The same of nodes. */
    Optional<Turn> takeTurn(long nowMillis) {
        return nextTurn() <= nowMillis ? Optional.of(turns.remove()) : Optional.empty();
    }
}
