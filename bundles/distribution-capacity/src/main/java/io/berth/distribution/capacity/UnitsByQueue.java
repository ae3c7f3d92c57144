package io.berth.distribution.capacity;

import io.berth.spi.JobId;
import io.berth.spi.distribution.DemandsView;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Some of the units, by the queue of their job and in an order. */
final class UnitsByQueue {

    /** What the order of a unit depends on. */
    record Place(int priority, long submissionIndex, JobId job, String name, int unit) {}

    private static final Comparator<Place> BY_SUBMISSION = Comparator.comparingLong(Place::submissionIndex)
            .thenComparing(Place::job)
            .thenComparing(Place::name)
            .thenComparingInt(Place::unit);

    /** What was submitted last comes first. */
    static final Comparator<Place> LAST_FIRST = BY_SUBMISSION.reversed();

    /** The order in which units of a queue are admitted. */
    static final Comparator<Place> AS_ADMITTED =
            Comparator.comparingInt(Place::priority).reversed().thenComparing(BY_SUBMISSION);

    private record Known(int queue, Place place) {}

    private final DemandsView demands;
    private final Comparator<Place> order;
    private final SortedMap<Integer, SortedSet<Place>> placesOf = new TreeMap<>();
    private final Map<Integer, Known> known = new HashMap<>();

    UnitsByQueue(DemandsView demands, Comparator<Place> order) {
        this.demands = demands;
        this.order = order;
    }

    /** Forgets all; the queues may have other numbers. */
    void clear() {
        placesOf.clear();
        known.clear();
    }

    /** @param isOne whether the unit, which may have other numbers, is one of them now; it is present then */
    void update(int unit, boolean isOne) {
        Known before = known.remove(unit);
        if (before != null) {
            SortedSet<Place> others = placesOf.getOrDefault(before.queue(), Collections.emptySortedSet());
            others.remove(before.place());
            if (others.isEmpty()) {
                placesOf.remove(before.queue());
            }
        }
        if (isOne) {
            Place place = new Place(
                    demands.priority(unit), demands.submissionIndex(unit), demands.job(unit), demands.name(unit), unit);
            int queue = demands.queues().find(demands.queue(unit));
            placesOf.computeIfAbsent(queue, first -> new TreeSet<>(order)).add(place);
            known.put(unit, new Known(queue, place));
        }
    }

    /** The units of queues that have some, by queue. */
    SortedMap<Integer, SortedSet<Place>> all() {
        return Collections.unmodifiableSortedMap(placesOf);
    }
}
