package io.berth.policy.support;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Groups workers by the resources that they have at all, and says for a slot which groups it should leave to others: a
 * group is the scarcer, the more of a resource that it has, and that the slot does not request, is used in the whole pool.
 * So slots without GPUs leave workers with GPUs to those that need them. It is kept by changes: a change costs what the
 * worker has resources. For one thread.
 */
final class ScarceResources {

    static final int NONE = -1;

    /** Groups beyond that number are one. Only pools in which nearly every worker has resources of its own reach it. */
    static final int MAX_GROUPS = 64;

    private static final int GROUP_BITS = 8;
    private static final int STEPS = 256;
    /** Resources beyond that number do not tell groups apart. */
    private static final int MAX_DIMENSIONS = Long.SIZE;

    private static final class Group {

        private long resources;
        private int workers;
    }

    private final List<Group> groups = new ArrayList<>();
    /** By dimension: what all registered workers have, and what of it is used. */
    private long[] total = new long[0];

    private long[] used = new long[0];
    private int[] groupOf = new int[0];
    /** By worker: which resources it has, as bits. */
    private long[] resourcesOf = new long[0];
    /** What each worker adds to the sums, one dimension after the other: all, then what is used. */
    private long[] ofWorker = new long[0];

    /** @return the group that the worker is in now; {@link #NONE} if it takes no slots */
    int changed(int worker, FreeRoom room) {
        int dimensions = room.dimensions();
        grow(worker, dimensions);
        boolean counts = room.registered(worker);
        long resources = 0;
        int at = 2 * dimensions * worker;
        for (int dimension = 0; dimension < dimensions; dimension++, at += 2) {
            long all = counts ? room.total(worker, dimension) : 0;
            long taken = counts ? all - room.left(worker, dimension) : 0;
            total[dimension] += all - ofWorker[at];
            used[dimension] += taken - ofWorker[at + 1];
            ofWorker[at] = all;
            ofWorker[at + 1] = taken;
            if (all > 0 && dimension < MAX_DIMENSIONS) {
                resources |= 1L << dimension;
            }
        }
        int before = groupOf[worker];
        // Within a call no worker changes its group: the order of the groups is kept for the call.
        if (counts && before != NONE && resourcesOf[worker] == resources) {
            return before;
        }
        resourcesOf[worker] = resources;
        if (before != NONE) {
            groups.get(before).workers--;
        }
        groupOf[worker] = NONE;
        if (counts) {
            groupOf[worker] = groupWith(resources);
            groups.get(groupOf[worker]).workers++;
        }
        return groupOf[worker];
    }

    private void grow(int worker, int dimensions) {
        if (total.length < dimensions) {
            total = new long[dimensions];
            used = new long[dimensions];
        }
        if (worker >= groupOf.length) {
            int known = groupOf.length;
            groupOf = Arrays.copyOf(groupOf, Math.max(worker + 1, Math.max(64, known * 2)));
            Arrays.fill(groupOf, known, groupOf.length, NONE);
            resourcesOf = Arrays.copyOf(resourcesOf, groupOf.length);
            ofWorker = Arrays.copyOf(ofWorker, 2 * dimensions * groupOf.length);
        }
    }

    private int groupWith(long resources) {
        int empty = NONE;
        for (int number = 0; number < groups.size(); number++) {
            Group group = groups.get(number);
            if (group.workers == 0) {
                empty = number;
            } else if (group.resources == resources) {
                return number;
            }
        }
        if (empty == NONE && groups.size() == MAX_GROUPS) {
            return MAX_GROUPS - 1;
        }
        if (empty == NONE) {
            empty = groups.size();
            groups.add(new Group());
        }
        groups.get(empty).resources = resources;
        return empty;
    }

    /**
     * The groups for a slot of a profile, those first that it should prefer.
     *
     * @return for each group its number, and how scarce it is; see {@link #group} and {@link #alike}
     */
    int[] order(FittingWorkers fitting) {
        int[] order = new int[groups.size()];
        for (int number = 0; number < order.length; number++) {
            order[number] = scarceness(groups.get(number).resources, fitting) << GROUP_BITS | number;
        }
        Arrays.sort(order);
        return order;
    }

    /** The number of the group at a place of the order. */
    static int group(int place) {
        return place & (1 << GROUP_BITS) - 1;
    }

    /** Whether none of two groups is preferred to the other one. */
    static boolean alike(int onePlace, int otherPlace) {
        return onePlace >> GROUP_BITS == otherPlace >> GROUP_BITS;
    }

    /** 0 if the slot requests all resources of the group. */
    private int scarceness(long resources, FittingWorkers fitting) {
        int most = 0;
        for (int dimension = 0; dimension < total.length && dimension < MAX_DIMENSIONS; dimension++) {
            if ((resources & 1L << dimension) != 0 && total[dimension] > 0 && !fitting.takes(dimension)) {
                most = Math.max(most, 1 + (int) ((double) used[dimension] / total[dimension] * STEPS));
            }
        }
        return most;
    }
}
