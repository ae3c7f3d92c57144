package io.berth.core.policies.shadow;

import io.berth.core.api.operations.ShadowOperations.ShadowFigures;
import io.berth.core.api.policy.PlanOutcome.Planned;
import io.berth.core.policies.cache.WorkerColumns;
import io.berth.core.policies.detached.DetachedPlanner;
import io.berth.core.policies.detached.PlannedSlots;
import io.berth.core.policies.detached.PlannedSlots.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** What a plan and the plan of a shadow have in common. The order of placements and the reasons do not count. */
final class PlanComparison {

    private static final int MAX_LINES = 20;

    private final Planned decided;
    private final Planned shadowed;
    private final PlannedSlots slots;
    private final PlannedSlots shadowSlots;

    PlanComparison(Planned decided, Planned shadowed) {
        this.decided = decided;
        this.shadowed = shadowed;
        this.slots = PlannedSlots.of(decided);
        this.shadowSlots = PlannedSlots.of(shadowed);
    }

    boolean agrees() {
        return slots.equals(shadowSlots);
    }

    /** Whether both have nothing to do. */
    boolean isEmpty() {
        return decided.decision() == 0
                && shadowSlots.placed().isEmpty()
                && shadowed.newWorkers().isEmpty()
                && shadowed.returns().isEmpty();
    }

    /** @param specs knows what new workers cost */
    static ShadowFigures figures(Planned plan, DetachedPlanner specs, long micros) {
        long returns = plan.returns().giveBacks().size()
                + plan.returns().reclaims().stream()
                        .mapToLong(one -> one.count())
                        .sum();
        return ShadowFigures.ofPlan(
                plan.runs().slots(),
                plan.reasons().size(),
                plan.newWorkers().size(),
                plan.newWorkers().stream().mapToDouble(specs::costPerHour).sum(),
                returns,
                micros);
    }

    /** @param names of units and workers as the shadow knows them now */
    List<String> lines(DetachedPlanner names) {
        SortedSet<Place> all = new TreeSet<>(slots.placed().keySet());
        all.addAll(shadowSlots.placed().keySet());
        List<String> lines = new ArrayList<>();
        int more = 0;
        for (Place place : all) {
            int count = slots.count(place);
            int shadow = shadowSlots.count(place);
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
        if (!slots.returned().equals(shadowSlots.returned())) {
            lines.add("asks for " + shadowSlots.returned().size() + " returns of slots instead of "
                    + slots.returned().size());
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
