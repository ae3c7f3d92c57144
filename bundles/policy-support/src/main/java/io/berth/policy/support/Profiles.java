package io.berth.policy.support;

import io.berth.spi.matching.AdmittedView;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** The profiles that were requested recently, and which workers they may fit on. */
final class Profiles {

    private static final int MAX_COUNT = 1_024;

    /** What a slot takes, by dimension, empty for the unknown profile; and the number of its constraints. */
    private record Needs(long[] amounts, int constraints) {

        @Override
        public boolean equals(Object other) {
            return other instanceof Needs needs
                    && constraints == needs.constraints
                    && Arrays.equals(amounts, needs.amounts);
        }

        @Override
        public int hashCode() {
            // The low bits of memory amounts are all zero. A product of small numbers would keep them.
            long hash = constraints;
            for (long amount : amounts) {
                hash = (hash ^ amount) * 0x9E3779B97F4A7C15L;
                hash ^= hash >>> 32;
            }
            return (int) hash;
        }
    }

    private final FreeRoom room;
    private final ProfilesByRoom byRoom;
    private final FittingIndex registered;
    private final FittingIndex pending;
    private final Map<Needs, FittingWorkers> known = new HashMap<>();
    /** Numbers of the unknown profile, one for each of its constraints. */
    private int[] unknown = {};

    /** Workers that constraints are known to exclude, by number of the constraints. */
    private final Map<Integer, WorkerSet> excluded = new HashMap<>();

    private FittingWorkers[] ofCall = new FittingWorkers[16];

    @SuppressWarnings("NullAway.Init")
    private AdmittedView admitted;

    private long call;

    Profiles(FreeRoom room) {
        this.room = room;
        byRoom = new ProfilesByRoom(room.dimensions());
        registered = new FittingIndex(room, byRoom);
        pending = new FittingIndex(room, byRoom);
    }

    void begin(AdmittedView entries) {
        admitted = entries;
        call++;
        if (known.size() > MAX_COUNT) {
            known.clear();
            excluded.clear();
            Arrays.fill(ofCall, null);
            unknown = new int[0];
            byRoom.clear();
            registered.clear(room.registered());
            pending.clear(room.pending());
        }
    }

    /**
     * A worker may have other free amounts or slots of another size; {@code grown} says whether more is left of it
     * than before.
     */
    void changed(int worker, boolean grown) {
        boolean waits = room.pending().contains(worker);
        if (grown) {
            byRoom.offered(room, worker);
            (waits ? registered : pending).remove(worker);
            (waits ? pending : registered).gained(worker);
        } else if (!waits && !room.registered(worker)) {
            registered.remove(worker);
            pending.remove(worker);
        } else {
            for (int number : unknown) {
                (waits ? pending : registered).mayFit(worker, number);
            }
        }
    }

    /** What constraints exclude at the index is no longer known. */
    void relabeled(int worker) {
        excluded.values().forEach(workers -> workers.remove(worker));
    }

    FittingWorkers of(int entry) {
        int profile = admitted.profile(entry);
        if (profile >= ofCall.length) {
            ofCall = Arrays.copyOf(ofCall, Math.max(profile + 1, ofCall.length * 2));
        }
        FittingWorkers fitting = ofCall[profile];
        if (fitting == null || !fitting.isUsed(call, profile)) {
            // A number often means the same profile in the next call.
            if (fitting == null || !fitting.takesAs(admitted, entry)) {
                fitting = find(entry);
                ofCall[profile] = fitting;
            }
            fitting.use(call, profile, admitted, entry);
        }
        return fitting;
    }

    private FittingWorkers find(int entry) {
        boolean depends = admitted.amount(entry, 0) < 0;
        long[] amounts = new long[depends ? 0 : room.dimensions()];
        for (int dimension = 0; dimension < amounts.length; dimension++) {
            amounts[dimension] = admitted.amount(entry, dimension);
        }
        Needs needs = new Needs(amounts, admitted.constraints(entry));
        FittingWorkers fitting = known.get(needs);
        if (fitting == null) {
            int number = byRoom.add(amounts);
            if (depends) {
                unknown = Arrays.copyOf(unknown, unknown.length + 1);
                unknown[unknown.length - 1] = number;
            }
            registered.widen(room.registered());
            pending.widen(room.pending());
            WorkerSet without = excluded.computeIfAbsent(needs.constraints(), added -> new WorkerSet());
            fitting = new FittingWorkers(room, registered, pending, number, amounts, needs.constraints(), without);
            known.put(needs, fitting);
        }
        return fitting;
    }
}
