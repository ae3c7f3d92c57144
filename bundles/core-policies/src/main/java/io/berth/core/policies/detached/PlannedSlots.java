package io.berth.core.policies.detached;

import io.berth.core.api.policy.PlanOutcome.Placement;
import io.berth.core.api.policy.PlanOutcome.Planned;
import io.berth.core.api.policy.PlanOutcome.Returns;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a plan does, in whatever order and in however many calls it was said. Two plans agree if this is equal.
 *
 * @param placed how many slots of which group on which worker
 * @param newWorkers the specs of new workers, in the order of opening
 * @param returned the slots that jobs are asked for
 */
public record PlannedSlots(SortedMap<Place, Integer> placed, List<Integer> newWorkers, SortedSet<String> returned) {

    /** Slots of a group on a worker; {@code minimum} if they are part of the minimum of their unit. */
    public record Place(int unit, int group, int worker, boolean minimum) implements Comparable<Place> {

        @Override
        public int compareTo(Place other) {
            return Comparator.comparingInt(Place::unit)
                    .thenComparingInt(Place::group)
                    .thenComparingInt(Place::worker)
                    .thenComparing(Place::minimum)
                    .compare(this, other);
        }
    }

    public PlannedSlots {
        placed = Collections.unmodifiableSortedMap(new TreeMap<>(placed));
        newWorkers = List.copyOf(newWorkers);
        returned = Collections.unmodifiableSortedSet(new TreeSet<>(returned));
    }

    /** What a plan does. */
    public static PlannedSlots of(Planned plan) {
        SortedMap<Place, Integer> places = new TreeMap<>();
        for (Placement placement : plan.placements()) {
            places.merge(
                    new Place(placement.unit(), placement.group(), placement.worker(), placement.minimum()),
                    placement.count(),
                    Integer::sum);
        }
        return new PlannedSlots(places, plan.newWorkers(), returned(plan.returns()));
    }

    private static SortedSet<String> returned(Returns returns) {
        SortedSet<String> texts = new TreeSet<>();
        returns.giveBacks().forEach(one -> texts.add(one.allocation().toString()));
        returns.reclaims().forEach(one -> texts.add(one.unit() + " " + one.group() + " " + one.count()));
        return texts;
    }

    /** How many slots there are at a place. */
    public int count(Place place) {
        return placed.getOrDefault(place, 0);
    }
}
