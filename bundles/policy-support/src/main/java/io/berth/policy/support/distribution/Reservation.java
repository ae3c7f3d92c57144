package io.berth.policy.support.distribution;

import io.berth.spi.distribution.AdmissionBuilder;
import io.berth.spi.distribution.DemandsView;
import java.util.ArrayList;
import java.util.List;

/**
 * Keeps room in one call for the first unit in the order that finds none, for the time at which units should have ended
 * that have it (EASY backfilling).
 */
final class Reservation {

    private static final int NOBODY = -1;

    private final DemandsView demands;
    private final UnitLacks lacks;
    private final Room room;
    private final ExpectedEnds ends;
    private final AdmissionBuilder result;
    /** What was admitted before the reservation. */
    private final List<ExpectedEnds.Begun> begun = new ArrayList<>();

    private boolean open;
    private int unit = NOBODY;

    /** @param open whether there may be one */
    Reservation(
            DemandsView demands, UnitLacks lacks, Room room, ExpectedEnds ends, boolean open, AdmissionBuilder result) {
        this.demands = demands;
        this.lacks = lacks;
        this.room = room;
        this.ends = ends;
        this.open = open;
        this.result = result;
    }

    /** Whether the next unit that finds no room gets it. */
    boolean isOpen() {
        return open;
    }

    /** Nobody gets it. */
    void close() {
        open = false;
    }

    boolean isFor(int other) {
        return unit == other;
    }

    /** Slots are admitted to a unit that should end at a time. */
    void admitted(long end, long[] slot, int count) {
        if (open) {
            long[] all = new long[slot.length];
            Amounts.add(all, count, slot);
            begun.add(new ExpectedEnds.Begun(end, all));
        }
    }

    /** Keeps the amounts for the unit, unless it is larger than the pool: then the next one may have the reservation. */
    void take(int first, long[] amounts) {
        long[] then = new long[amounts.length];
        if (!lacks.couldFit(first, then)) {
            return;
        }
        open = false;
        room.left(then);
        long at = ends.setAside(
                room,
                then,
                amounts,
                begun,
                "room is kept for unit " + demands.name(first) + " of job " + demands.job(first)
                        + ", which comes first (reservations)");
        if (at != ExpectedEnds.NEVER) {
            unit = first;
            result.reviewAfter(Math.min(at - demands.now(), WaitLimit.MAX_REVIEW_MILLIS));
        }
    }
}
