package io.berth.policy.support.packing;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Equal workers: those of a group, or new ones of a spec.
 *
 * @param free by dimension that counts
 * @param excluded kinds that none of them may take
 * @param count how many there are, or may be opened
 * @param cost of one of them; only the proportions mean anything
 * @param group the workers; null for new ones
 * @param spec of new workers; -1 for a group
 */
record Bin(long[] free, BitSet excluded, int count, double cost, WorkerGroups.@Nullable Group group, int spec) {

    boolean mayTake(int kind, long[] needs) {
        if (excluded.get(kind)) {
            return false;
        }
        for (int at = 0; at < free.length; at++) {
            if (needs[kind * free.length + at] > free[at]) {
                return false;
            }
        }
        return true;
    }
}
