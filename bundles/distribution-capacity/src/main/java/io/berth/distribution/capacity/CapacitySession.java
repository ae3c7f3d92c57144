package io.berth.distribution.capacity;

import io.berth.policy.support.distribution.Amounts;
import io.berth.policy.support.distribution.Claimants;
import io.berth.policy.support.distribution.PoolShares;
import io.berth.policy.support.distribution.Reclaims;
import io.berth.policy.support.distribution.TreeAdmission;
import io.berth.policy.support.distribution.UnitLacks;
import io.berth.policy.support.distribution.WaitLimit;
import io.berth.spi.distribution.AdmissionBuilder;
import io.berth.spi.distribution.AdmissionSession;
import io.berth.spi.distribution.DemandsView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

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
    private final Victims victims;
    private final DesiredPlanner desired;
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
        this.victims = new Victims(demands, lacks, guarantees);
        this.desired = new DesiredPlanner(demands, lacks, guarantees, reclaims, victims);
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
        if (reclaimAfterMillis.isPresent()) {
            victims.update(unit);
        }
        if (forDesired) {
            desired.update(unit);
        }
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
        // A decision that is made again reclaims for the same.
        boolean isPlanned = planned == demands.stateNumber() && plan.isPresent();
        boolean forMinimums = !isPlanned && reclaimForMinimums(claims, first, result);
        if (!forDesired) {
            return;
        }
        if (isPlanned) {
            plan.orElseThrow().reclaimAgain(result);
        } else if (planned != demands.stateNumber()) {
            planned = demands.stateNumber();
            plan = forMinimums ? Optional.empty() : planDesired(claims, first, result);
            untilMore = forMinimums ? Long.MAX_VALUE : desired.untilMore();
        }
        plan.ifPresent(one -> {
            admitMinimums(claims, first);
            one.admit(first);
            deferAbove(one.returning(), one.claim(), first);
        });
        if (untilMore < Long.MAX_VALUE) {
            result.reviewAfter(untilMore);
        }
    }

    /** @return whether slots are reclaimed */
    private boolean reclaimForMinimums(
            SortedMap<Integer, Claim> claims, TreeAdmission.First first, AdmissionBuilder result) {
        int tried = 0;
        for (int queue : guarantees.inOrder(claims.keySet())) {
            Claim claim = claims.getOrDefault(queue, new Claim(amounts.length));
            if (!shortage(queue, claim.lack, first).isShort()) {
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
        for (int unit : minimums(claims, first)) {
            lacks.missingMinimum(unit, amounts);
            if (first.room().fits(amounts)
                    && first.room().allows(amounts, tree.waitLimit().ends().end(unit))
                    && first.isAllowed(unit, amounts)) {
                first.admitFitting(unit, amounts);
            }
        }
    }

    /** The units that wait for a minimum within a guarantee, also those that have not waited for long. */
    private List<Integer> minimums(SortedMap<Integer, Claim> claims, TreeAdmission.First first) {
        List<Integer> units = new ArrayList<>();
        for (SortedMap<Integer, Claim> some : List.of(claims, young)) {
            for (int queue : guarantees.inOrder(some.keySet())) {
                for (int unit : some.getOrDefault(queue, new Claim(amounts.length)).units) {
                    lacks.missingMinimum(unit, amounts);
                    if (demands.candidate(unit) && first.isAllowed(unit, amounts)) {
                        units.add(unit);
                    }
                }
            }
        }
        return units;
    }

    /** What of the minimums within guarantees there is room for. */
    private long[] fittingMinimums(SortedMap<Integer, Claim> claims, TreeAdmission.First first) {
        long[] fitting = new long[amounts.length];
        for (int unit : minimums(claims, first)) {
            lacks.missingMinimum(unit, amounts);
            if (first.room().fits(Amounts.plus(fitting, amounts))) {
                Amounts.add(fitting, 1, amounts);
            }
        }
        return fitting;
    }

    private Optional<DesiredPlan> planDesired(
            SortedMap<Integer, Claim> claims, TreeAdmission.First first, AdmissionBuilder result) {
        Map<Integer, long[]> claimed = new HashMap<>();
        claims.forEach((queue, claim) -> guarantees.claim(queue, claim.lack, claimed));
        young.forEach((queue, claim) -> guarantees.claim(queue, claim.lack, claimed));
        return desired.plan(
                reclaimAfterMillis.orElseThrow(),
                claimed,
                fittingMinimums(claims, first),
                first,
                tree.waitLimit().ends(),
                result);
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
                    || !mayClaim(unit, queue, first)) {
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

    /**
     * Whether the limits allow what the unit lacks, in {@link #amounts}, but for those above the queue whose guarantee covers
     * it: others return what is used of these. A limit below may allow some units of a claim only.
     */
    private boolean mayClaim(int unit, int covering, TreeAdmission.First first) {
        int limiting = first.limiting(unit, amounts);
        return limiting < 0 || !guarantees.isWithin(limiting, covering);
    }

    /**
     * What is lacking for a claim.
     *
     * @param amounts of the room, or of what the limits above the queue leave
     * @param within queue whose units may return it: the lowest one of which the limit is used up
     */
    private record Shortage(long[] amounts, int within) {

        private boolean isShort() {
            return Arrays.stream(amounts).anyMatch(amount -> amount > 0);
        }
    }

    private Shortage shortage(int queue, long[] lack, TreeAdmission.First first) {
        long[] shortage = new long[lack.length];
        first.room().shortage(lack, shortage);
        int within = 0;
        for (int above = demands.queues().parent(queue);
                above >= 0;
                above = demands.queues().parent(above)) {
            long[] used = first.used(above);
            for (int dimension = 0; dimension < lack.length; dimension++) {
                long over = lack[dimension] == 0
                        ? 0
                        : Amounts.sum(used[dimension], lack[dimension])
                                - demands.queues().limit(above, dimension);
                if (over > 0) {
                    shortage[dimension] = Math.max(shortage[dimension], over);
                    within = within == 0 ? above : within;
                }
            }
        }
        return new Shortage(shortage, within);
    }

    private boolean reclaimFor(int queue, List<Integer> units, TreeAdmission.First first, AdmissionBuilder result) {
        long[] lack = new long[amounts.length];
        for (int unit : units) {
            lacks.missingMinimum(unit, amounts);
            Amounts.add(lack, 1, amounts);
        }
        Shortage shortage = shortage(queue, lack, first);
        if (!shortage.isShort()) {
            return false;
        }
        String claim = guarantees.words(queue, guarantees.used(queue)) + ", and jobs of it wait";
        boolean enough = reclaims.makeUp(
                shortage.amounts(),
                victims.of(queue, of -> guarantees.isWithin(of, shortage.within())),
                new Surplus(demands, guarantees, queue),
                victims.reason(claim),
                result);
        if (!enough) {
            return false;
        }
        for (int unit : units) {
            lacks.missingMinimum(unit, amounts);
            if (mayClaim(unit, queue, first)) {
                first.admit(unit, amounts, "slots are reclaimed: " + guarantees.words(queue, guarantees.used(queue)));
            }
        }
        deferAbove(reclaims.returning(), claim, first);
        return true;
    }

    /** Those that are asked for slots get no more. */
    private static void deferAbove(BitSet returning, String claim, TreeAdmission.First first) {
        for (int unit = returning.nextSetBit(0); unit >= 0; unit = returning.nextSetBit(unit + 1)) {
            first.deferAbove(
                    unit, "it is asked to return slots: " + claim + "; its own queue has more than its guarantee");
        }
    }

    @Override
    public void close() {
        tree.close();
        victims.clear();
        desired.clear();
    }
}
