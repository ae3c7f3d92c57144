package io.berth.distribution.fifo;

import io.berth.policy.support.distribution.EvenGroups;
import io.berth.policy.support.distribution.UnitLacks;
import io.berth.spi.JobId;
import io.berth.spi.distribution.AdmissionBuilder;
import io.berth.spi.distribution.AdmissionSession;
import io.berth.spi.distribution.DemandsView;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/** Keeps only the units that lack slots, in the order of submission, so that a call does not inspect other units. */
final class FifoSession implements AdmissionSession {

    private record Place(long submissionIndex, JobId job, String unitName, int unit) {}

    private final DemandsView demands;
    private final SortedSet<Place> order = new TreeSet<>(Comparator.comparingLong(Place::submissionIndex)
            .thenComparing(Place::job)
            .thenComparing(Place::unitName)
            .thenComparingInt(Place::unit));
    private final Map<Integer, Place> placeOf = new HashMap<>();
    private final EvenGroups groups;
    private final UnitLacks lacks;

    FifoSession(DemandsView demands) {
        this.demands = demands;
        groups = new EvenGroups(demands);
        lacks = new UnitLacks(demands);
        for (int unit = 0; unit < demands.limit(); unit++) {
            update(unit);
        }
    }

    @Override
    public void delta(int[] changed) {
        for (int unit : changed) {
            update(unit);
        }
    }

    private void update(int unit) {
        Place before = placeOf.remove(unit);
        if (before != null) {
            order.remove(before);
        }
        if (demands.candidate(unit) && lacks.lacks(unit)) {
            Place place = new Place(demands.submissionIndex(unit), demands.job(unit), demands.name(unit), unit);
            placeOf.put(unit, place);
            order.add(place);
        }
    }

    @Override
    public void admit(AdmissionBuilder result) {
        for (Place place : order) {
            int unit = place.unit();
            if (lacks.lacksMinimum(unit)) {
                result.admitMinimum(unit);
            }
            groups.share(unit, (group, most) -> {
                result.admit(unit, group, most);
                return most;
            });
        }
    }

    @Override
    public void close() {
        order.clear();
        placeOf.clear();
    }
}
