package com.example.abilities;

import io.berth.spi.Policy;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.distribution.AdmissionBuilder;
import io.berth.spi.distribution.DemandsView;
import io.berth.spi.distribution.DistributionPolicy;
import io.berth.spi.distribution.DistributionPolicyFactory;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.osgi.service.component.annotations.Component;

/**
 * Queues and {@code reclaim}: the pool is shared by the weights of a tree of queues. Jobs that cannot start come before
 * those that grow, and then the one with the smallest share. On a full pool, a job that cannot start takes what it lacks
 * from one job with a larger share. Then slots move one by one, as long as the giver keeps at least the share that the
 * taker reaches: so no slot goes back, and it ends. Nobody is asked while a job that was asked may still return slots, nor in
 * a pool that has jobs of several groups or slots of several sizes: they might take what comes back from each other for ever.
 */
@Component
@Policy(kind = "distribution", name = "shares")
public final class Shares implements DistributionPolicyFactory {

    private static final int HEAP = QueueShares.HEAP;

    @Override
    public PolicyDescription describe() {
        return new PolicyDescription("shares", "Shares the pool by the weights of queues");
    }

    @Override
    public DistributionPolicy create(PolicyConfiguration configuration, PolicyContext context) {
        return (Admitting) Shares::admit;
    }

    /** Slots of one unit that another one needs. */
    private record Move(int from, int count) {}

    private static void admit(DemandsView demands, AdmissionBuilder result) {
        List<Integer> units = IntStream.range(0, demands.limit())
                .filter(demands::present)
                .boxed()
                .toList();
        if (units.stream().allMatch(demands::returnable) && isUniform(demands, units)) {
            reclaim(demands, result, units);
        }
        QueueShares shares = new QueueShares(demands);
        long free = demands.free(HEAP);
        int[] above = new int[demands.limit()];
        boolean[] lacks = new boolean[demands.limit()];
        for (int unit : units) {
            above[unit] = demands.candidate(unit) ? missingAboveMinimum(demands, unit) : 0;
            lacks[unit] = Admitting.lacksItsMinimum(demands, unit);
        }
        Optional<Integer> next;
        while ((next = units.stream()
                        .filter(unit -> lacks[unit] || above[unit] > 0)
                        .min(Comparator.<Integer, Boolean>comparing(unit -> !lacks[unit])
                                .thenComparing(shares::compare)))
                .isPresent()) {
            int unit = next.get();
            long amount = lacks[unit] ? missingMinimum(demands, unit) : demands.amount(unit, 0, HEAP);
            if (lacks[unit]) {
                result.admitMinimum(unit);
                lacks[unit] = false;
            } else {
                result.admit(unit, 0, 1);
                above[unit]--;
            }
            if (amount <= free) {
                shares.add(unit, amount);
                free -= amount;
            }
        }
    }

    private static boolean isUniform(DemandsView demands, List<Integer> units) {
        return units.stream().allMatch(unit -> demands.groups(unit) == 1)
                && units.stream().map(unit -> demands.amount(unit, 0, HEAP)).distinct().count() <= 1;
    }

    private static int missingAboveMinimum(DemandsView demands, int unit) {
        return demands.desired(unit, 0) - Math.max(demands.allocated(unit, 0), demands.minimum(unit, 0));
    }

    private static long missingMinimum(DemandsView demands, int unit) {
        long missing = 0;
        for (int group = 0; group < demands.groups(unit); group++) {
            missing += Math.max(0, demands.minimum(unit, group) - demands.allocated(unit, group))
                    * demands.amount(unit, group, HEAP);
        }
        return missing;
    }

    /** One unit returns slots for the first one that may take some. */
    private static void reclaim(DemandsView demands, AdmissionBuilder result, List<Integer> units) {
        QueueShares shares = new QueueShares(demands);
        List<Integer> needyFirst = units.stream()
                .sorted(Comparator.<Integer, Boolean>comparing(unit -> !Admitting.lacksItsMinimum(demands, unit))
                        .thenComparing(shares::compare))
                .toList();
        List<Integer> richestFirst = units.stream()
                .sorted((one, other) -> shares.compare(other, one))
                .toList();
        for (int needy : needyFirst) {
            Optional<Move> move = richestFirst.stream()
                    .filter(from -> from != needy)
                    .flatMap(from -> move(demands, shares, needy, from).stream())
                    .findFirst();
            if (move.isPresent()) {
                result.reclaim(
                        move.get().from(),
                        0,
                        move.get().count(),
                        "queue " + demands.queue(move.get().from()) + " has more than its share, queue "
                                + demands.queue(needy) + " less");
                return;
            }
        }
    }

    private static Optional<Move> move(DemandsView demands, QueueShares shares, int needy, int from) {
        boolean starts = Admitting.lacksItsMinimum(demands, needy);
        long slot = demands.amount(from, 0, HEAP);
        long missing = starts ? missingMinimum(demands, needy) : demands.amount(needy, 0, HEAP);
        boolean wants = starts || demands.candidate(needy) && missingAboveMinimum(demands, needy) > 0;
        if (!wants || slot <= 0 || missing <= demands.free(HEAP)) {
            return Optional.empty();
        }
        // All of it: others may get what is free now.
        int count = (int) Math.min(Integer.MAX_VALUE, (missing + slot - 1) / slot);
        boolean may = starts ? shares.hasLess(needy, from) : count == 1 && shares.mayTake(needy, from, slot);
        return may && count <= demands.allocated(from, 0) - demands.minimum(from, 0)
                ? Optional.of(new Move(from, count))
                : Optional.empty();
    }
}
