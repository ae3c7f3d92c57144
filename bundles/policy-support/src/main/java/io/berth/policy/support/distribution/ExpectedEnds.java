package io.berth.policy.support.distribution;

import io.berth.spi.distribution.DemandsView;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * When units that run should end, so that a policy can estimate when there is room for one that waits. A unit whose run
 * time is not known, or that runs longer than it should, never ends here. Follows the deltas; a question looks at the
 * units that end until there is room.
 */
public final class ExpectedEnds {

    /** A time that does not come. */
    public static final long NEVER = Long.MAX_VALUE;

    /** Of jobs with a learned run time, about half run longer. */
    private static final int LEARNED_MARGIN = 2;

    /** What is admitted in this call, and ends at a time or {@link #NEVER}. */
    record Begun(long end, long[] amounts) {}

    private record End(long at, int unit) implements Comparable<End> {
        @Override
        public int compareTo(End other) {
            int byTime = Long.compare(at, other.at);
            return byTime != 0 ? byTime : Integer.compare(unit, other.unit);
        }
    }

    private final DemandsView demands;
    private final UnitLacks lacks;
    private final SortedSet<End> ends = new TreeSet<>();
    private final Map<Integer, End> endOf = new HashMap<>();

    public ExpectedEnds(DemandsView demands, UnitLacks lacks) {
        this.demands = demands;
        this.lacks = lacks;
    }

    /** The unit was added, was removed or has other numbers. */
    public void update(int unit) {
        End before = endOf.remove(unit);
        if (before != null) {
            ends.remove(before);
        }
        if (demands.present(unit) && !lacks.lacksMinimum(unit)) {
            long at = end(unit);
            if (at != NEVER) {
                End end = new End(at, unit);
                endOf.put(unit, end);
                ends.add(end);
            }
        }
    }

    /** Forgets all units. */
    public void clear() {
        ends.clear();
        endOf.clear();
    }

    /** When the unit should end, if it runs or starts now; {@link #NEVER} if that is not known or over. */
    public long end(int unit) {
        OptionalLong expected = demands.expectedRuntime(unit);
        if (expected.isEmpty()) {
            return NEVER;
        }
        long run = expected.getAsLong() * (demands.runtimeLearnedFrom(unit) > 0 ? LEARNED_MARGIN : 1);
        long from = demands.runningSince(unit).orElse(demands.now());
        return run > NEVER - Math.max(0, from) || from + run <= demands.now() ? NEVER : from + run;
    }

    /**
     * When the amounts should be free.
     *
     * @param free what is free now; what is free then replaces it, with the amounts
     * @return a time after now; now if they are free; {@link #NEVER} if units that are expected to end do not have enough
     */
    public long covers(long[] amounts, long[] free) {
        return covers(amounts, free, List.of());
    }

    private long covers(long[] amounts, long[] free, List<Begun> begun) {
        Queue<Begun> others = new ArrayDeque<>(begun.stream()
                .filter(one -> one.end() != NEVER)
                .sorted(Comparator.comparingLong(Begun::end))
                .toList());
        long at = demands.now();
        for (End end : ends.tailSet(new End(at + 1, -1))) {
            at = endUntil(end.at(), at, others, amounts, free);
            if (end.at() != at && Amounts.cover(free, amounts)) {
                return at;
            }
            at = end.at();
            for (int dimension = 0; dimension < free.length; dimension++) {
                free[dimension] = Amounts.sum(free[dimension], demands.used(end.unit(), dimension));
            }
        }
        at = endUntil(NEVER, at, others, amounts, free);
        return Amounts.cover(free, amounts) ? at : NEVER;
    }

    /** Adds what ends until a time, as long as the amounts are not free before. @return the time of the last end */
    private static long endUntil(long until, long from, Queue<Begun> begun, long[] amounts, long[] free) {
        long at = from;
        for (Begun next = begun.peek(); next != null && next.end() <= until; next = begun.peek()) {
            if (next.end() != at && Amounts.cover(free, amounts)) {
                return at;
            }
            at = next.end();
            Amounts.add(free, 1, begun.remove().amounts());
        }
        return at;
    }

    /**
     * Sets amounts aside in the room for the time at which they should be free. Nothing is set aside when they are free, or
     * when that time is not known.
     *
     * @param free what is free now; what is free then replaces it
     * @param begun what was admitted in this call, and is not free now
     * @param reason for those that are not admitted because of it
     * @return that time; {@link #NEVER} when nothing is set aside
     */
    long setAside(Room room, long[] free, long[] amounts, List<Begun> begun, String reason) {
        long at = covers(amounts, free, begun);
        if (at == NEVER || at <= demands.now()) {
            return NEVER;
        }
        for (int dimension = 0; dimension < free.length; dimension++) {
            free[dimension] -= amounts[dimension];
        }
        room.setAside(amounts, at, free, reason);
        return at;
    }
}
