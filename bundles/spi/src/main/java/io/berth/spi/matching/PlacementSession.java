package io.berth.spi.matching;

import org.osgi.annotation.versioning.ConsumerType;

/** Places admitted demands on the workers of a pool. All calls come one at a time, on a guarded thread. */
@ConsumerType
public interface PlacementSession extends AutoCloseable {

    /**
     * Workers changed, and their view already shows the new state. Called right before a {@link #place}, but not
     * before the first one after opening. Slots that a {@code place} put on workers do not appear by themselves: what
     * was committed arrives as a delta. So do the provisional placements that the view shows between two rounds of one
     * decision, and their removal.
     *
     * @param changed indexes of the workers that joined or left, have other amounts, labels, taints or {@link
     *     WorkersView#costPerHour costs}, or {@link WorkersView#leavingAt leave at another time}, ascending, without
     *     duplicates; the session may keep the array
     */
    void delta(int[] changed);

    /**
     * Places the admitted entries. Entries of one gang are placed completely or not at all, others slot by slot. An
     * entry has precedence over those of a larger rank: they must not take room that it could use. Among entries of one
     * rank the session may choose. The view does not yet show what this call places. The session must account for it
     * until the call returns, and learns by a delta what was committed. {@link PlacementBuilder#open} requests workers
     * that do not exist yet; they come after the existing ones.
     *
     * <p>Slots are placed only where the group's constraints allow it ({@link AdmittedView#feasible}, {@link
     * AdmittedView#feasibleOnSpec}); room elsewhere counts for nothing.
     *
     * <p>Slots of a group that is to be spread ({@link AdmittedView#spread}) are placed so that no domain in which the
     * result places some has more than {@link SpreadView#maxSkew} slots above the domain with the fewest. An entry or
     * a gang with such a group claims no precedence: whether it finds room depends on where its slots are, which no
     * simple rule says. A strategy that does not spread names such entries in {@link PlacementBuilder#unplaced}.
     *
     * <p>For a gang with several profiles, a first fit decides whether it could use room, because finding the best
     * packing may take too long. It takes the entries in their order. Each entry fills registered workers by index,
     * then pending ones by index, then workers that were opened before, then new ones, each of the smallest spec that
     * a slot fits on (dimensions compared in their order).
     *
     * <p>A strategy that packs differently does not have to try this first fit. If it says that it found no room for a
     * gang ({@link PlacementBuilder#unplaced}), the host tries it on what the result leaves of the workers, slots that
     * are to be spread one by one, and places the gang if it fits; the decision says so. If later ranks took the room
     * of a gang with several profiles, the host places the gang before them and asks again for the later ranks. The
     * host tries this for a limited number of gangs in one decision.
     *
     * <p>A gang may be left out on purpose ({@link PlacementBuilder#leaveOut}) only for a limited time, a minute unless
     * configured otherwise: a job that could run must not wait forever. To say nothing about a gang that fits is a
     * failure.
     *
     * <p>The host checks all of this. If a result breaks a rule, the host discards all of it, counts a failure, and
     * the fallback places the same entries. The result may be computed and thrown away: nothing outside the session
     * may depend on it.
     *
     * <p>A strategy that {@link MatchingStrategy#usesAllocations uses allocations} is also called without entries. It
     * may propose that jobs return slots ({@link PlacementBuilder#giveBack}).
     *
     * @param admitted valid during the call only
     * @param plan valid during the call only
     */
    void place(AdmittedView admitted, PlacementBuilder plan);

    /**
     * Drops the session: another policy decides, its configuration changed, it failed, or its owner ended. It is the
     * last call, and it is skipped after a call that hung. Must not throw.
     */
    @Override
    void close();
}
