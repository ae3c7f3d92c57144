package io.berth.core.resources.state;

import io.berth.core.api.policy.LedgerHash;
import io.berth.core.api.policy.LedgerState;
import java.util.List;

/**
 * Sums over the allocated slots of all workers. A change costs the same however many slots exist. Changed on the main
 * thread of the ResourceManager. Any thread may read the published state, which never shows a batch of changes in part.
 */
final class SlotLedger {

    private volatile LedgerState state = new LedgerState(0, 0, 0, 0, 0);
    private long hash;
    private int slots;
    private long granted;
    private long ended;
    private long reported;

    /** A decision gave out the slots of one run from {@code from} on. Not published yet. */
    void granted(List<SlotEntry> run, int from) {
        add(run, from);
        granted += run.size() - from;
    }

    /** A worker reported the slots of one run. Not published yet. */
    void reported(List<SlotEntry> run) {
        add(run, 0);
        reported += run.size();
    }

    private void add(List<SlotEntry> run, int from) {
        long common = run.get(from).ledgerRun();
        for (int at = from; at < run.size(); at++) {
            hash += LedgerHash.of(common, run.get(at).allocation);
        }
        slots += run.size() - from;
    }

    /** A slot was freed, refused, lost or withdrawn. Not published yet. */
    void ended(SlotEntry slot) {
        hash -= slot.ledgerHash();
        slots--;
        ended++;
    }

    /** Publishes all changes up to now at once. */
    LedgerState publish() {
        LedgerState now = new LedgerState(hash, slots, granted, ended, reported);
        state = now;
        return now;
    }

    /** The last published state. Thread-safe. */
    LedgerState state() {
        return state;
    }
}
