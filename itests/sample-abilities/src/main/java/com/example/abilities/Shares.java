package com.example.abilities;

import io.berth.spi.Policy;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.distribution.AdmissionBuilder;
import io.berth.spi.distribution.DemandsView;
import io.berth.spi.distribution.DistributionPolicy;
import io.berth.spi.distribution.DistributionPolicyFactory;
import io.berth.spi.distribution.QueuesView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.osgi.service.component.annotations.Component;

/**
 * Queues and {@code reclaim}: the queue with the smallest use for its weight comes first. When a job of it cannot start,
 * the queue with the largest use returns slots. For jobs of one group.
 */
@Component
@Policy(kind = "distribution", name = "shares")
public final class Shares implements DistributionPolicyFactory {

    private static final int HEAP = 1;

    @Override
    public PolicyDescription describe() {
        return new PolicyDescription("shares", "Shares the pool by the weights of queues");
    }

    @Override
    public DistributionPolicy create(PolicyConfiguration configuration, PolicyContext context) {
        return (Admitting) Shares::admit;
    }

    private static double share(DemandsView demands, int unit) {
        QueuesView queues = demands.queues();
        int queue = queues.find(demands.queue(unit));
        return queues.used(queue, HEAP) / queues.weight(queue);
    }

    private static void admit(DemandsView demands, AdmissionBuilder result) {
        List<Integer> units = new ArrayList<>();
        for (int unit = 0; unit < demands.limit(); unit++) {
            if (demands.present(unit)) {
                units.add(unit);
            }
        }
        units.sort(Comparator.comparingDouble(unit -> share(demands, unit)));
        boolean reclaimed = false;
        // All minimums first: a slot above one must not take what comes back for another.
        for (int unit : units) {
            if (Admitting.lacksItsMinimum(demands, unit)) {
                result.admitMinimum(unit);
                // For one job at a time: what comes back for it may serve the next one too.
                reclaimed = reclaimed || reclaim(demands, result, units, unit);
            }
        }
        for (int unit : units) {
            int above = demands.desired(unit, 0) - Math.max(demands.allocated(unit, 0), demands.minimum(unit, 0));
            if (demands.candidate(unit) && above > 0) {
                result.admit(unit, 0, above);
            }
        }
    }

    /** The unit of the largest share returns what another one needs to start, if that is enough. */
    private static boolean reclaim(DemandsView demands, AdmissionBuilder result, List<Integer> units, int needy) {
        int richest = units.get(units.size() - 1);
        long missing = -demands.free(HEAP);
        for (int group = 0; group < demands.groups(needy); group++) {
            int slots = demands.minimum(needy, group) - demands.allocated(needy, group);
            missing += Math.max(0, slots) * demands.amount(needy, group, HEAP);
        }
        long slot = Math.max(1, demands.amount(richest, 0, HEAP));
        long count = (missing + slot - 1) / slot;
        int above = demands.allocated(richest, 0) - demands.minimum(richest, 0);
        boolean useful = count > 0
                && count <= Math.min(above, AdmissionBuilder.MAX_RECLAIMED)
                && demands.returnable(richest)
                && share(demands, richest) > share(demands, needy);
        if (useful) {
            result.reclaim(
                    richest,
                    0,
                    (int) count,
                    "queue " + demands.queue(richest) + " has more than its share, queue " + demands.queue(needy)
                            + " less");
        }
        return useful;
    }
}
