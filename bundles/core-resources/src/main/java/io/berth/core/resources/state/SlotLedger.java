package io.berth.core.resources.state;

import io.berth.core.api.policy.LedgerHash;
import io.berth.core.api.policy.LedgerState;
import java.util.List;

/**
 * The allocated slots of all workers, summed up: told of each change, which costs the same however many slots there
 * are. Changed on the main thread of the ResourceManager; what is published may be read on any, and shows no batch of
 * changes in part.
 */
public final class SlotLedger {

    private volatile LedgerState state = new LedgerState(0, 0, 0, 0, 0);
    private long hash;
    private int slots;
    private long granted;
    private long ended;
    private long reported;

    /** Slots of one run, those from {@code from} on, were given out by a decision. Not published yet. */
    void granted(List<SlotEntry> run, int from) {
        add(run, from);
        granted += run.size() - from;
    }

    /** A worker said that it has slots of one run. Not published yet. */
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

    /** Shows all changes up to now, at once. */
    void publish() {
        state = new LedgerState(hash, slots, granted, ended, reported);
    }

    /** As published last. Any thread. */
    public LedgerState state() {
        return state;
    }
}
