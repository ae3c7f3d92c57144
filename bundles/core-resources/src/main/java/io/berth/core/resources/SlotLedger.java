package io.berth.core.resources;

import io.berth.core.api.policy.LedgerHash;
import io.berth.core.api.policy.LedgerState;
import io.berth.spi.WorkerId;

/**
 * The allocated slots of all workers, summed up: told of each change, which costs the same however many slots there
 * are. Changed on the main thread of the ResourceManager, read on any.
 */
final class SlotLedger {

    private volatile LedgerState state = new LedgerState(0, 0, 0, 0, 0);

    /** A slot was given out by a decision. */
    void granted(WorkerId worker, SlotEntry slot) {
        LedgerState before = state;
        state = new LedgerState(
                before.hash() + enter(worker, slot), before.slots() + 1, before.granted() + 1, before.ended(),
                before.reported());
    }

    /** A worker said that it has a slot. */
    void reported(WorkerId worker, SlotEntry slot) {
        LedgerState before = state;
        state = new LedgerState(
                before.hash() + enter(worker, slot), before.slots() + 1, before.granted(), before.ended(),
                before.reported() + 1);
    }

    /** A slot was freed, refused, lost or withdrawn. */
    void ended(SlotEntry slot) {
        LedgerState before = state;
        state = new LedgerState(
                before.hash() - slot.ledgerHash(), before.slots() - 1, before.granted(), before.ended() + 1,
                before.reported());
    }

    private static long enter(WorkerId worker, SlotEntry slot) {
        slot.ledgerHash(LedgerHash.of(slot.allocation, worker, slot.job, slot.profile));
        return slot.ledgerHash();
    }

    LedgerState state() {
        return state;
    }
}
