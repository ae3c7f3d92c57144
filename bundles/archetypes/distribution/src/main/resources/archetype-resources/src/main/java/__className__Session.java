package ${package};

import io.berth.policy.support.distribution.EvenGroups;
import io.berth.policy.support.distribution.UnitLacks;
import io.berth.spi.distribution.AdmissionBuilder;
import io.berth.spi.distribution.AdmissionSession;
import io.berth.spi.distribution.DemandsView;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/** Keeps the units that lack slots in both orders, so that a call does not look at the others. */
final class ${className}Session implements AdmissionSession {

    private record Place(int size, long submissionIndex, String job, String name, int unit) {}

    private static final Comparator<Place> BY_SUBMISSION = Comparator.comparingLong(Place::submissionIndex)
            .thenComparing(Place::job)
            .thenComparing(Place::name)
            .thenComparingInt(Place::unit);

    private final DemandsView demands;
    private final long patienceMillis;
    private final EvenGroups groups;
    private final UnitLacks lacks;
    private final SortedSet<Place> bySize = new TreeSet<>(
            Comparator.comparingInt(Place::size).thenComparing(BY_SUBMISSION));
    private final SortedSet<Place> bySubmission = new TreeSet<>(BY_SUBMISSION);
    private final Map<Integer, Place> placeOf = new HashMap<>();

    ${className}Session(DemandsView demands, long patienceMillis) {
        this.demands = demands;
        this.patienceMillis = patienceMillis;
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
            bySize.remove(before);
            bySubmission.remove(before);
        }
        if (demands.candidate(unit) && lacks.lacks(unit)) {
            Place place = new Place(
                    size(unit),
                    demands.submissionIndex(unit),
                    demands.job(unit).toString(),
                    demands.name(unit),
                    unit);
            placeOf.put(unit, place);
            bySize.add(place);
            bySubmission.add(place);
        }
    }

    /** How many slots the unit needs to start. */
    private int size(int unit) {
        int size = 0;
        for (int group = 0; group < demands.groups(unit); group++) {
            size += demands.minimum(unit, group);
        }
        return size;
    }

    @Override
    public void admit(AdmissionBuilder result) {
        long nextReview = Long.MAX_VALUE;
        for (Place place : bySubmission) {
            long left = left(place);
            if (left <= 0) {
                admit(place.unit(), result);
            } else {
                nextReview = Math.min(nextReview, left);
            }
        }
        for (Place place : bySize) {
            if (left(place) > 0) {
                admit(place.unit(), result);
            }
        }
        if (nextReview < Long.MAX_VALUE) {
            // Time alone changes the order then.
            result.reviewAfter(nextReview);
        }
    }

    /** Milliseconds until the unit has waited for too long; a unit that runs waits for nothing. */
    private long left(Place place) {
        return lacks.lacksMinimum(place.unit())
                ? demands.arrived(place.unit()) + patienceMillis - demands.now()
                : Long.MAX_VALUE;
    }

    private void admit(int unit, AdmissionBuilder result) {
        if (lacks.lacksMinimum(unit)) {
            result.admitMinimum(unit);
        }
        groups.share(unit, (group, most) -> {
            result.admit(unit, group, most);
            return most;
        });
    }

    @Override
    public void close() {
        // Nothing to release.
    }
}
