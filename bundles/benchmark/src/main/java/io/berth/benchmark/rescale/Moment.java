package io.berth.benchmark.rescale;

/** What happens in a step, in this order. Each phase of a step ends with one of them. */
enum Moment {
    /** The requirements are sent, the worker registers, or the worker is asked to leave. */
    BEGUN,
    /** The first worker is asked for slots; not in each step. */
    REQUESTED,
    /** The JobMaster has accepted the last slot; not in each step. */
    AVAILABLE,
    /** The first worker is asked to end tasks. */
    STOPPED,
    /** The JobMaster knows that the last task of the previous execution has ended. */
    ENDED,
    /** The first worker receives tasks: the execution graph is there. */
    BUILT,
    /** The last worker receives tasks. */
    DEPLOYED,
    /** The JobMaster knows that all tasks run. */
    RUNNING
}
