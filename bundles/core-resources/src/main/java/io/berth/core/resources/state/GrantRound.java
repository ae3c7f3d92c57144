package io.berth.core.resources.state;

import io.berth.core.api.job.Reason;
import io.berth.core.api.job.ReasonCode;
import java.util.Optional;

/**
 * The slots that one unit is granted until its job refuses one of them; those of the next round are granted after a
 * pause. Confined to the main thread.
 */
public final class GrantRound {

    /** Of slots that no round of this ResourceManager granted. */
    public static final GrantRound NONE = new GrantRound(0, 0, false);

    private final int refusals;
    private final long pauseMillis;
    private boolean open;

    private GrantRound(int refusals, long pauseMillis, boolean open) {
        this.refusals = refusals;
        this.pauseMillis = pauseMillis;
        this.open = open;
    }

    /** Nothing was refused before it. */
    public static GrantRound first() {
        return new GrantRound(0, 0, true);
    }

    /** The one after a refusal; nothing is granted before {@link #open}. */
    public static GrantRound after(int refusals, long pauseMillis) {
        return new GrantRound(refusals, pauseMillis, false);
    }

    /** How many rounds in a row before it ended with a refusal. */
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

    /** Why nothing is granted; empty when something may be. */
    public Optional<Reason> why() {
        return open
                ? Optional.empty()
                : Optional.of(Reason.of(
                        ReasonCode.REFUSED,
                        "the job refused slots that were granted to it, "
                                + (refusals == 1 ? "once" : refusals + " times in a row") + "; tried again after "
                                + pauseMillis + " ms"));
    }
}
