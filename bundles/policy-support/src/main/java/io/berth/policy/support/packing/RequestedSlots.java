package io.berth.policy.support.packing;

import io.berth.spi.matching.AdmittedView;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What a call requests, by kind: entries with one profile and equal constraints. Only dimensions that are requested count. */
final class RequestedSlots {

    private final AdmittedView admitted;
    /** The dimensions of the view in which any kind takes something. */
    private final int[] dimensions;
    /** By number of the profile in the view: the kind, or -1. */
    private final int[] kindOf;

    private final int[] entryOf;
    /** By kind, one dimension after the other. */
    private final long[] needs;

    private final int[] all;
    private final int[] left;
    private int total;

    private RequestedSlots(
            AdmittedView admitted, int[] dimensions, int[] kindOf, int[] entryOf, long[] needs, int[] all) {
        this.admitted = admitted;
        this.dimensions = dimensions;
        this.kindOf = kindOf;
        this.entryOf = entryOf;
        this.needs = needs;
        this.all = all;
        left = new int[all.length];
        restart();
    }

    /** No slot has a place, as before the first plan. */
    void restart() {
        System.arraycopy(all, 0, left, 0, all.length);
        total = 0;
        for (int count : all) {
            total += count;
        }
    }

    /** Null when an entry is to be spread, has the unknown profile or takes nothing: such slots are not mixed. */
    static @Nullable RequestedSlots of(AdmittedView admitted, int allDimensions) {
        int[] kindOf = new int[16];
        Arrays.fill(kindOf, -1);
        int[] entryOf = new int[16];
        int[] count = new int[16];
        int kinds = 0;
        long slots = 0;
        for (int entry = 0; entry < admitted.size(); entry++) {
            int profile = admitted.profile(entry);
            if (profile >= kindOf.length) {
                int known = kindOf.length;
                kindOf = Arrays.copyOf(kindOf, Math.max(profile + 1, known * 2));
                Arrays.fill(kindOf, known, kindOf.length, -1);
            }
            if (admitted.amount(entry, 0) < 0 || admitted.spread(entry).isPresent()) {
                return null;
            }
            int kind = kindOf[profile];
            if (kind < 0) {
                kind = kinds++;
                kindOf[profile] = kind;
                if (kind == entryOf.length) {
                    entryOf = Arrays.copyOf(entryOf, kind * 2);
                    count = Arrays.copyOf(count, kind * 2);
                }
                entryOf[kind] = entry;
            }
            count[kind] += admitted.count(entry);
            slots += admitted.count(entry);
        }
        if (slots > Integer.MAX_VALUE) {
            return null;
        }
        int[] first = Arrays.copyOf(entryOf, kinds);
        int[] dimensions = requested(admitted, allDimensions, first);
        long[] needs = new long[kinds * dimensions.length];
        for (int kind = 0; kind < kinds; kind++) {
            boolean takes = false;
            for (int at = 0; at < dimensions.length; at++) {
                needs[kind * dimensions.length + at] = admitted.amount(first[kind], dimensions[at]);
                takes |= needs[kind * dimensions.length + at] > 0;
            }
            if (!takes) {
                return null;
            }
        }
        return new RequestedSlots(admitted, dimensions, kindOf, first, needs, Arrays.copyOf(count, kinds));
    }

    private static int[] requested(AdmittedView admitted, int allDimensions, int[] first) {
        int[] dimensions = new int[allDimensions];
        int count = 0;
        for (int dimension = 0; dimension < allDimensions; dimension++) {
            for (int entry : first) {
                if (admitted.amount(entry, dimension) > 0) {
                    dimensions[count++] = dimension;
                    break;
                }
            }
        }
        return Arrays.copyOf(dimensions, count);
    }

    int kinds() {
        return left.length;
    }

    int kind(int entry) {
        return kindOf[admitted.profile(entry)];
    }

    /** The dimensions of the view that count. */
    int[] dimensions() {
        return dimensions;
    }

    /** By kind, one of {@link #dimensions} after the other. */
    long[] needs() {
        return needs;
    }

    /** By kind, how many slots have no place yet. */
    int[] leftOfKinds() {
        return left;
    }

    int left() {
        return total;
    }

    void take(int kind, int count) {
        left[kind] -= count;
        total -= count;
    }

    /** They have a place in each plan. */
    void settle(int kind, int count) {
        all[kind] -= count;
        take(kind, count);
    }

    /** Whether slots of any kind prefer workers. */
    boolean anyPrefers() {
        for (int entry : entryOf) {
            if (admitted.prefers(entry)) {
                return true;
            }
        }
        return false;
    }

    boolean prefers(int kind) {
        return admitted.prefers(entryOf[kind]);
    }

    int preferenceOnSpec(int kind, int spec) {
        return admitted.preferenceOnSpec(entryOf[kind], spec);
    }

    boolean constrained(int kind) {
        return admitted.constraints(entryOf[kind]) >= 0;
    }

    boolean feasible(int kind, int worker) {
        return admitted.feasible(entryOf[kind], worker);
    }

    boolean feasibleOnSpec(int kind, int spec) {
        return admitted.feasibleOnSpec(entryOf[kind], spec);
    }
}
