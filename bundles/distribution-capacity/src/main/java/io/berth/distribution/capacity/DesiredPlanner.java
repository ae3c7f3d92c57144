package io.berth.distribution.capacity;

import io.berth.distribution.capacity.DesiredSlots.Wish;
import io.berth.policy.support.distribution.Amounts;
import io.berth.policy.support.distribution.ExpectedEnds;
import io.berth.policy.support.distribution.Reclaims;
import io.berth.policy.support.distribution.Room;
import io.berth.policy.support.distribution.TreeAdmission;
import io.berth.policy.support.distribution.UnitLacks;
import io.berth.spi.distribution.AdmissionBuilder;
import io.berth.spi.distribution.DemandsView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.IntFunction;

/** Reclaims slots for what units desire that have their minimum, within the guarantee of their queue. */
final class DesiredPlanner {

    /** How often a call looks for slots, by queue and size; it reclaims once. */
    private static final int MAX_TRIES = 8;

    private final DemandsView demands;
    private final UnitLacks lacks;
    private final Guarantees guarantees;
    private final Reclaims reclaims;
    private final Victims victims;
    private final DesiredSlots desired;

    DesiredPlanner(DemandsView demands, UnitLacks lacks, Guarantees guarantees, Reclaims reclaims, Victims victims) {
        this.demands = demands;
        this.lacks = lacks;
        this.guarantees = guarantees;
        this.reclaims = reclaims;
        this.victims = victims;
        this.desired = new DesiredSlots(demands, lacks, guarantees);
    }

    /** Forgets all; the queues may have other numbers. */
    void clear() {
        desired.clear();
    }

    /** The unit was added, was removed or has other numbers. */
    void update(int unit) {
        desired.update(unit);
    }

    /** In how many milliseconds {@link #plan} finds more; {@link Long#MAX_VALUE} when it does not. */
    long untilMore() {
        return desired.untilMore();
    }

    /**
     * Plans for the first queue, in the order in which they are admitted, that desires more than there is room for.
     *
     * @param claimed what units that wait get of the guarantees, by queue
     * @param minimums what of that there is room for
     */
    Optional<DesiredPlan> plan(
            long afterMillis,
            Map<Integer, long[]> claimed,
            long[] minimums,
            TreeAdmission.First first,
            ExpectedEnds ends,
            AdmissionBuilder result) {
        SortedMap<Integer, List<Wish>> within = desired.within(afterMillis, claimed, first, ends);
        long[] taken = minimums.clone();
        List<Wish> before = new ArrayList<>();
        int tried = 0;
        for (int queue : guarantees.inOrder(within.keySet())) {
            for (List<Wish> wishes : desired.bySize(within.getOrDefault(queue, List.of()))) {
                List<Wish> fit = wishes.subList(0, fitting(wishes, taken, new long[taken.length], first.room()));
                if (fit.size() < wishes.size()) {
                    if (tried++ == MAX_TRIES) {
                        return Optional.empty();
                    }
                    Optional<DesiredPlan> plan = plan(queue, wishes, taken, before, first.room(), result);
                    if (plan.isPresent()) {
                        return plan;
                    }
                }
                before.addAll(fit);
                Amounts.add(taken, 1, desired.amounts(fit));
            }
        }
        return Optional.empty();
    }

    /**
     * Reclaims slots for some of one size, as many as there are to reclaim. Only slots that are at least as large are:
     * smaller ones, on several workers, may make room for none, and would be given back to their jobs.
     */
    private Optional<DesiredPlan> plan(
            int queue, List<Wish> wishes, long[] taken, List<Wish> before, Room room, AdmissionBuilder result) {
        long[] size = desired.amounts(wishes.subList(0, 1));
        Fork fork = new Fork(demands, guarantees, queue);
        List<Integer> from = victims.of(queue, of -> fork.isAbove(of, new long[size.length], size)).stream()
                .filter(unit -> lacks.hasSlotOf(unit, size))
                .toList();
        long[] available = new long[size.length];
        reclaims.available(
                from, new Surplus(demands, guarantees, queue, size, covered(wishes, taken, room)), available);
        List<Wish> most = wishes.subList(0, fitting(wishes, taken, available, room));
        if (room.fits(Amounts.plus(taken, desired.amounts(most)))) {
            return Optional.empty();
        }
        String claim = guarantees.words(queue, guarantees.used(queue)) + ", and jobs of it desire more";
        IntFunction<String> reason = victims.reason(claim);
        Surplus surplus = new Surplus(demands, guarantees, queue, size, covered(most, taken, room));
        return reclaims.makeUp(shortage(most, taken, room), from, surplus, reason, result)
                ? Optional.of(new DesiredPlan(
                        demands, lacks, most, before, reclaims.planned(), reclaims.returning(), claim, reason))
                : Optional.empty();
    }

    /** What of the slots the room does not cover, by sums, after what is taken before. */
    private long[] shortage(List<Wish> wishes, long[] taken, Room room) {
        long[] shortage = new long[taken.length];
        room.shortage(Amounts.plus(taken, desired.amounts(wishes)), shortage);
        return shortage;
    }

    /** What of the slots the room covers, by sums, after what is taken before. */
    private long[] covered(List<Wish> wishes, long[] taken, Room room) {
        long[] all = desired.amounts(wishes);
        long[] shortage = shortage(wishes, taken, room);
        for (int dimension = 0; dimension < all.length; dimension++) {
            all[dimension] -= Math.min(all[dimension], shortage[dimension]);
        }
        return all;
    }

    /** For how many of the slots the room and what is available are enough, by sums, after what is taken before. */
    private int fitting(List<Wish> wishes, long[] taken, long[] available, Room room) {
        long[] all = taken.clone();
        long[] slot = new long[all.length];
        long[] shortage = new long[all.length];
        for (int count = 0; count < wishes.size(); count++) {
            lacks.slot(wishes.get(count).unit(), wishes.get(count).group(), slot);
            Amounts.add(all, 1, slot);
            room.shortage(all, shortage);
            if (!Amounts.cover(available, shortage)) {
                return count;
            }
        }
        return wishes.size();
    }
}
