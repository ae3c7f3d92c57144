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
            return Arrays.hashCode(amounts);
        }
    }

    private final FreeRoom room;
    private final Changes changes;
    private final Map<Needs, FittingWorkers> known = new HashMap<>();
    private FittingWorkers[] ofCall = new FittingWorkers[16];
    private AdmittedView admitted;
    private long call;

    Profiles(FreeRoom room) {
        this.room = room;
        this.changes = new Changes(room);
    }

    void begin(AdmittedView entries) {
        admitted = entries;
        call++;
        Arrays.fill(ofCall, null);
        if (known.size() > MOST) {
            known.clear();
        }
    }

    /** A worker has other free amounts. */
    void grown(int worker) {
        changes.add(worker);
    }

    FittingWorkers of(int entry) {
        int profile = admitted.profile(entry);
        if (profile >= ofCall.length) {
            ofCall = Arrays.copyOf(ofCall, Math.max(profile + 1, ofCall.length * 2));
        }
        FittingWorkers fitting = ofCall[profile];
        if (fitting == null) {
            fitting = find(entry);
            fitting.use(call, admitted, entry, changes);
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
