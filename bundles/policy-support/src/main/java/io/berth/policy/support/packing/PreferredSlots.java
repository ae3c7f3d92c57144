package io.berth.policy.support.packing;

import io.berth.policy.support.PreferredWorkers;
import io.berth.spi.matching.AdmittedView;
import io.berth.spi.matching.WorkersView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Slots of a call on workers that their groups prefer. They are placed before the others are planned, in the order of
 * the entries: first on the workers with the largest sum of weights. Slots that find no room there are planned with the
 * others.
 */
final class PreferredSlots {

    /** Slots of a kind on a worker. */
    record Use(int kind, int worker, int count) {}

    private final WorkersView workers;
    private final AdmittedView admitted;
    private final RequestedSlots requested;
    private final List<Use> uses = new ArrayList<>();
    /** By worker that took slots, by dimension that counts. */
    private final Map<Integer, long[]> left = new HashMap<>();

    private final PreferredWorkers preferences;
    /** By kind: workers before this place have no room for it. */
    private final int[] next;

    private PreferredSlots(WorkersView workers, AdmittedView admitted, RequestedSlots requested) {
        this.workers = workers;
        this.admitted = admitted;
        this.requested = requested;
        preferences = new PreferredWorkers(workers);
        next = new int[requested.kinds()];
    }

    /** Places nothing. */
    static PreferredSlots none(WorkersView workers, AdmittedView admitted, RequestedSlots requested) {
        return new PreferredSlots(workers, admitted, requested);
    }

    /** Places what prefers workers, and takes it from what is requested. */
    static PreferredSlots place(WorkersView workers, AdmittedView admitted, RequestedSlots requested) {
        PreferredSlots slots = none(workers, admitted, requested);
        if (requested.anyPrefers()) {
            for (int entry = 0; entry < admitted.size(); entry++) {
                if (admitted.prefers(entry)) {
                    slots.place(entry);
                }
            }
        }
        return slots;
    }

    List<Use> uses() {
        return uses;
    }

    /** What is left of a worker that took slots, by dimension that counts; null of one that took none. */
    long @Nullable [] left(int worker) {
        return left.get(worker);
    }

    private void place(int entry) {
        int kind = requested.kind(entry);
        PreferredWorkers.Preferred preferred = preferences.of(admitted, entry);
        int missing = admitted.count(entry);
        while (missing > 0 && next[kind] < preferred.size()) {
            int worker = preferred.workers()[next[kind]];
            boolean mayTake = !workers.pending(worker) && admitted.feasible(entry, worker);
            int count = mayTake ? take(kind, worker, missing) : 0;
            if (count > 0) {
                uses.add(new Use(kind, worker, count));
                requested.settle(kind, count);
                missing -= count;
            }
            if (missing > 0) {
                next[kind]++;
            }
        }
    }

    /** Takes room for as many slots as it has, at most that many. Returns how many slots. */
    private int take(int kind, int worker, int most) {
        int[] dimensions = requested.dimensions();
        long[] needs = requested.needs();
        int row = kind * dimensions.length;
        long[] known = left.get(worker);
        long[] free = known == null ? free(worker) : known;
        long count = most;
        for (int at = 0; at < free.length; at++) {
            if (needs[row + at] > 0) {
                count = Math.min(count, free[at] / needs[row + at]);
            }
        }
        if (count <= 0) {
            return 0;
        }
        for (int at = 0; at < free.length; at++) {
            free[at] -= needs[row + at] * count;
        }
        left.put(worker, free);
        return (int) count;
    }

    private long[] free(int worker) {
        int[] dimensions = requested.dimensions();
        long[] free = new long[dimensions.length];
        for (int at = 0; at < free.length; at++) {
            free[at] = workers.free(worker, dimensions[at]);
        }
        return free;
    }
}
