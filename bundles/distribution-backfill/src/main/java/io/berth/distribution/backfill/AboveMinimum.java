package io.berth.distribution.backfill;

import io.berth.policy.support.distribution.EvenGroups;
import io.berth.spi.distribution.AdmissionBuilder;
import io.berth.spi.distribution.DemandsView;

/** Admits the slots of a unit above its minimum, all of them or those that fit beside what is kept. */
final class AboveMinimum {

    private final DemandsView demands;
    private final RoomOverTime room;
    private final long[] slot;
    private final EvenGroups groups;

    AboveMinimum(DemandsView demands, RoomOverTime room) {
        this.demands = demands;
        this.room = room;
        this.slot = new long[demands.dimensions()];
        this.groups = new EvenGroups(demands);
    }

    /** Admits everything up to what the unit desires, whether it fits or not. */
    void admitAll(int unit, AdmissionBuilder result) {
        groups.share(unit, (group, most) -> {
            result.admit(unit, group, most);
            return most;
        });
    }

    /**
     * Admits what fits until a time, and takes it from the room.
     *
     * @return whether any does
     */
    boolean admitFitting(int unit, long untilMillis, AdmissionBuilder result) {
        boolean[] fits = new boolean[1];
        groups.share(unit, (group, most) -> {
            int count = take(unit, group, most, untilMillis);
            if (count > 0) {
                result.admit(unit, group, count);
                fits[0] = true;
            }
            return count;
        });
        return fits[0];
    }

    private int take(int unit, int group, int most, long untilMillis) {
        for (int dimension = 0; dimension < slot.length; dimension++) {
            slot[dimension] = demands.amount(unit, group, dimension);
        }
        int count = room.count(slot, untilMillis, most);
        for (int dimension = 0; dimension < slot.length; dimension++) {
            slot[dimension] *= count;
        }
        room.take(slot, untilMillis);
        return count;
    }
}
