package io.berth.testkit.rules;

import java.util.OptionalInt;

/** A policy breaks a rule. The message says how, and for which seed if the input was random. */
public final class BrokenRule extends AssertionError {

    private static final long serialVersionUID = 1;
    private static final int NO_SEED = -1;

    private final int seed;
    private final String reason;

    /** @param reason what is wrong, for people */
    public BrokenRule(String reason) {
        super(reason);
        seed = NO_SEED;
        this.reason = reason;
    }

    private BrokenRule(int seed, String reason, Throwable cause) {
        super("seed " + seed + ": " + reason, cause);
        this.seed = seed;
        this.reason = reason;
    }

    /** What was thrown while the rule was checked with the input of a seed. */
    static BrokenRule of(int seed, Throwable thrown) {
        return new BrokenRule(seed, reason(thrown), thrown);
    }

    /** What is wrong: what a rule says, or what the policy threw. */
    public static String reason(Throwable thrown) {
        return thrown instanceof BrokenRule broken ? broken.reason : "throws " + thrown;
    }

    /** The seed of the input; empty when the input is not random. */
    public OptionalInt seed() {
        return seed == NO_SEED ? OptionalInt.empty() : OptionalInt.of(seed);
    }
}
