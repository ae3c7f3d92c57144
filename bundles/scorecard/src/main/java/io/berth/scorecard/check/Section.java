package io.berth.scorecard.check;

import java.util.Locale;

/** What a check is about, in the order of the card. */
public enum Section {
    CORRECTNESS,
    DETERMINISM,
    MONOTONICITY,
    STARVATION,
    QUALITY,
    COST,
    TRACE;

    /** As it is printed. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
