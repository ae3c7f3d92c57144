package io.berth.core.policies.shadow;

import io.berth.core.api.operations.ShadowOperations.ShadowFigures;
import io.berth.core.api.policy.PlanOutcome.Placement;
import io.berth.core.api.policy.PlanOutcome.Planned;
import io.berth.core.api.policy.PlanOutcome.Returns;
import io.berth.core.policies.cache.WorkerColumns;
import io.berth.core.policies.detached.DetachedPlanner;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** What a plan and the plan of a shadow have in common. The order of placements and the reasons do not count. */
final class Comparison {

    private static final int MAX_LINES = 20;

    private record Place(int unit, int group, int worker, boolean minimum) implements Comparable<Place> {

        @Override
        public int compareTo(Place other) {
            return Comparator.comparingInt(Place::unit)
                    .thenComparingInt(Place::group)
                    .thenComparingInt(Place::worker)
                    .thenComparing(Place::minimum)
                    .compare(this, other);
        }
    }

    private final Planned decided;
    private final Planned shadowed;
    private final SortedMap<Place, Integer> placed;
    private final SortedMap<Place, Integer> shadowPlaced;

    Comparison(Planned decided, Planned shadowed) {
        this.decided = decided;
        this.shadowed = shadowed;
        this.placed = places(decided);
        this.shadowPlaced = places(shadowed);
    }

    private static SortedMap<Place, Integer> places(Planned plan) {
        SortedMap<Place, Integer> places = new TreeMap<>();
        for (Placement placement : plan.placements()) {
            places.merge(
                    new Place(placement.unit(), placement.group(), placement.worker(), placement.minimum()),
                    placement.count(),
                    Integer::sum);
        }
        return places;
    }

    boolean agrees() {
        return placed.equals(shadowPlaced)
                && decided.newWorkers().equals(shadowed.newWorkers())
                && returned(decided.returns()).equals(returned(shadowed.returns()));
    }

    /** Whether both have nothing to do. */
    boolean isEmpty() {
        return decided.decision() == 0
                && shadowPlaced.isEmpty()
                && shadowed.newWorkers().isEmpty()
                && shadowed.returns().isEmpty();
    }

    private static SortedSet<String> returned(Returns returns) {
        SortedSet<String> texts = new TreeSet<>();
        returns.giveBacks().forEach(one -> texts.add(one.allocation().toString()));
        returns.reclaims().forEach(one -> texts.add(one.unit() + " " + one.group() + " " + one.count()));
        return texts;
    }

    static ShadowFigures figures(Planned plan, long micros) {
        long returns = plan.returns().giveBacks().size()
                + plan.returns().reclaims().stream()
                        .mapToLong(one -> one.count())
                        .sum();
        return new ShadowFigures(
                plan.runs().slots(), plan.reasons().size(), plan.newWorkers().size(), returns, micros);
    }

    /** @param names of units and workers as the shadow knows them now */
    List<String> lines(DetachedPlanner names) {
        SortedSet<Place> all = new TreeSet<>(placed.keySet());
        all.addAll(shadowPlaced.keySet());
        List<String> lines = new ArrayList<>();
        int more = 0;
        for (Place place : all) {
            int count = placed.getOrDefault(place, 0);
            int shadow = shadowPlaced.getOrDefault(place, 0);
            if (count != shadow && lines.size() < MAX_LINES) {
                lines.add(worker(place, names) + ": " + shadow + " slots of " + names.group(place.unit(), place.group())
                        + " instead of " + count);
            } else if (count != shadow) {
                more++;
            }
        }
        if (!decided.newWorkers().equals(shadowed.newWorkers())) {
            lines.add("opens " + shadowed.newWorkers().size() + " workers instead of "
                    + decided.newWorkers().size());
        }
        SortedSet<String> returned = returned(decided.returns());
        SortedSet<String> shadowReturned = returned(shadowed.returns());
        if (!returned.equals(shadowReturned)) {
            lines.add("asks for " + shadowReturned.size() + " returns of slots instead of " + returned.size());
        }
        if (more > 0) {
            lines.add("and " + more + " more");
        }
        return lines;
    }

    private String worker(Place place, DetachedPlanner names) {
        return place.worker() >= decided.firstNew()
                ? WorkerColumns.nameOfNew(place.worker())
                : names.worker(place.worker());
    }
}
