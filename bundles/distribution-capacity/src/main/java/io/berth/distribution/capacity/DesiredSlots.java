package io.berth.distribution.capacity;

import io.berth.policy.support.distribution.Amounts;
import io.berth.policy.support.distribution.UnitLacks;
import io.berth.spi.JobId;
import io.berth.spi.distribution.AdmissionBuilder;
import io.berth.spi.distribution.DemandsView;
import io.berth.spi.distribution.QueuesView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The units that have their minimum and desire more, which the guarantee of a queue covers, and when slots may be
 * reclaimed for them: after a while, and after twice as long when the slots of the last time did not help.
 */
final class DesiredSlots {

    /** Longest time between two attempts for a queue that does not get more. */
    private static final long MAX_PAUSE_MILLIS = 3_600_000;

    private static final long MIN_PAUSE_MILLIS = 30_000;

    /** Whether the limits of the queues allow it. */
    interface Allowed {
        boolean allows(int unit, long[] lack);
    }

    /** A slot that a unit desires. */
    record Wish(int unit, int group) {}

    private record Wisher(long submissionIndex, JobId job, String name, int unit) {}

    private static final Comparator<Wisher> FIRST_FIRST = Comparator.comparingLong(Wisher::submissionIndex)
            .thenComparing(Wisher::job)
            .thenComparing(Wisher::name)
            .thenComparingInt(Wisher::unit);

    private record Known(int queue, Wisher wisher) {}

    /** The last time at which slots were reclaimed for a queue. */
    private record Asked(long at, long pause, long[] used) {}

    private final DemandsView demands;
    private final UnitLacks lacks;
    private final Guarantees guarantees;
    private final SortedMap<Integer, SortedSet<Wisher>> wishers = new TreeMap<>();
    private final Map<Integer, Known> wisherOf = new HashMap<>();
    private final Map<Integer, Long> since = new HashMap<>();
    private final Map<Integer, Asked> asked = new HashMap<>();
    private final long[] slot;

    DesiredSlots(DemandsView demands, UnitLacks lacks, Guarantees guarantees) {
        this.demands = demands;
        this.lacks = lacks;
        this.guarantees = guarantees;
        this.slot = new long[demands.dimensions()];
    }

    /** Forgets all; the queues may have other numbers. */
    void clear() {
        wishers.clear();
        wisherOf.clear();
        since.clear();
        asked.clear();
    }

    void update(int unit) {
        Known before = wisherOf.remove(unit);
        if (before != null) {
            SortedSet<Wisher> others = wishers.getOrDefault(before.queue(), new TreeSet<>(FIRST_FIRST));
            others.remove(before.wisher());
            if (others.isEmpty()) {
                wishers.remove(before.queue());
            }
        }
        if (demands.candidate(unit) && !lacks.lacksMinimum(unit) && lacks.lacks(unit)) {
            Wisher wisher = new Wisher(demands.submissionIndex(unit), demands.job(unit), demands.name(unit), unit);
            int queue = demands.queues().find(demands.queue(unit));
            wishers.computeIfAbsent(queue, first -> new TreeSet<>(FIRST_FIRST)).add(wisher);
            wisherOf.put(unit, new Known(queue, wisher));
        }
    }

    /**
     * What units desire within the guarantees of queues, by the lowest queue whose guarantee covers it, as many slots of
     * each queue as one call may reclaim at most.
     */
    SortedMap<Integer, List<Wish>> within(Allowed limits) {
        SortedMap<Integer, List<Wish>> within = new TreeMap<>();
        Map<Integer, long[]> taken = new HashMap<>();
        for (SortedSet<Wisher> units : wishers.values()) {
            int found = 0;
            for (Wisher wisher : units) {
                int more = add(wisher.unit(), limits, within, taken);
                found += more;
                // Those behind it have no more of the guarantee, or the call asks for no more.
                if (more == 0 || found >= AdmissionBuilder.MAX_RECLAIMED) {
                    break;
                }
            }
        }
        return within;
    }

    private int add(int unit, Allowed limits, SortedMap<Integer, List<Wish>> within, Map<Integer, long[]> taken) {
        long[] lack = new long[slot.length];
        int added = 0;
        for (int group = 0; group < demands.groups(unit); group++) {
            lacks.slot(unit, group, slot);
            int missing = demands.desired(unit, group) - demands.allocated(unit, group);
            for (int queue; missing > 0 && (queue = guaranteeing(unit, taken)) >= 0; missing--) {
                Amounts.add(lack, 1, slot);
                if (!limits.allows(unit, lack)) {
                    return added;
                }
                List<Wish> wishes = within.computeIfAbsent(queue, first -> new ArrayList<>());
                if (wishes.size() >= AdmissionBuilder.MAX_RECLAIMED) {
                    return added;
                }
                wishes.add(new Wish(unit, group));
                Amounts.add(taken.computeIfAbsent(queue, first -> new long[slot.length]), 1, slot);
                added++;
            }
        }
        return added;
    }

    private int guaranteeing(int unit, Map<Integer, long[]> taken) {
        QueuesView queues = demands.queues();
        for (int queue = queues.find(demands.queue(unit)); queue >= 0; queue = queues.parent(queue)) {
            if (guarantees.isGuaranteed(queue) && covers(queue, taken.getOrDefault(queue, new long[slot.length]))) {
                return queue;
            }
        }
        return -1;
    }

    private boolean covers(int queue, long[] taken) {
        QueuesView queues = demands.queues();
        for (int dimension = 0; dimension < slot.length; dimension++) {
            long guaranteed = queues.guaranteed(queue, dimension);
            if (guaranteed > 0 && slot[dimension] > guaranteed - queues.used(queue, dimension) - taken[dimension]) {
                return false;
            }
        }
        return true;
    }

    /** What the first slots of a list take together. */
    long[] amounts(List<Wish> wishes) {
        long[] all = new long[slot.length];
        for (Wish wish : wishes) {
            lacks.slot(wish.unit(), wish.group(), slot);
            Amounts.add(all, 1, slot);
        }
        return all;
    }

    /** Jobs of these queues, and of no others, lack slots within the guarantees, and there is no room. */
    void below(Set<Integer> queues) {
        since.keySet().retainAll(queues);
        asked.keySet().retainAll(queues);
        queues.forEach(queue -> since.putIfAbsent(queue, demands.now()));
    }

    /** In how many milliseconds slots may be reclaimed for the queue; 0: now. */
    long remaining(int queue, long afterMillis) {
        long now = demands.now();
        long due = since.getOrDefault(queue, now) + afterMillis;
        Asked last = asked.get(queue);
        if (last != null && !hasMore(queue, last)) {
            due = Math.max(due, last.at() + last.pause());
        }
        return Math.max(0, due - now);
    }

    private boolean hasMore(int queue, Asked than) {
        long[] used = guarantees.used(queue);
        for (int dimension = 0; dimension < used.length; dimension++) {
            if (used[dimension] > than.used()[dimension]) {
                return true;
            }
        }
        return false;
    }

    /** Slots are reclaimed for the queue. */
    void ask(int queue, long afterMillis) {
        Asked last = asked.get(queue);
        long pause = last == null || hasMore(queue, last)
                ? Math.max(MIN_PAUSE_MILLIS, afterMillis)
                : Math.min(Math.max(MAX_PAUSE_MILLIS, afterMillis), 2 * last.pause());
        asked.put(queue, new Asked(demands.now(), pause, guarantees.used(queue)));
    }
}
