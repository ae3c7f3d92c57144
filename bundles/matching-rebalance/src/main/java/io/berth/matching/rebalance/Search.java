package io.berth.matching.rebalance;

import java.util.List;

/** Finds slots to move. */
interface Search {

    /**
     * A slot that should move.
     *
     * @param allocation its index
     * @param reason for people
     */
    record Move(int allocation, String reason) {}

    /**
     * What to move now, at most the allowed number of slots.
     *
     * @param slots what jobs have now; the search changes what it notes there
     */
    List<Move> find(PoolSlots slots);
}
