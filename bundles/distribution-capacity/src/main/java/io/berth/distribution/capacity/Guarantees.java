package io.berth.distribution.capacity;

import io.berth.policy.support.distribution.Amounts;
import io.berth.policy.support.distribution.PoolShares;
import io.berth.policy.support.distribution.TreeAdmission;
import io.berth.spi.distribution.DemandsView;
import io.berth.spi.distribution.QueuesView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Where queues stand: below 1, it is the part of its guarantee that a queue uses; from 1 on, it is 1 and what it uses beyond
 * the guarantee, as a share of the pool, divided by its weight. The resource counts of which this is largest.
 */
final class Guarantees implements TreeAdmission.Standing, TreeAdmission.QueueLimit {

    private final DemandsView demands;
    private final PoolShares shares;

    Guarantees(DemandsView demands, PoolShares shares) {
        this.demands = demands;
        this.shares = shares;
    }

    private QueuesView queues() {
        return demands.queues();
    }

    @Override
    public void begin() {}

    @Override
    public double ofQueue(int queue, boolean own, long[] used) {
        if (own) {
            // What is guaranteed to the queue was counted where it stands among its siblings.
            return 1 + shares.dominant(used);
        }
        double part = part(queue, used);
        return part < 1 && isGuaranteed(queue) ? part : 1 + beyond(queue, used) / queues().weight(queue);
    }

    /** The standing of a queue among its siblings, with what earlier rounds of this decision placed. */
    double standing(int queue) {
        return ofQueue(queue, false, used(queue));
    }

    /** Queues in the order in which their units are admitted: by where they and those above them stand. */
    List<Integer> inOrder(Collection<Integer> some) {
        Map<Integer, double[]> standings = new HashMap<>();
        some.forEach(queue -> standings.put(queue, standings(queue)));
        List<Integer> order = new ArrayList<>(some);
        order.sort(
                Comparator.comparing((Integer queue) -> standings.getOrDefault(queue, new double[0]), Arrays::compare)
                        .thenComparingInt(queue -> queue));
        return order;
    }

    /** From the child of the root down. */
    private double[] standings(int queue) {
        List<Double> up = new ArrayList<>();
        long[] own = used(queue);
        boolean hasChildren = false;
        for (int below = queue + 1; below < queues().size(); below++) {
            if (queues().parent(below) == queue) {
                hasChildren = true;
                long[] theirs = used(below);
                for (int dimension = 0; dimension < own.length; dimension++) {
                    own[dimension] = Math.max(0, own[dimension] - theirs[dimension]);
                }
            }
        }
        if (hasChildren) {
            up.add(ofQueue(queue, true, own));
        }
        for (int at = queue; queues().parent(at) >= 0; at = queues().parent(at)) {
            up.add(standing(at));
        }
        double[] down = new double[up.size()];
        for (int at = 0; at < down.length; at++) {
            down[at] = up.get(down.length - 1 - at);
        }
        return down;
    }

    /** Whether a queue is the other one or below it. */
    boolean isWithin(int queue, int other) {
        for (int at = queue; at >= 0; at = queues().parent(at)) {
            if (at == other) {
                return true;
            }
        }
        return false;
    }

    /** The part of its guarantee that the queue uses; 0 when nothing is guaranteed. */
    private double part(int queue, long[] used) {
        double part = 0;
        for (int dimension = 0; dimension < used.length; dimension++) {
            long guaranteed = queues().guaranteed(queue, dimension);
            if (guaranteed > 0) {
                part = Math.max(part, (double) used[dimension] / guaranteed);
            }
        }
        return part;
    }

    private double beyond(int queue, long[] used) {
        double beyond = 0;
        for (int dimension = 0; dimension < used.length; dimension++) {
            long more = Math.max(0, used[dimension] - queues().guaranteed(queue, dimension));
            beyond = Math.max(beyond, shares.share(more, dimension));
        }
        return beyond;
    }

    boolean isGuaranteed(int queue) {
        for (int dimension = 0; dimension < demands.dimensions(); dimension++) {
            if (queues().guaranteed(queue, dimension) > 0) {
                return true;
            }
        }
        return false;
    }

    /**
     * The lowest queue, of one and those above it, whose guarantee covers the amounts; -1 when there is none.
     *
     * @param claimed what others get of the guarantees, by queue
     */
    int covering(String queue, long[] amounts, Map<Integer, long[]> claimed) {
        for (int at = queues().find(queue); at >= 0; at = queues().parent(at)) {
            if (isGuaranteed(at) && covers(at, amounts, claimed.getOrDefault(at, new long[amounts.length]))) {
                return at;
            }
        }
        return -1;
    }

    /** The amounts are claimed out of the guarantee of the queue, which is a part of those above it. */
    void claim(int queue, long[] amounts, Map<Integer, long[]> claimed) {
        for (int at = queue; at >= 0; at = queues().parent(at)) {
            Amounts.add(claimed.computeIfAbsent(at, one -> new long[amounts.length]), 1, amounts);
        }
    }

    private boolean covers(int queue, long[] amounts, long[] claimed) {
        for (int dimension = 0; dimension < amounts.length; dimension++) {
            long guaranteed = queues().guaranteed(queue, dimension);
            if (guaranteed > 0
                    && amounts[dimension] > guaranteed - queues().used(queue, dimension) - claimed[dimension]) {
                return false;
            }
        }
        return true;
    }

    /** What the queue uses, with what earlier rounds of this decision placed. */
    long[] used(int queue) {
        long[] used = new long[demands.dimensions()];
        for (int dimension = 0; dimension < used.length; dimension++) {
            used[dimension] = queues().used(queue, dimension);
        }
        return used;
    }

    @Override
    public double ofClaimant(int queue, String name, long[] used) {
        return 0;
    }

    @Override
    public String words(int queue, String claimant, long[] used) {
        return words(queue, used(queue)) + "; queues that use less of their guarantee come first";
    }

    /** {@code queue ads uses 31 % of cpu, 40 % is guaranteed}. */
    String words(int queue, long[] used) {
        int of = shares.dominantDimension(used);
        double part = -1;
        for (int dimension = 0; dimension < used.length; dimension++) {
            long guaranteed = queues().guaranteed(queue, dimension);
            if (guaranteed > 0 && (double) used[dimension] / guaranteed > part) {
                part = (double) used[dimension] / guaranteed;
                of = dimension;
            }
        }
        long guaranteed = queues().guaranteed(queue, of);
        return "queue " + queues().name(queue) + " uses " + PoolShares.percent(shares.share(used[of], of)) + " of "
                + demands.dimension(of) + ", "
                + (guaranteed > 0 ? PoolShares.percent(shares.share(guaranteed, of)) + " is" : "nothing is")
                + " guaranteed";
    }

    @Override
    public int most(int queue, long[] used, long[] portion, int count) {
        long most = count;
        for (int dimension = 0; dimension < used.length; dimension++) {
            long limit = queues().limit(queue, dimension);
            if (limit < Long.MAX_VALUE && portion[dimension] > 0) {
                most = Math.min(most, Math.max(0, limit - used[dimension]) / portion[dimension]);
            }
        }
        return (int) most;
    }

    @Override
    public String words(int queue, long[] used, long[] portion) {
        for (int dimension = 0; dimension < used.length; dimension++) {
            long limit = queues().limit(queue, dimension);
            if (portion[dimension] > 0 && used[dimension] > limit - portion[dimension]) {
                String of = " of " + demands.dimension(dimension);
                return "queue " + queues().name(queue) + " uses "
                        + PoolShares.percent(shares.share(used[dimension], dimension)) + of + ", at most "
                        + PoolShares.percent(shares.share(limit, dimension)) + " is allowed, and this needs "
                        + PoolShares.percent(shares.share(portion[dimension], dimension)) + " more";
            }
        }
        return "queue " + queues().name(queue) + " is at its limit";
    }
}
