package io.berth.core.policies.decision;

import java.util.OptionalLong;

/**
 * After how long an owner decides again at the latest, because a policy asked for it. Confined to the main thread of
 * the decider.
 */
public final class Review {

    /** A policy that asks for each next call at once must not keep the owner busy. */
    static final long MIN_MILLIS = 100;

    private OptionalLong afterMillis = OptionalLong.empty();

    /** A decision begins; only what its policies ask for counts. */
    public void begin() {
        afterMillis = OptionalLong.empty();
    }

    void ask(OptionalLong millis) {
        if (millis.isPresent()) {
            afterMillis = OptionalLong.of(
                    Math.max(MIN_MILLIS, Math.min(millis.getAsLong(), afterMillis.orElse(Long.MAX_VALUE))));
        }
    }

    public OptionalLong afterMillis() {
        return afterMillis;
    }
}
