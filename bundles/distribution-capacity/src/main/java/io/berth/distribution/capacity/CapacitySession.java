package io.berth.distribution.capacity;

import io.berth.policy.support.distribution.Amounts;
import io.berth.policy.support.distribution.Claimants;
import io.berth.policy.support.distribution.PoolShares;
import io.berth.policy.support.distribution.Reclaims;
import io.berth.policy.support.distribution.TreeAdmission;
import io.berth.policy.support.distribution.UnitLacks;
import io.berth.policy.support.distribution.WaitLimit;
import io.berth.spi.JobId;
import io.berth.spi.distribution.AdmissionBuilder;
import io.berth.spi.distribution.AdmissionSession;
import io.berth.spi.distribution.DemandsView;
import io.berth.spi.distribution.QueuesView;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Admits along the tree of queues, those first that use least of their guarantee. When a unit has waited for its minimum
 * although its queue is below the guarantee, slots above minimums are reclaimed from queues above theirs.
 */
final class CapacitySession implements AdmissionSession {

    /** For how many units of a queue a call reclaims slots at once. */
    private static final int MAX_UNITS = 64;
    /** For how many queues a call looks for slots; it reclaims for one. */
    private static final int MAX_QUEUES = 8;

    private record Victim(long submissionIndex, JobId job, String name, int unit) {}

    /** What was submitted last loses slots first. */
    private static final Comparator<Victim> LAST_FIRST = Comparator.comparingLong(Victim::submissionIndex)
            .thenComparing(Victim::job)
            .thenComparing(Victim::name)
            .thenComparingInt(Victim::unit)
            .reversed();

    /** Units that wait within the guarantee of a queue, oldest first, and what they lack together. */
    private static final class Claim {
        private final List<Integer> units = new ArrayList<>();
        private final long[] lack;

        private Claim(int dimensions) {
            lack = new long[dimensions];
        }
    }

    private record Known(int queue, Victim victim) {}

    private final DemandsView demands;
    private final OptionalLong reclaimAfterMillis;
    private final UnitLacks lacks;
    private final Guarantees guarantees;
    private final Reclaims reclaims;
    private final SortedMap<Integer, SortedSet<Victim>> victims = new TreeMap<>();
    private final Map<Integer, Known> victimOf = new HashMap<>();
    private final long[] amounts;
    private final TreeAdmission tree;
    private int revision;

    /** @param reclaimAfterMillis how long units wait before slots are reclaimed for them; empty: none are */
    CapacitySession(DemandsView demands, OptionalLong reclaimAfterMillis, WaitLimit.Limits limits) {
        this.demands = demands;
        this.reclaimAfterMillis = reclaimAfterMillis;
        this.lacks = new UnitLacks(demands);
        PoolShares shares = new PoolShares(demands);
        this.guarantees = new Guarantees(demands, shares);
        this.reclaims = new Reclaims(demands, lacks);
        this.amounts = new long[demands.dimensions()];
        fill();
        this.tree = new TreeAdmission(
                demands, shares, limits, Claimants.QUEUES, true, guarantees, guarantees, this::reclaim);
    }

    private void fill() {
        revision = demands.queues().revision();
        victims.clear();
        victimOf.clear();
        for (int unit = 0; unit < demands.limit(); unit++) {
            update(unit);
        }
    }

    private void update(int unit) {
        Known before = victimOf.remove(unit);
        if (before != null) {
            SortedSet<Victim> others = victims.getOrDefault(before.queue(), new TreeSet<>(LAST_FIRST));
            others.remove(before.victim());
            if (others.isEmpty()) {
                victims.remove(before.queue());
            }
        }
        if (reclaimAfterMillis.isPresent() && demands.present(unit) && lacks.hasAboveMinimum(unit)) {
            Victim victim = new Victim(demands.submissionIndex(unit), demands.job(unit), demands.name(unit), unit);
            int queue = demands.queues().find(demands.queue(unit));
            victims.computeIfAbsent(queue, first -> new TreeSet<>(LAST_FIRST)).add(victim);
            victimOf.put(unit, new Known(queue, victim));
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
        List<Integer> queues = new ArrayList<>(claims.keySet());
        queues.sort(Comparator.comparingDouble(
                (Integer queue) -> guarantees.ofQueue(queue, false, guarantees.used(queue))));
        int tried = 0;
        for (int queue : queues) {
            Claim claim = claims.getOrDefault(queue, new Claim(amounts.length));
            if (first.room().fits(claim.lack)) {
                // Those that use least of their guarantee come first, so nobody takes it from them.
                continue;
            }
            if (tried == MAX_QUEUES) {
                return;
            }
            tried++;
            if (reclaimFor(queue, claim.units, first, result)
                    || (claim.units.size() > 1 && reclaimFor(queue, claim.units.subList(0, 1), first, result))) {
                return;
            }
        }
    }

    /** The units that have waited long enough, by the lowest queue whose guarantee covers them. */
    private SortedMap<Integer, Claim> claims(TreeAdmission.First first, long afterMillis, AdmissionBuilder result) {
        SortedMap<Integer, Claim> claims = new TreeMap<>();
        for (int unit : tree.waitLimit().oldestFirst()) {
            if (tree.waitLimit().holds(unit)) {
                continue;
            }
            lacks.missingMinimum(unit, amounts);
            int queue = guaranteeing(unit, claims);
            if (queue < 0
                    || !first.room().allows(amounts, tree.waitLimit().ends().end(unit))
                    || !first.isAllowed(unit, amounts)) {
                continue;
            }
            long waited = tree.waitLimit().waitedMillis(unit);
            if (waited < afterMillis) {
                result.reviewAfter(afterMillis - waited);
                // All that follow have waited for less time.
                break;
            }
            Claim claim = claims.computeIfAbsent(queue, one -> new Claim(amounts.length));
            if (claim.units.size() < MAX_UNITS) {
                claim.units.add(unit);
                Amounts.add(claim.lack, 1, amounts);
            }
        }
        return claims;
    }

    /** The lowest queue of the unit whose guarantee covers what the unit lacks; -1 when there is none. */
    private int guaranteeing(int unit, SortedMap<Integer, Claim> claims) {
        QueuesView queues = demands.queues();
        for (int queue = queues.find(demands.queue(unit)); queue >= 0; queue = queues.parent(queue)) {
            if (guarantees.isGuaranteed(queue) && covers(queue, claims.get(queue))) {
                return queue;
            }
        }
        return -1;
    }

    private boolean covers(int queue, @Nullable Claim claimed) {
        QueuesView queues = demands.queues();
        for (int dimension = 0; dimension < amounts.length; dimension++) {
            long guaranteed = queues.guaranteed(queue, dimension);
            long others = claimed == null ? 0 : claimed.lack[dimension];
            if (guaranteed > 0 && amounts[dimension] > guaranteed - queues.used(queue, dimension) - others) {
                return false;
            }
        }
        return true;
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
        String claim = guarantees.words(queue, guarantees.used(queue)) + ", and jobs of it wait; ";
        boolean enough = reclaims.makeUp(
                shortage,
                victimsFor(queue),
                new Surplus(queue),
                unit -> {
                    int of = demands.queues().find(demands.queue(unit));
                    return claim + guarantees.words(of, guarantees.used(of));
                },
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
        BitSet returning = reclaims.returning();
        for (int unit = returning.nextSetBit(0); unit >= 0; unit = returning.nextSetBit(unit + 1)) {
            first.deferAbove(
                    unit, "it is asked to return slots: " + claim + "its own queue has more than its guarantee");
        }
        return true;
    }

    /** Units of other queues, of that which is furthest above its guarantee first. */
    private List<Integer> victimsFor(int claiming) {
        List<Integer> queues = new ArrayList<>();
        for (int queue : victims.keySet()) {
            if (!isWithin(queue, claiming)) {
                queues.add(queue);
            }
        }
        queues.sort(
                Comparator.comparingDouble((Integer queue) -> guarantees.ofQueue(queue, false, guarantees.used(queue)))
                        .reversed());
        List<Integer> units = new ArrayList<>();
        for (int queue : queues) {
            victims.getOrDefault(queue, new TreeSet<>(LAST_FIRST)).forEach(victim -> units.add(victim.unit()));
        }
        return units;
    }

    /** Whether a queue is the other one or below it. */
    private boolean isWithin(int queue, int other) {
        for (int at = queue; at >= 0; at = demands.queues().parent(at)) {
            if (at == other) {
                return true;
            }
        }
        return false;
    }

    /** What queues may lose to another one: nothing of a guarantee, also not of queues above them. */
    private final class Surplus implements Reclaims.Owners {

        private final int claiming;
        private final Map<Integer, long[]> lost = new HashMap<>();

        Surplus(int claiming) {
            this.claiming = claiming;
        }

        @Override
        public int most(int unit, long[] slot, int count) {
            QueuesView queues = demands.queues();
            long most = count;
            for (int queue = queues.find(demands.queue(unit));
                    !isWithin(claiming, queue);
                    queue = queues.parent(queue)) {
                long[] gone = lost.getOrDefault(queue, new long[slot.length]);
                for (int dimension = 0; dimension < slot.length; dimension++) {
                    long guaranteed = queues.guaranteed(queue, dimension);
                    if (guaranteed > 0 && slot[dimension] > 0) {
                        long surplus = queues.used(queue, dimension) - gone[dimension] - guaranteed;
                        most = Math.min(most, Math.max(0, surplus) / slot[dimension]);
                    }
                }
            }
            return (int) most;
        }

        @Override
        public void lose(int unit, long[] slot, int count) {
            QueuesView queues = demands.queues();
            for (int queue = queues.find(demands.queue(unit));
                    !isWithin(claiming, queue);
                    queue = queues.parent(queue)) {
                Amounts.add(lost.computeIfAbsent(queue, one -> new long[slot.length]), count, slot);
            }
        }
    }

    @Override
    public void close() {
        tree.close();
        victims.clear();
        victimOf.clear();
    }
}
