package io.berth.distribution.capacity;

import io.berth.distribution.capacity.DesiredSlots.Wish;
import io.berth.policy.support.distribution.Amounts;
import io.berth.policy.support.distribution.Claimants;
import io.berth.policy.support.distribution.PoolShares;
import io.berth.policy.support.distribution.Reclaims;
import io.berth.policy.support.distribution.Room;
import io.berth.policy.support.distribution.TreeAdmission;
import io.berth.policy.support.distribution.UnitLacks;
import io.berth.policy.support.distribution.WaitLimit;
import io.berth.spi.distribution.AdmissionBuilder;
import io.berth.spi.distribution.AdmissionSession;
import io.berth.spi.distribution.DemandsView;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;

/**
 * Admits along the tree of queues, those first that use least of their guarantee. When a unit has waited for its minimum
 * although its queue is below the guarantee, slots above minimums are reclaimed from queues above theirs; and, when none
 * are, for units that have their minimum and desire more within the guarantee.
 */
final class CapacitySession implements AdmissionSession {

    /** For how many units of a queue a call reclaims slots at once. */
    private static final int MAX_UNITS = 64;
    /** For how many queues a call looks for slots; it reclaims for one. */
    private static final int MAX_QUEUES = 8;

    /** Units that wait within the guarantee of a queue, oldest first, and what they lack together. */
    private static final class Claim {
        private final List<Integer> units = new ArrayList<>();
        private final long[] lack;

        private Claim(int dimensions) {
            lack = new long[dimensions];
        }
    }

    private final DemandsView demands;
    private final OptionalLong reclaimAfterMillis;
    private final UnitLacks lacks;
    private final Guarantees guarantees;
    private final Reclaims reclaims;
    /** Those that have slots above their minimum. */
    private final UnitsByQueue victims;

    private final DesiredSlots desired;
    private final boolean forDesired;
    /** For the decision with this state number. */
    private Optional<DesiredPlan> plan = Optional.empty();

    private long planned = -1;
    /** In how many milliseconds slots may be reclaimed for more. */
    private long untilMore = Long.MAX_VALUE;
    /** Units that wait within the guarantee of a queue, not long enough yet. */
    private final SortedMap<Integer, Claim> young = new TreeMap<>();

    private final long[] amounts;
    private final TreeAdmission tree;
    private int revision;

    /**
     * @param reclaimAfterMillis how long units wait before slots are reclaimed for them; empty: none are
     * @param forDesired whether slots are also reclaimed for units that have their minimum
     */
    CapacitySession(DemandsView demands, OptionalLong reclaimAfterMillis, boolean forDesired, WaitLimit.Limits limits) {
        this.demands = demands;
        this.reclaimAfterMillis = reclaimAfterMillis;
        this.forDesired = forDesired;
        this.lacks = new UnitLacks(demands);
        PoolShares shares = new PoolShares(demands);
        this.guarantees = new Guarantees(demands, shares);
        this.reclaims = new Reclaims(demands, lacks);
        this.victims = new UnitsByQueue(demands, UnitsByQueue.LAST_FIRST);
        this.desired = new DesiredSlots(demands, lacks, guarantees);
        this.amounts = new long[demands.dimensions()];
        fill();
        this.tree = new TreeAdmission(
                demands, shares, limits, Claimants.QUEUES, true, guarantees, guarantees, this::reclaim);
    }

    private void fill() {
        revision = demands.queues().revision();
        victims.clear();
        desired.clear();
        for (int unit = 0; unit < demands.limit(); unit++) {
            update(unit);
        }
    }

    private void update(int unit) {
        desired.update(unit);
        victims.update(unit, reclaimAfterMillis.isPresent() && demands.present(unit) && lacks.hasAboveMinimum(unit));
    }

    @Override
    public void delta(int[] changed) {
        tree.delta(changed);
        for (int unit : changed) {
            update(unit);
        }
    }

    @Override
    public void admit(AdmissionBuilder result) {
        if (demands.queues().revision() != revision) {
            fill();
        }
        reclaims.begin();
        tree.admit(result);
    }

    private void reclaim(TreeAdmission.First first, AdmissionBuilder result) {
        if (reclaimAfterMillis.isEmpty()) {
            return;
        }
        SortedMap<Integer, Claim> claims = claims(first, reclaimAfterMillis.getAsLong(), result);
        boolean forMinimums = reclaimForMinimums(claims, first, result);
        if (!forDesired) {
            return;
        }
        if (planned != demands.stateNumber()) {
            planned = demands.stateNumber();
            untilMore = Long.MAX_VALUE;
            plan = forMinimums ? Optional.empty() : planDesired(claims, first, result);
        } else if (!forMinimums && plan.isPresent()) {
            plan.get().reclaimAgain(result);
            admitMinimums(claims, first);
        }
        plan.ifPresent(one -> {
            one.admit(first);
            deferAbove(one.returning(), one.claim(), first);
        });
        if (untilMore < Long.MAX_VALUE) {
            result.reviewAfter(untilMore);
        }
    }

    /** Those that use least of their guarantee first. */
    private List<Integer> inOrder(Collection<Integer> queues) {
        List<Integer> order = new ArrayList<>(queues);
        order.sort(Comparator.comparingDouble((Integer queue) -> guarantees.standing(queue)));
        return order;
    }

    /** @return whether slots are reclaimed */
    private boolean reclaimForMinimums(
            SortedMap<Integer, Claim> claims, TreeAdmission.First first, AdmissionBuilder result) {
        int tried = 0;
        for (int queue : inOrder(claims.keySet())) {
            Claim claim = claims.getOrDefault(queue, new Claim(amounts.length));
            if (first.room().fits(claim.lack)) {
                // Those that use least of their guarantee come first, so nobody takes it from them.
                continue;
            }
            if (tried == MAX_QUEUES) {
                return false;
            }
            tried++;
            if (reclaimFor(queue, claim.units, first, result)
                    || (claim.units.size() > 1 && reclaimFor(queue, claim.units.subList(0, 1), first, result))) {
                return true;
            }
        }
        return false;
    }

    /** Minimums within guarantees come before what is desired within them, if there is room. */
    private void admitMinimums(SortedMap<Integer, Claim> claims, TreeAdmission.First first) {
        for (SortedMap<Integer, Claim> some : List.of(claims, young)) {
            some.forEach((queue, claim) -> {
                for (int unit : claim.units) {
                    lacks.missingMinimum(unit, amounts);
                    if (demands.candidate(unit) && first.room().fits(amounts) && first.isAllowed(unit, amounts)) {
                        first.admit(unit, amounts, guarantees.words(queue, guarantees.used(queue)));
                    }
                }
            });
        }
    }

    /**
     * Reclaims slots for what the units of one queue desire, as much as there is to reclaim. Only slots that are at least as
     * large are: smaller ones, on several workers, may make room for none, and would be given back to their jobs.
     */
    private Optional<DesiredPlan> planDesired(
            SortedMap<Integer, Claim> claims, TreeAdmission.First first, AdmissionBuilder result) {
        Map<Integer, long[]> claimed = new HashMap<>();
        claims.forEach((queue, claim) -> guarantees.claim(queue, claim.lack, claimed));
        young.forEach((queue, claim) -> guarantees.claim(queue, claim.lack, claimed));
        SortedMap<Integer, List<Wish>> within = desired.within(
                reclaimAfterMillis.orElseThrow(),
                claimed,
                first,
                tree.waitLimit().ends());
        untilMore = desired.untilMore();
        if (within.isEmpty()) {
            return Optional.empty();
        }
        admitMinimums(claims, first);
        within.values().removeIf(wishes -> first.room().fits(desired.amounts(wishes)));
        int tried = 0;
        for (int queue : inOrder(within.keySet())) {
            if (tried++ == MAX_QUEUES) {
                break;
            }
            List<Wish> wishes = desired.ofOneSize(within.getOrDefault(queue, List.of()));
            long[] size = desired.amounts(wishes.subList(0, 1));
            Fork fork = new Fork(demands, guarantees, queue);
            List<Integer> from = victimsFor(queue, of -> fork.isAbove(of, new long[amounts.length], size)).stream()
                    .filter(unit -> lacks.hasSlotOf(unit, size))
                    .toList();
            long[] available = new long[amounts.length];
            reclaims.available(
                    from, new Surplus(demands, guarantees, queue, size, covered(wishes, first.room())), available);
            List<Wish> most = wishes.subList(0, fitting(wishes, first.room(), available));
            if (most.isEmpty() || first.room().fits(desired.amounts(most))) {
                continue;
            }
            String claim = guarantees.words(queue, guarantees.used(queue)) + ", and jobs of it desire more";
            IntFunction<String> reason = reason(claim);
            long[] shortage = new long[amounts.length];
            first.room().shortage(desired.amounts(most), shortage);
            if (reclaims.makeUp(
                    shortage,
                    from,
                    new Surplus(demands, guarantees, queue, size, covered(most, first.room())),
                    reason,
                    result)) {
                return Optional.of(
                        new DesiredPlan(demands, lacks, most, reclaims.planned(), reclaims.returning(), claim, reason));
            }
        }
        return Optional.empty();
    }

    /** For how many of the slots the room and what is available are enough, by sums. */
    private int fitting(List<Wish> wishes, Room room, long[] available) {
        long[] all = new long[amounts.length];
        long[] shortage = new long[amounts.length];
        for (int count = 0; count < wishes.size(); count++) {
            lacks.slot(wishes.get(count).unit(), wishes.get(count).group(), amounts);
            Amounts.add(all, 1, amounts);
            room.shortage(all, shortage);
            for (int dimension = 0; dimension < shortage.length; dimension++) {
                if (shortage[dimension] > available[dimension]) {
                    return count;
                }
            }
        }
        return wishes.size();
    }

    /** What of the slots the room covers, by sums. */
    private long[] covered(List<Wish> wishes, Room room) {
        long[] all = desired.amounts(wishes);
        long[] shortage = new long[all.length];
        room.shortage(all, shortage);
        for (int dimension = 0; dimension < all.length; dimension++) {
            all[dimension] -= shortage[dimension];
        }
        return all;
    }

    /** The units that have waited long enough, by the lowest queue whose guarantee covers them. */
    private SortedMap<Integer, Claim> claims(TreeAdmission.First first, long afterMillis, AdmissionBuilder result) {
        SortedMap<Integer, Claim> claims = new TreeMap<>();
        Map<Integer, long[]> claimed = new HashMap<>();
        young.clear();
        int looked = 0;
        for (int unit : tree.waitLimit().oldestFirst()) {
            if (tree.waitLimit().holds(unit)) {
                continue;
            }
            lacks.missingMinimum(unit, amounts);
            int queue = guarantees.covering(demands.queue(unit), amounts, claimed);
            if (queue < 0
                    || !first.room().allows(amounts, tree.waitLimit().ends().end(unit))
                    || !first.isAllowed(unit, amounts)) {
                continue;
            }
            long waited = tree.waitLimit().waitedMillis(unit);
            boolean isYoung = waited < afterMillis;
            if (isYoung) {
                result.reviewAfter(afterMillis - waited);
                // All that follow have waited for less time: they only come before what others desire.
                if (!forDesired || looked++ == MAX_UNITS) {
                    break;
                }
            }
            Claim claim = (isYoung ? young : claims).computeIfAbsent(queue, one -> new Claim(amounts.length));
            if (claim.units.size() < MAX_UNITS) {
                claim.units.add(unit);
                Amounts.add(claim.lack, 1, amounts);
                guarantees.claim(queue, amounts, claimed);
            }
        }
        return claims;
    }

    private boolean reclaimFor(int queue, List<Integer> units, TreeAdmission.First first, AdmissionBuilder result) {
        long[] lack = new long[amounts.length];
        for (int unit : units) {
            lacks.missingMinimum(unit, amounts);
            Amounts.add(lack, 1, amounts);
        }
        if (first.room().fits(lack)) {
            return false;
        }
        long[] shortage = new long[amounts.length];
        first.room().shortage(lack, shortage);
        String claim = guarantees.words(queue, guarantees.used(queue)) + ", and jobs of it wait";
        boolean enough = reclaims.makeUp(
                shortage,
                victimsFor(queue, any -> true),
                new Surplus(demands, guarantees, queue),
                reason(claim),
                result);
        if (!enough) {
            return false;
        }
        for (int unit : units) {
            lacks.missingMinimum(unit, amounts);
            // A limit below the queue that has the guarantee may allow some of them only.
            if (first.isAllowed(unit, amounts)) {
                first.admit(unit, amounts, "slots are reclaimed: " + guarantees.words(queue, guarantees.used(queue)));
            }
        }
        deferAbove(reclaims.returning(), claim, first);
        return true;
    }

    /** Why a unit is asked for slots, for people. */
    private IntFunction<String> reason(String claim) {
        return unit -> {
            int of = demands.queues().find(demands.queue(unit));
            return claim + "; " + guarantees.words(of, guarantees.used(of));
        };
    }

    /** Those that are asked for slots get no more. */
    private static void deferAbove(BitSet returning, String claim, TreeAdmission.First first) {
        for (int unit = returning.nextSetBit(0); unit >= 0; unit = returning.nextSetBit(unit + 1)) {
            first.deferAbove(
                    unit, "it is asked to return slots: " + claim + "; its own queue has more than its guarantee");
        }
    }

    /** Units of other queues, of that which is furthest above its guarantee first. */
    private List<Integer> victimsFor(int claiming, IntPredicate allowed) {
        List<Integer> queues = new ArrayList<>();
        for (int queue : victims.all().keySet()) {
            if (!guarantees.isWithin(queue, claiming) && allowed.test(queue)) {
                queues.add(queue);
            }
        }
        queues.sort(Comparator.comparingDouble((Integer queue) -> guarantees.standing(queue))
                .reversed());
        List<Integer> units = new ArrayList<>();
        for (int queue : queues) {
            victims.all().getOrDefault(queue, Collections.emptySortedSet()).forEach(one -> units.add(one.unit()));
        }
        return units;
    }

    @Override
    public void close() {
        tree.close();
        victims.clear();
        desired.clear();
    }
}
