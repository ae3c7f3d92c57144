package io.berth.core.resources.state;

import io.berth.core.api.job.Reason;
import io.berth.core.api.job.ReasonCode;
import java.util.Optional;

/**
 * Slots that are granted to one unit until its job refuses one of them. The next round begins after a pause. Confined
 * to the main thread.
 */
public final class GrantRound {

    /** For slots that this ResourceManager did not grant. */
    public static final GrantRound NONE = new GrantRound(0, 0, false);

    private final int refusals;
    private final long pauseMillis;
    private boolean open;

    private GrantRound(int refusals, long pauseMillis, boolean open) {
        this.refusals = refusals;
        this.pauseMillis = pauseMillis;
        this.open = open;
    }

    /** The round of a unit that refused nothing yet. */
    public static GrantRound first() {
        return new GrantRound(0, 0, true);
    }

    /** The round after a refusal; nothing is granted before {@link #open}. */
    public static GrantRound after(int refusals, long pauseMillis) {
        return new GrantRound(refusals, pauseMillis, false);
    }

    /** How many previous rounds in a row ended with a refusal. */
    public int refusals() {
        return refusals;
    }

    public boolean isOpen() {
        return open;
    }

    /** The pause is over. */
    public void open() {
        open = true;
    }

    /** Why nothing is granted; empty while the round is open. */
    public Optional<Reason> why() {
        return open
                ? Optional.empty()
                : Optional.of(Reason.of(
                        ReasonCode.REFUSED,
                        "the job refused slots that were granted to it, "
                                + (refusals == 1 ? "once" : refusals + " times in a row") + "; it is tried again after "
                                + pauseMillis + " ms"));
    }
}
