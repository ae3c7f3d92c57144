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
import io.berth.spi.JobId;
import io.berth.spi.distribution.AdmissionBuilder;
import io.berth.spi.distribution.AdmissionSession;
import io.berth.spi.distribution.DemandsView;
import io.berth.spi.distribution.QueuesView;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
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
        this.desired = new DesiredSlots(demands, lacks, guarantees);
        this.amounts = new long[demands.dimensions()];
        fill();
        this.tree = new TreeAdmission(
                demands, shares, limits, Claimants.QUEUES, true, guarantees, guarantees, this::reclaim);
    }

    private void fill() {
        revision = demands.queues().revision();
        victims.clear();
        victimOf.clear();
        desired.clear();
        for (int unit = 0; unit < demands.limit(); unit++) {
            update(unit);
        }
    }

    private void update(int unit) {
        desired.update(unit);
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
        plan.ifPresent(one -> one.admit(first));
        if (untilMore < Long.MAX_VALUE) {
            result.reviewAfter(untilMore);
        }
    }

    /** Those that use least of their guarantee first. */
    private List<Integer> inOrder(Collection<Integer> queues) {
        List<Integer> order = new ArrayList<>(queues);
        order.sort(Comparator.comparingDouble((Integer queue) -> standing(queue)));
        return order;
    }

    private double standing(int queue) {
        return guarantees.ofQueue(queue, false, guarantees.used(queue));
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
            Fork fork = new Fork(queue);
            List<Integer> from = victimsFor(queue, of -> fork.isAbove(of, new long[amounts.length], size)).stream()
                    .filter(unit -> lacks.hasSlotOf(unit, size))
                    .toList();
            long[] available = new long[amounts.length];
            reclaims.available(from, new Surplus(queue, size, covered(wishes, first.room())), available);
            List<Wish> most = wishes.subList(0, fitting(wishes, first.room(), available));
            if (most.isEmpty() || first.room().fits(desired.amounts(most))) {
                continue;
            }
            String claim = guarantees.words(queue, guarantees.used(queue)) + ", and jobs of it desire more";
            IntFunction<String> reason = unit -> {
                int of = demands.queues().find(demands.queue(unit));
                return claim + "; " + guarantees.words(of, guarantees.used(of));
            };
            long[] shortage = new long[amounts.length];
            first.room().shortage(desired.amounts(most), shortage);
            if (reclaims.makeUp(
                    shortage, from, new Surplus(queue, size, covered(most, first.room())), reason, result)) {
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

    /**
     * Compares where queues stand where their branches and that of the claiming one part. What comes back is given away in
     * that order, so a branch that would be next with less would only get its own again.
     */
    private final class Fork {

        private final int claiming;

        Fork(int claiming) {
            this.claiming = claiming;
        }

        /**
         * Whether the branch of the queue comes after that of the claiming one.
         *
         * @param gained by the claiming one
         * @param lost by the branch of the queue
         */
        boolean isAbove(int queue, long[] gained, long[] lost) {
            QueuesView queues = demands.queues();
            int of = claiming;
            while (queues.parent(of) >= 0 && !isWithin(queue, queues.parent(of))) {
                of = queues.parent(of);
            }
            int fork = queues.parent(of);
            long[] uses = guarantees.used(of);
            Amounts.add(uses, 1, gained);
            double claims = guarantees.ofQueue(of, false, uses);
            if (queue == fork) {
                return claims < 1;
            }
            int branch = branch(queue, fork);
            long[] left = guarantees.used(branch);
            for (int dimension = 0; dimension < left.length; dimension++) {
                left[dimension] = Math.max(0, left[dimension] - lost[dimension]);
            }
            return guarantees.ofQueue(branch, false, left) > claims;
        }

        private int branch(int queue, int fork) {
            int branch = queue;
            while (demands.queues().parent(branch) != fork) {
                branch = demands.queues().parent(branch);
            }
            return branch;
        }
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
        String claim = guarantees.words(queue, guarantees.used(queue)) + ", and jobs of it wait; ";
        boolean enough = reclaims.makeUp(
                shortage,
                victimsFor(queue, any -> true),
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
    private List<Integer> victimsFor(int claiming, IntPredicate allowed) {
        List<Integer> queues = new ArrayList<>();
        for (int queue : victims.keySet()) {
            if (!isWithin(queue, claiming) && allowed.test(queue)) {
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
        /** Of slots; those that are smaller in a dimension are not taken. */
        private final long[] size;
        /** What the claiming queue gets; empty: its branch may stand above those that lose slots. */
        private final Optional<long[]> gained;

        private final Map<Integer, long[]> lost = new HashMap<>();

        /** Any slots, from any branch: they are set aside for minimums. */
        Surplus(int claiming) {
            this.claiming = claiming;
            this.size = new long[amounts.length];
            this.gained = Optional.empty();
        }

        /**
         * @param size of slots; those that are smaller in a dimension are not taken
         * @param gained by the claiming queue beside what others lose; their branches must stand above its own afterward
         */
        Surplus(int claiming, long[] size, long[] gained) {
            this.claiming = claiming;
            this.size = size;
            this.gained = Optional.of(gained.clone());
        }

        @Override
        public int most(int unit, long[] slot, int count) {
            if (!Amounts.cover(slot, size)) {
                return 0;
            }
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
            return gained.isEmpty() ? (int) most : mostThatStays(queues.find(demands.queue(unit)), slot, most);
        }

        /** How many of the slots the queue may lose before its branch would be next. */
        private int mostThatStays(int queue, long[] slot, long count) {
            Fork fork = new Fork(claiming);
            long[] gone = lost.getOrDefault(queue, new long[slot.length]).clone();
            for (int at = queue; !isWithin(claiming, at); at = demands.queues().parent(at)) {
                gone = lost.getOrDefault(at, new long[slot.length]).clone();
            }
            long[] gets = gained.orElseThrow().clone();
            int most = 0;
            for (long end = Math.min(count, AdmissionBuilder.MAX_RECLAIMED); most < end; most++) {
                Amounts.add(gone, 1, slot);
                if (!fork.isAbove(queue, gets, gone)) {
                    break;
                }
                Amounts.add(gets, 1, slot);
            }
            return most;
        }

        @Override
        public void lose(int unit, long[] slot, int count) {
            gained.ifPresent(amounts -> Amounts.add(amounts, count, slot));
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
        desired.clear();
    }
}
