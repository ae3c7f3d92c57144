package io.berth.spi.matching;

import org.osgi.annotation.versioning.ConsumerType;

/** Places admitted demands on the workers of a pool. All calls come one after another, on a guarded thread. */
@ConsumerType
public interface PlacementSession extends AutoCloseable {

    /**
     * The workers changed: their view already shows the new state. Comes right before a {@link #place}, and not when the
     * session was opened just then. What a {@code place} put on workers is not there by itself: what of it was committed
     * comes as a delta, and so does what was laid over the view between two rounds of one decision and taken off again.
     *
     * @param changed indexes of the workers that joined, left or have other free amounts, ascending, each once; the
     *     array is the session's to keep
     */
    void delta(int[] changed);

    /**
     * Places the admitted entries. Entries of one atom are placed whole or not at all; others slot by slot. An earlier
     * entry has precedence: a later one takes no room that an earlier one could use. What this call places is not yet
     * shown by the view: the session has to account for it until the call returns, and learns by a delta what was
     * committed. Workers that are not there yet are opened by {@link PlacementBuilder#open}, after those that are.
     *
     * <p>For an atom of several profiles, whether it could use room is decided by a first fit, since finding the best
     * packing may take too long: its entries in their order, each filling workers that are there by index, then pending
     * ones by index, then those that were opened before, then new ones, each of the smallest spec that a slot fits (by
     * the dimensions in their order). What packs otherwise tries that before it leaves such an atom out for later ones.
     *
     * <p>An atom that fits what the result leaves of the workers, by the same first fit, may be left out with a reason only
     * ({@link PlacementBuilder#unplaced}), and with one for a limited time, a minute unless configured otherwise: a job
     * that could run must not wait for ever.
     *
     * <p>The host checks all of this. A result that breaks a rule is discarded whole, counts as a failure, and the
     * fallback places the same entries. The answer may be computed and thrown away: nothing outside the session may
     * depend on it.
     *
     * @param admitted valid during the call only
     * @param plan valid during the call only
     */
    void place(AdmittedView admitted, PlacementBuilder plan);

    /**
     * The session is dropped: another policy decides, its configuration changed, it failed, or its owner ended. The last
     * call; not made after a call that hung. Must not throw.
     */
    @Override
    void close();
}
