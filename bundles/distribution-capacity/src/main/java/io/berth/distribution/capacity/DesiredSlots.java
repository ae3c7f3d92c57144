package io.berth.distribution.capacity;

import io.berth.policy.support.distribution.Amounts;
import io.berth.policy.support.distribution.ExpectedEnds;
import io.berth.policy.support.distribution.SlotTurns;
import io.berth.policy.support.distribution.TreeAdmission;
import io.berth.policy.support.distribution.UnitLacks;
import io.berth.spi.distribution.AdmissionBuilder;
import io.berth.spi.distribution.DemandsView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.Predicate;

/** The units that have their minimum and desire more, which the guarantee of a queue covers. */
final class DesiredSlots {

    /** How many units of a queue are looked at, in the order in which they are admitted. */
    private static final int MAX_UNITS = 256;
    /** So many of these may desire nothing that a guarantee covers, before the rest is taken to be like them. */
    private static final int MAX_MISSES = 8;

    /** A slot that a unit desires. */
    record Wish(int unit, int group) {}

    private final DemandsView demands;
    private final UnitLacks lacks;
    private final Guarantees guarantees;
    private final UnitsByQueue units;
    private final long[] slot;
    private long untilMore = Long.MAX_VALUE;

    DesiredSlots(DemandsView demands, UnitLacks lacks, Guarantees guarantees) {
        this.demands = demands;
        this.lacks = lacks;
        this.guarantees = guarantees;
        this.units = new UnitsByQueue(demands, UnitsByQueue.AS_ADMITTED);
        this.slot = new long[demands.dimensions()];
    }

    /** Forgets all; the queues may have other numbers. */
    void clear() {
        units.clear();
    }

    /** The unit was added, was removed or has other numbers. */
    void update(int unit) {
        units.update(unit, demands.present(unit) && !lacks.lacksMinimum(unit) && lacks.lacks(unit));
    }

    /**
     * What units desire that have had their minimum for some time, by the lowest queue whose guarantee covers it; as many
     * slots of a queue as one decision may reclaim. {@link #untilMore} says when more units have had it for so long.
     *
     * @param claimed what others get of the guarantees, by queue; grows by what is found
     */
    SortedMap<Integer, List<Wish>> within(
            long afterMillis, Map<Integer, long[]> claimed, TreeAdmission.First first, ExpectedEnds ends) {
        untilMore = Long.MAX_VALUE;
        SortedMap<Integer, List<Wish>> within = new TreeMap<>();
        // A guarantee of a queue above them goes to those first that are admitted first.
        for (int of : guarantees.inOrder(units.all().keySet())) {
            SortedSet<UnitsByQueue.Place> places = units.all().getOrDefault(of, Collections.emptySortedSet());
            long[] lack = new long[slot.length];
            int looked = 0;
            int misses = 0;
            int found = 0;
            for (UnitsByQueue.Place place : places) {
                int unit = place.unit();
                if (looked++ == MAX_UNITS || misses == MAX_MISSES || found >= AdmissionBuilder.MAX_RECLAIMED) {
                    break;
                }
                long ran =
                        Math.max(0, demands.now() - demands.runningSince(unit).orElse(demands.now()));
                if (ran < afterMillis) {
                    if (new Turns(unit, claimed).next() >= 0) {
                        untilMore = Math.min(untilMore, afterMillis - ran);
                    }
                    continue;
                }
                int more = add(
                        unit,
                        lack,
                        claimed,
                        taken -> first.isAllowed(unit, taken) && first.room().allows(taken, ends.end(unit)),
                        within);
                misses += more == 0 ? 1 : 0;
                found += more;
            }
        }
        return within;
    }

    /** In how many milliseconds {@link #within} finds more; {@link Long#MAX_VALUE} when it does not. */
    long untilMore() {
        return untilMore;
    }

    /** The groups of a unit in the order in which they get slots, as long as a guarantee covers them. */
    private final class Turns {
        private final int unit;
        private final Map<Integer, long[]> claimed;
        private final SlotTurns turns;

        Turns(int unit, Map<Integer, long[]> claimed) {
            this.unit = unit;
            this.claimed = claimed;
            this.turns = new SlotTurns(demands, unit);
        }

        /** The queue whose guarantee covers the next slot; -1 when there is none. */
        int next() {
            while (!turns.isEmpty()) {
                int queue = guaranteeing(unit, turns.group(), claimed);
                if (queue >= 0) {
                    return queue;
                }
                turns.skip();
            }
            return -1;
        }
    }

    /** @param lack what was found of the units of the queue; grows */
    private int add(
            int unit,
            long[] lack,
            Map<Integer, long[]> claimed,
            Predicate<long[]> allowed,
            Map<Integer, List<Wish>> within) {
        int added = 0;
        Turns turns = new Turns(unit, claimed);
        for (int queue = turns.next(); queue >= 0; queue = turns.next()) {
            List<Wish> wishes = within.computeIfAbsent(queue, one -> new ArrayList<>());
            long[] then = lack.clone();
            Amounts.add(then, 1, slot);
            if (wishes.size() == AdmissionBuilder.MAX_RECLAIMED || !allowed.test(then)) {
                return added;
            }
            System.arraycopy(then, 0, lack, 0, then.length);
            wishes.add(new Wish(unit, turns.turns.group()));
            guarantees.claim(queue, slot, claimed);
            turns.turns.take(1);
            added++;
        }
        return added;
    }

    /** The lowest queue of the unit whose guarantee covers a slot of the group; -1 when there is none. */
    private int guaranteeing(int unit, int group, Map<Integer, long[]> claimed) {
        lacks.slot(unit, group, slot);
        return guarantees.covering(demands.queue(unit), slot, claimed);
    }

    /** The slots that have the same size, by size in the order of their first ones. */
    Collection<List<Wish>> bySize(List<Wish> wishes) {
        Map<List<Long>, List<Wish>> bySize = new LinkedHashMap<>();
        for (Wish wish : wishes) {
            lacks.slot(wish.unit(), wish.group(), slot);
            bySize.computeIfAbsent(Arrays.stream(slot).boxed().toList(), size -> new ArrayList<>())
                    .add(wish);
        }
        return bySize.values();
    }

    /** What the slots take together. */
    long[] amounts(List<Wish> wishes) {
        long[] all = new long[slot.length];
        for (Wish wish : wishes) {
            lacks.slot(wish.unit(), wish.group(), slot);
            Amounts.add(all, 1, slot);
        }
        return all;
    }
}
