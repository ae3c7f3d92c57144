package io.berth.distribution.capacity;

import io.berth.policy.support.distribution.Amounts;
import io.berth.policy.support.distribution.TreeAdmission;
import io.berth.policy.support.distribution.UnitLacks;
import io.berth.spi.JobId;
import io.berth.spi.distribution.AdmissionBuilder;
import io.berth.spi.distribution.DemandsView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** The units that have their minimum and desire more, which the guarantee of a queue covers. */
final class DesiredSlots {

    /** How many units of a queue are looked at, oldest first. */
    private static final int MAX_UNITS = 256;
    /** So many of these may desire nothing that a guarantee covers, before the rest is taken to be like them. */
    private static final int MAX_MISSES = 8;

    /** A slot that a unit desires. */
    record Wish(int unit, int group) {}

    private record Place(long submissionIndex, JobId job, String name, int unit) {}

    private static final Comparator<Place> OLDEST_FIRST = Comparator.comparingLong(Place::submissionIndex)
            .thenComparing(Place::job)
            .thenComparing(Place::name)
            .thenComparingInt(Place::unit);

    private record Known(int queue, Place place) {}

    private final DemandsView demands;
    private final UnitLacks lacks;
    private final Guarantees guarantees;
    private final SortedMap<Integer, SortedSet<Place>> unitsOf = new TreeMap<>();
    private final Map<Integer, Known> known = new HashMap<>();
    private final long[] slot;

    DesiredSlots(DemandsView demands, UnitLacks lacks, Guarantees guarantees) {
        this.demands = demands;
        this.lacks = lacks;
        this.guarantees = guarantees;
        this.slot = new long[demands.dimensions()];
    }

    /** Forgets all; the queues may have other numbers. */
    void clear() {
        unitsOf.clear();
        known.clear();
    }

    /** The unit was added, was removed or has other numbers. */
    void update(int unit) {
        Known before = known.remove(unit);
        if (before != null) {
            SortedSet<Place> others = unitsOf.getOrDefault(before.queue(), new TreeSet<>(OLDEST_FIRST));
            others.remove(before.place());
            if (others.isEmpty()) {
                unitsOf.remove(before.queue());
            }
        }
        if (demands.present(unit) && !lacks.lacksMinimum(unit) && lacks.lacks(unit)) {
            Place place = new Place(demands.submissionIndex(unit), demands.job(unit), demands.name(unit), unit);
            int queue = demands.queues().find(demands.queue(unit));
            unitsOf.computeIfAbsent(queue, first -> new TreeSet<>(OLDEST_FIRST)).add(place);
            known.put(unit, new Known(queue, place));
        }
    }

    /**
     * What units desire that have had their minimum for some time, by the lowest queue whose guarantee covers it; as many
     * slots of a queue as one decision may reclaim. Asks for a review when more units have had it for so long.
     *
     * @param claimed what others get of the guarantees, by queue; grows by what is found
     */
    SortedMap<Integer, List<Wish>> within(
            long afterMillis, Map<Integer, long[]> claimed, TreeAdmission.First first, AdmissionBuilder result) {
        SortedMap<Integer, List<Wish>> within = new TreeMap<>();
        for (SortedSet<Place> units : unitsOf.values()) {
            int looked = 0;
            int misses = 0;
            int found = 0;
            for (Place place : units) {
                if (looked++ == MAX_UNITS || misses == MAX_MISSES || found >= AdmissionBuilder.MAX_RECLAIMED) {
                    break;
                }
                long ran = demands.now() - demands.runningSince(place.unit()).orElse(demands.now());
                if (ran < afterMillis) {
                    if (guaranteeing(place.unit(), 0, claimed) >= 0) {
                        result.reviewAfter(afterMillis - ran);
                    }
                    continue;
                }
                int more = add(place.unit(), claimed, first, within);
                misses += more == 0 ? 1 : 0;
                found += more;
            }
        }
        return within;
    }

    private int add(
            int unit, Map<Integer, long[]> claimed, TreeAdmission.First first, Map<Integer, List<Wish>> within) {
        long[] lack = new long[slot.length];
        int added = 0;
        for (int group = 0; group < demands.groups(unit); group++) {
            int missing = demands.desired(unit, group) - demands.allocated(unit, group);
            for (int queue; missing > 0 && (queue = guaranteeing(unit, group, claimed)) >= 0; missing--) {
                Amounts.add(lack, 1, slot);
                List<Wish> wishes = within.computeIfAbsent(queue, one -> new ArrayList<>());
                if (wishes.size() == AdmissionBuilder.MAX_RECLAIMED || !first.isAllowed(unit, lack)) {
                    return added;
                }
                wishes.add(new Wish(unit, group));
                guarantees.claim(queue, slot, claimed);
                added++;
            }
        }
        return added;
    }

    /** The lowest queue of the unit whose guarantee covers a slot of the group; -1 when there is none. */
    private int guaranteeing(int unit, int group, Map<Integer, long[]> claimed) {
        lacks.slot(unit, group, slot);
        return guarantees.covering(demands.queue(unit), slot, claimed);
    }

    /** The first of the slots, and those that follow and have the same size. */
    List<Wish> ofOneSize(List<Wish> wishes) {
        long[] size = amounts(wishes.subList(0, 1));
        int count = 1;
        while (count < wishes.size() && Arrays.equals(amounts(wishes.subList(count, count + 1)), size)) {
            count++;
        }
        return wishes.subList(0, count);
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
