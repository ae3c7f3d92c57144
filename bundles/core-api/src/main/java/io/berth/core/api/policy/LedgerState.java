package io.berth.core.api.policy;

/**
 * The slots that are allocated in a pool, summed up: two states are equal when the same allocations stand for the same
 * jobs on the same workers with the same profiles, and when as many changes led there. Cheap enough to be kept with
 * each change.
 *
 * @param hash sum of {@link LedgerHash} over all allocations, modulo 2^64: whatever their order is, one that is lost,
 *     doubled or moved to another worker changes it
 * @param slots how many allocations there are
 * @param granted how many were added by committing decisions, since the owner began
 * @param ended how many were taken off: freed, refused, lost with their worker or withdrawn while a plan was committed
 * @param reported how many were added because a worker said that it has them
 */
public record LedgerState(long hash, int slots, long granted, long ended, long reported) {

    /** Of an owner that keeps none. */
    public static final LedgerState NONE = new LedgerState(0, 0, -1, -1, -1);

    public boolean isNone() {
        return granted < 0;
    }

    /** How many changes led here; -1 where none are counted. */
    public long changes() {
        return isNone() ? -1 : granted + ended + reported;
    }
}
