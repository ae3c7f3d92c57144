package io.berth.spi.matching;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** The profiles that were asked for lately, each with the workers that fit it. */
final class Profiles {

    private static final int MOST = 1_024;

    /** What a slot takes, by dimension; nothing for a profile that is unknown. */
    private record Needs(long[] amounts) {

        @Override
        public boolean equals(Object other) {
            return other instanceof Needs needs && Arrays.equals(amounts, needs.amounts);
        }

        @Override
        public int hashCode() {
            // Amounts of memory have low bits of zero, all of them: a product of small numbers would keep them.
            long hash = 0;
            for (long amount : amounts) {
                hash = (hash ^ amount) * 0x9E3779B97F4A7C15L;
                hash ^= hash >>> 32;
            }
            return (int) hash;
        }
    }

    private final FreeRoom room;
    private final Changes changes;
    private final Changes gains;
    private final Map<Needs, FittingWorkers> known = new HashMap<>();
    private FittingWorkers[] ofCall = new FittingWorkers[16];
    private AdmittedView admitted;
    private long call;

    Profiles(FreeRoom room) {
        this.room = room;
        this.changes = new Changes(room);
        this.gains = new Changes(room);
    }

    void begin(AdmittedView entries) {
        admitted = entries;
        call++;
        Arrays.fill(ofCall, null);
        if (known.size() > MOST) {
            known.clear();
        }
    }

    /** A worker may have other free amounts or slots of another size; more is left of it than before, or not. */
    void changed(int worker, boolean grown) {
        changes.add(worker);
        if (grown) {
            gains.add(worker);
        }
    }

    FittingWorkers of(int entry) {
        int profile = admitted.profile(entry);
        if (profile >= ofCall.length) {
            ofCall = Arrays.copyOf(ofCall, Math.max(profile + 1, ofCall.length * 2));
        }
        FittingWorkers fitting = ofCall[profile];
        if (fitting == null) {
            fitting = find(entry);
            fitting.use(call, admitted, entry, changes, gains);
            ofCall[profile] = fitting;
        }
        return fitting;
    }

    private FittingWorkers find(int entry) {
        boolean unknown = admitted.amount(entry, 0) < 0;
        long[] amounts = new long[unknown ? 0 : room.dimensions()];
        for (int dimension = 0; dimension < amounts.length; dimension++) {
            amounts[dimension] = admitted.amount(entry, dimension);
        }
        return known.computeIfAbsent(new Needs(amounts), needs -> new FittingWorkers(room, amounts, unknown));
    }
}
