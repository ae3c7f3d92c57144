package io.berth.simulator.network;

/** What can happen to one message instead of a single timely arrival. */
public enum Operator {
    /** It never arrives. */
    LOSE,
    /** It arrives twice. */
    DUPLICATE,
    /** It arrives a hundred times. */
    DUPLICATE_100,
    /** The next message on the same way arrives before it. */
    REORDER,
    /** It arrives when its sender has stopped waiting. */
    DELAY,
    /** It arrives when its sender is dead; the sender is killed for this. */
    AFTER_DEATH,
    /** It arrives again when its sender or its receiver has another epoch. */
    OLD_EPOCH
}
