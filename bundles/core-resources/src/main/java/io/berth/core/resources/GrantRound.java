package io.berth.core.resources;

import io.berth.core.api.job.Reason;
import io.berth.core.api.job.ReasonCode;
import java.util.Optional;

/**
 * The slots that one unit is granted until its job refuses one of them; those of the next round are granted after a
 * pause. Confined to the main thread.
 */
final class GrantRound {

    /** Of slots that no round of this ResourceManager granted. */
    static final GrantRound NONE = new GrantRound(0, 0, false);

    private final int refusals;
    private final long pauseMillis;
    private boolean open;

    private GrantRound(int refusals, long pauseMillis, boolean open) {
        this.refusals = refusals;
        this.pauseMillis = pauseMillis;
        this.open = open;
    }

    /** Nothing was refused before it. */
    static GrantRound first() {
        return new GrantRound(0, 0, true);
    }

    /** The one after a refusal; nothing is granted before {@link #open}. */
    static GrantRound after(int refusals, long pauseMillis) {
        return new GrantRound(refusals, pauseMillis, false);
    }

    /** How many rounds in a row before it ended with a refusal. */
    int refusals() {
        return refusals;
    }

    boolean isOpen() {
        return open;
    }

    /** The pause is over. */
    void open() {
        open = true;
    }

    /** Why nothing is granted; empty when something may be. */
    Optional<Reason> why() {
        return open
                ? Optional.empty()
                : Optional.of(Reason.of(ReasonCode.REFUSED, "the job refused slots that were granted to it, "
                        + (refusals == 1 ? "once" : refusals + " times in a row") + "; tried again after "
                        + pauseMillis + " ms"));
    }
}
