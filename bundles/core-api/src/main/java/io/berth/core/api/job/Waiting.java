package io.berth.core.api.job;

/**
 * Why a job does not run: what it was at first in this wait, which later ones never overwrite, and what it is now. A
 * wait begins when the job stops to run, or is submitted, and ends when it runs or has ended.
 *
 * @param first the first cause that was known; {@link Reason#NONE} for a job that does not wait
 * @param firstMillis wall time when it was seen, 0 for a job that does not wait
 * @param current what keeps it now
 * @param currentMillis wall time since when it is of that code, 0 for a job that does not wait
 */
public record Waiting(Reason first, long firstMillis, Reason current, long currentMillis) {

    /** It does not wait. */
    public static final Waiting NOT = new Waiting(Reason.NONE, 0, Reason.NONE, 0);

    /** A wait that began with its present reason. */
    public static Waiting since(long wallMillis, Reason reason) {
        return new Waiting(reason, wallMillis, reason, wallMillis);
    }

    /**
     * The same wait with what keeps the job now. One that only said that nothing was known gives way as the first
     * cause.
     */
    public Waiting next(long wallMillis, Reason now) {
        if (this.equals(NOT)) {
            return since(wallMillis, now);
        }
        boolean known = !first.code().provisional() || now.code().provisional();
        return new Waiting(
                known ? first : now,
                known ? firstMillis : wallMillis,
                now,
                current.code() == now.code() ? currentMillis : wallMillis);
    }

    /** The same wait whose cause turned out to be another one; a first cause of another kind stays. */
    public Waiting corrected(long wallMillis, Reason root) {
        return first.code() == root.code()
                ? new Waiting(root, firstMillis, root, currentMillis)
                : next(wallMillis, root);
    }
}
