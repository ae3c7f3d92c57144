package io.berth.core.api.policy;

/**
 * A summary of the allocated slots of a pool. Two states are equal when they have the same allocations, with the same
 * jobs, workers and profiles, and the same numbers of changes. It is cheap enough to update with each change.
 *
 * @param hash sum of {@link LedgerHash} over all allocations, modulo 2^64. It does not depend on their order, but
 *     changes when an allocation is lost, duplicated or moved to another worker
 * @param slots number of allocations
 * @param granted number of allocations added by committed decisions since the owner started
 * @param ended number of allocations removed: freed, rejected, lost with their worker, or withdrawn while a plan was
 *     committed
 * @param reported number of allocations added because a worker reported them
 */
public record LedgerState(long hash, int slots, long granted, long ended, long reported) {

    /** The state of an owner that keeps no ledger. */
    public static final LedgerState NONE = new LedgerState(0, 0, -1, -1, -1);

    public boolean isNone() {
        return granted < 0;
    }

    /** Number of changes until this state; -1 when the owner counts none. */
    public long changes() {
        return isNone() ? -1 : granted + ended + reported;
    }
}
