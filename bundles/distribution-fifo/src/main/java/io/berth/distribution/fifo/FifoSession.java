package io.berth.distribution.fifo;

import io.berth.spi.JobId;
import io.berth.spi.distribution.AdmissionBuilder;
import io.berth.spi.distribution.AdmissionSession;
import io.berth.spi.distribution.DemandsView;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/** Keeps the units that lack slots in the order of submission, so that a call looks at nothing else. */
final class FifoSession implements AdmissionSession {

    /** A turn is at most this part of what is missing: a wide unit takes few turns, and the last slots go one by one. */
    private static final int TURNS = 16;

    private record Place(long submissionIndex, JobId job, String unitName, int unit) {}

    private final DemandsView demands;
    private final SortedSet<Place> order = new TreeSet<>(Comparator.comparingLong(Place::submissionIndex)
            .thenComparing(Place::job)
            .thenComparing(Place::unitName)
            .thenComparingInt(Place::unit));
    private final Map<Integer, Place> placeOf = new HashMap<>();

    FifoSession(DemandsView demands) {
        this.demands = demands;
        for (int unit = 0; unit < demands.limit(); unit++) {
            look(unit);
        }
    }

    @Override
    public void delta(int[] changed) {
        for (int unit : changed) {
            look(unit);
        }
    }

    private void look(int unit) {
        Place before = placeOf.remove(unit);
        if (before != null) {
            order.remove(before);
        }
        if (demands.present(unit) && lacks(unit)) {
            Place place = new Place(demands.submissionIndex(unit), demands.job(unit), demands.name(unit), unit);
            placeOf.put(unit, place);
            order.add(place);
        }
    }

    private boolean lacks(int unit) {
        for (int group = 0; group < demands.groups(unit); group++) {
            if (demands.have(unit, group) < demands.desired(unit, group)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void admit(AdmissionBuilder result) {
        for (Place place : order) {
            int unit = place.unit();
            boolean minimum = false;
            for (int group = 0; group < demands.groups(unit); group++) {
                minimum |= demands.have(unit, group) < demands.minimum(unit, group);
            }
            if (minimum) {
                result.admitMinimum(unit);
            }
            admitSpare(unit, result);
        }
    }

    /** Slots above the minimum go to the groups in turn, to the one with the fewest slots first, so that none is left behind. */
    private void admitSpare(int unit, AdmissionBuilder result) {
        int groups = demands.groups(unit);
        int[] has = new int[groups];
        for (int group = 0; group < groups; group++) {
            has[group] = Math.max(demands.have(unit, group), demands.minimum(unit, group));
        }
        for (int level = nextLevel(unit, has); level < Integer.MAX_VALUE; level = nextLevel(unit, has)) {
            int step = step(unit, has, level);
            for (int group = 0; group < groups; group++) {
                int more = Math.min(level + step, demands.desired(unit, group)) - has[group];
                if (more > 0) {
                    result.admit(unit, group, more);
                    has[group] += more;
                }
            }
        }
    }

    /** The fewest slots that a group has which lacks some; {@link Integer#MAX_VALUE} when none lacks any. */
    private int nextLevel(int unit, int[] has) {
        int level = Integer.MAX_VALUE;
        for (int group = 0; group < has.length; group++) {
            if (has[group] < demands.desired(unit, group)) {
                level = Math.min(level, has[group]);
            }
        }
        return level;
    }

    /** One slot at a time where groups compete for them; all at once for a group that is alone. */
    private int step(int unit, int[] has, int level) {
        int next = Integer.MAX_VALUE;
        int open = 0;
        for (int group = 0; group < has.length; group++) {
            int desired = demands.desired(unit, group);
            if (has[group] < desired) {
                next = Math.min(next, has[group] > level ? has[group] - level : desired - level);
                open += has[group] == level ? 1 : 0;
            }
        }
        return open == 1 ? next : Math.max(1, next / TURNS);
    }

    @Override
    public void close() {
        order.clear();
        placeOf.clear();
    }
}
