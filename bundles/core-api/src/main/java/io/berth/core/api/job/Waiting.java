package io.berth.core.api.job;

/**
 * Why a job does not run: the first cause of this wait, which later causes do not overwrite, and the current one. A
 * wait begins when the job is submitted or stops running. It ends when the job runs or has ended.
 *
 * @param first the first known cause; {@link Reason#NONE} for a job that does not wait
 * @param firstMillis wall time of the first cause, 0 for a job that does not wait
 * @param current the current cause
 * @param currentMillis wall time since which the current cause has had its code, 0 for a job that does not wait
 */
public record Waiting(Reason first, long firstMillis, Reason current, long currentMillis) {

    /** No wait. */
    public static final Waiting NOT = new Waiting(Reason.NONE, 0, Reason.NONE, 0);

    /** A wait that begins with its current cause. */
    public static Waiting since(long wallMillis, Reason reason) {
        return new Waiting(reason, wallMillis, reason, wallMillis);
    }

    /** The same wait with a new current cause. If the first cause was provisional, the new one replaces it. */
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

    /** The same wait after its cause was corrected. A first cause with another code stays. */
    public Waiting corrected(long wallMillis, Reason root) {
        return first.code() == root.code()
                ? new Waiting(root, firstMillis, root, currentMillis)
                : next(wallMillis, root);
    }
}
