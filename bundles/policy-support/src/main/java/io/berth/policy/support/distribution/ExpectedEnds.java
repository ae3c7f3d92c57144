package io.berth.policy.support.distribution;

import io.berth.spi.distribution.DemandsView;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
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
        if (isCovered(amounts, free)) {
            return demands.now();
        }
        Iterator<Begun> others = begun.stream()
                .filter(one -> one.end() != NEVER)
                .sorted(Comparator.comparingLong(Begun::end))
                .iterator();
        Begun other = others.hasNext() ? others.next() : null;
        long at = demands.now();
        for (End end : ends.tailSet(new End(at + 1, -1))) {
            while (other != null && other.end() <= end.at()) {
                if (other.end() != at && isCovered(amounts, free)) {
                    return at;
                }
                at = other.end();
                Amounts.add(free, 1, other.amounts());
                other = others.hasNext() ? others.next() : null;
            }
            if (end.at() != at && isCovered(amounts, free)) {
                return at;
            }
            at = end.at();
            for (int dimension = 0; dimension < free.length; dimension++) {
                free[dimension] = Amounts.sum(free[dimension], demands.used(end.unit(), dimension));
            }
        }
        while (other != null && (other.end() == at || !isCovered(amounts, free))) {
            at = other.end();
            Amounts.add(free, 1, other.amounts());
            other = others.hasNext() ? others.next() : null;
        }
        return isCovered(amounts, free) ? at : NEVER;
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

    private static boolean isCovered(long[] amounts, long[] free) {
        for (int dimension = 0; dimension < free.length; dimension++) {
            if (amounts[dimension] > free[dimension]) {
                return false;
            }
        }
        return true;
    }
}
