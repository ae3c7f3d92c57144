package io.berth.simulator.network;

/** What can become of one message, other than that it arrives once and soon. */
public enum Operator {
    /** It never arrives. */
    LOSE,
    /** It arrives twice. */
    DUPLICATE,
    /** It arrives a hundred times. */
    DUPLICATE_100,
    /** What is sent next from there to there arrives before it. */
    REORDER,
    /** It arrives when its sender has given up waiting. */
    DELAY,
    /** It arrives when its sender is dead: the sender is killed for that. */
    AFTER_DEATH,
    /** It arrives once more when its sender or its receiver has another epoch. */
    OLD_EPOCH
}
