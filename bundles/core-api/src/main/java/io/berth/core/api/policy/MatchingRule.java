package io.berth.core.api.policy;

/** Which slot fulfills which need (design section 4): a property of a pool. */
public enum MatchingRule {
    /** FLIP-156: an equal profile; an unknown one only by a worker's default slot. */
    EXACT,
    /** FLIP-138: an equal or greater profile; an unknown one by any. */
    LOOSE
}
