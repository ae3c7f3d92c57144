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

/** Keeps only the units that lack slots, in the order of submission, so that a call does not look at other units. */
final class FifoSession implements AdmissionSession {

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
            for (int group = 0; group < demands.groups(unit); group++) {
                int base = Math.max(demands.have(unit, group), demands.minimum(unit, group));
                if (demands.desired(unit, group) > base) {
                    result.admit(unit, group, demands.desired(unit, group) - base);
                }
            }
        }
    }

    @Override
    public void close() {
        order.clear();
        placeOf.clear();
    }
}
