package io.berth.distribution.capacity;

import io.berth.policy.support.distribution.UnitLacks;
import io.berth.spi.distribution.DemandsView;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;

/** The units that have slots above their minimum, which others may claim. */
final class Victims {

    private final DemandsView demands;
    private final UnitLacks lacks;
    private final Guarantees guarantees;
    private final UnitsByQueue units;

    Victims(DemandsView demands, UnitLacks lacks, Guarantees guarantees) {
        this.demands = demands;
        this.lacks = lacks;
        this.guarantees = guarantees;
        this.units = new UnitsByQueue(demands, UnitsByQueue.LAST_FIRST);
    }

    /** Forgets all; the queues may have other numbers. */
    void clear() {
        units.clear();
    }

    /** The unit was added, was removed or has other numbers. */
    void update(int unit) {
        units.update(unit, demands.present(unit) && lacks.hasAboveMinimum(unit));
    }

    /** Units of other queues than the claiming one, of that which is furthest above its guarantee first. */
    List<Integer> of(int claiming, IntPredicate allowed) {
        List<Integer> queues = new ArrayList<>();
        for (int queue : units.all().keySet()) {
            if (!guarantees.isWithin(queue, claiming) && allowed.test(queue)) {
                queues.add(queue);
            }
        }
        queues.sort(Comparator.comparingDouble((Integer queue) -> guarantees.standing(queue))
                .reversed());
        List<Integer> of = new ArrayList<>();
        for (int queue : queues) {
            units.all().getOrDefault(queue, Collections.emptySortedSet()).forEach(one -> of.add(one.unit()));
        }
        return of;
    }

    /** Why a unit is asked for slots, for people. */
    IntFunction<String> reason(String claim) {
        return unit -> {
            int queue = demands.queues().find(demands.queue(unit));
            return claim + "; " + guarantees.words(queue, guarantees.used(queue));
        };
    }
}
