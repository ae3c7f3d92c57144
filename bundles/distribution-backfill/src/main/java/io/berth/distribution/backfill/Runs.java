package io.berth.distribution.backfill;

import io.berth.spi.distribution.DemandsView;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.TreeSet;

/** The units that have their minimum, by their expected end. */
final class Runs {

    private static final long NEVER = RoomOverTime.NEVER;

    private record Run(long end, int unit) implements Comparable<Run> {
        @Override
        public int compareTo(Run other) {
            int byEnd = Long.compare(end, other.end);
            return byEnd != 0 ? byEnd : Integer.compare(unit, other.unit);
        }
    }

    private final DemandsView demands;
    private final BackfillSession.Rules rules;
    private final TreeSet<Run> runs = new TreeSet<>();
    private final Map<Integer, Run> runOf = new HashMap<>();

    Runs(DemandsView demands, BackfillSession.Rules rules) {
        this.demands = demands;
        this.rules = rules;
    }

    void remove(int unit) {
        Run before = runOf.remove(unit);
        if (before != null) {
            runs.remove(before);
        }
    }

    void add(int unit) {
        Run run = new Run(expectedEnd(unit), unit);
        runOf.put(unit, run);
        runs.add(run);
    }

    void clear() {
        runs.clear();
        runOf.clear();
    }

    /** How long the unit should run; {@link RoomOverTime#NEVER} when that is not known. */
    long runMillis(int unit) {
        OptionalLong expected = demands.expectedRuntime(unit);
        if (expected.isEmpty()) {
            return rules.unknownMillis() == 0 ? NEVER : rules.unknownMillis();
        }
        return demands.runtimeLearnedFrom(unit) == 0
                ? expected.getAsLong()
                : (long) (expected.getAsLong() * rules.learnedMargin());
    }

    /** When the unit should end. One whose end is not known counts like one that should have ended long ago. */
    long expectedEnd(int unit) {
        long run = runMillis(unit);
        // A unit that was placed in this decision begins now.
        return run == NEVER
                ? Long.MIN_VALUE
                : RoomOverTime.end(demands.runningSince(unit).orElse(demands.now()), run);
    }

    /** When what should have ended, or has no expected end, is expected to end. */
    long late() {
        return demands.now() + rules.overrunMillis();
    }

    /** Whether something that runs should have ended, or has no expected end. */
    boolean isOverdue() {
        return !runs.isEmpty() && runs.first().end() <= demands.now();
    }

    /** Adds what becomes free at each end. */
    void addEndsTo(RoomOverTime room) {
        Run due = new Run(demands.now(), Integer.MAX_VALUE);
        Run soon = new Run(late(), Integer.MIN_VALUE);
        runs.subSet(due, false, soon, false).forEach(one -> addEnd(room, one, one.end()));
        SortedSet<Run> over = runs.headSet(due, true);
        over.forEach(one -> addEnd(room, one, late()));
        runs.tailSet(soon, true).forEach(one -> addEnd(room, one, one.end()));
    }

    private void addEnd(RoomOverTime room, Run one, long atMillis) {
        room.endAt(atMillis);
        for (int dimension = 0; dimension < demands.dimensions(); dimension++) {
            room.addEnded(dimension, demands.used(one.unit(), dimension));
        }
    }

    /** The next expected end; now, if none is known. */
    long nextEnd() {
        Run next = runs.higher(new Run(demands.now(), Integer.MAX_VALUE));
        long end = Math.min(next == null ? NEVER : next.end(), isOverdue() ? late() : NEVER);
        return end == NEVER ? demands.now() : end;
    }

    /** When all should have ended; now, if that is not known. */
    long lastEnd() {
        long last = runs.isEmpty() ? NEVER : runs.last().end();
        return last == NEVER || last <= (isOverdue() ? late() : demands.now()) ? demands.now() : last;
    }

    /** What those take that have run since before a time. */
    long[] before(long sinceMillis) {
        long[] sum = new long[demands.dimensions()];
        for (Run one : runs) {
            if (runsSince(one) < sinceMillis) {
                addTo(sum, one);
            }
        }
        return sum;
    }

    /** What those take that started at a time or later and are not sure to end by another one. */
    long[] since(long sinceMillis, long untilMillis) {
        long[] sum = new long[demands.dimensions()];
        for (Run one : runs) {
            boolean endsInTime = one.end() > demands.now() && one.end() <= untilMillis;
            if (runsSince(one) >= sinceMillis && !endsInTime) {
                addTo(sum, one);
            }
        }
        return sum;
    }

    private long runsSince(Run one) {
        return demands.runningSince(one.unit()).orElse(demands.now());
    }

    private void addTo(long[] sum, Run one) {
        for (int dimension = 0; dimension < sum.length; dimension++) {
            sum[dimension] += demands.used(one.unit(), dimension);
        }
    }
}
