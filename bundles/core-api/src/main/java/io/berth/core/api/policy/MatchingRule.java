package io.berth.core.api.policy;

/** Which slot fulfills which requirement: a property of a pool. */
public enum MatchingRule {
    /** FLIP-156: the profile must be equal; an unknown profile is fulfilled only by a worker's default slot. */
    EXACT,
    /** FLIP-138: the profile must be equal or greater; an unknown profile is fulfilled by any slot. */
    LOOSE
}
