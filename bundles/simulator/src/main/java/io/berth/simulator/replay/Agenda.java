package io.berth.simulator.replay;

import io.berth.simulator.traces.Outage;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;

/** What will happen later in a replay: ends of running jobs, and nodes that leave and return. */
final class Agenda {

    /** The time of something that never happens. */
    static final long NEVER = Long.MAX_VALUE;

    /** A job ends, if it has not started to run again. */
    record Ending(long atMillis, int job, int run) implements Comparable<Ending> {
        @Override
        public int compareTo(Ending other) {
            int byTime = Long.compare(atMillis, other.atMillis);
            return byTime != 0 ? byTime : Integer.compare(job, other.job);
        }
    }

    /** A node leaves or returns. At the same moment, returns come first. */
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

    /** When the next node leaves or returns, or {@link #NEVER}. */
    long nextTurn() {
        return turns.isEmpty() ? NEVER : turns.peek().atMillis();
    }

    /** Removes and returns an ending that is due. */
    Optional<Ending> takeEnding(long nowMillis) {
        return nextEnding() <= nowMillis ? Optional.of(endings.remove()) : Optional.empty();
    }

    /** Removes and returns a turn of a node that is due. */
    Optional<Turn> takeTurn(long nowMillis) {
        return nextTurn() <= nowMillis ? Optional.of(turns.remove()) : Optional.empty();
    }
}
