package io.berth.benchmark.decision;

import io.berth.benchmark.report.Report;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Decisions under several conditions, which take turns, so that all see the same machine. A round has one turn of each, and
 * begins with another one than the round before.
 */
public final class Turns {

    /** Decisions of a turn. */
    public static final int TURN = 1_000;

    /**
     * Decisions do not count for so long after a condition begins. Threads begin and end then, and on two processors a
     * decision, which two threads hand to each other, is faster or slower by that alone.
     */
    private static final long SETTLING_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    /** Decisions after a turn that do not count. */
    private static final int UNCOUNTED = TURN / 10;

    /** A condition that holds until it is closed. */
    public interface Held extends AutoCloseable {

        @Override
        void close();
    }

    /** What makes a condition hold. */
    public interface Condition {
        Held begin();
    }

    private record Side(String name, Condition condition, KeptTimes times) {}

    private final DecisionTimes decisions;
    private final List<Side> sides = new ArrayList<>();

    public Turns(DecisionTimes decisions) {
        this.decisions = decisions;
    }

    /** Adds a condition; its times are there after {@link #take}. */
    public KeptTimes under(String name, Condition condition) {
        KeptTimes times = new KeptTimes();
        sides.add(new Side(name, condition, times));
        return times;
    }

    public void take(int rounds) {
        for (int round = 0; round < rounds; round++) {
            for (int nth = 0; nth < sides.size(); nth++) {
                Side side = sides.get((round + nth) % sides.size());
                Held held = side.condition().begin();
                try {
                    decisions.settle(SETTLING_NANOS);
                    side.times().add(decisions.take(TURN));
                } finally {
                    held.close();
                }
                decisions.warm(UNCOUNTED);
            }
        }
    }

    /** Adds the percentiles of each condition to a report, under its name. */
    public void write(Report report) {
        sides.forEach(side -> side.times().write(report, side.name()));
    }
}
