package io.berth.policy.support.distribution;

/** Who is treated fairly among the units of one queue. */
public enum Claimants {
    /** Nobody: the units come in the order of their submission. */
    QUEUES,
    /** Who submitted the jobs. Jobs of unknown submitters are those of one. */
    SUBMITTERS,
    /** The jobs. */
    JOBS
}
