package io.berth.core.api.job;

/**
 * Why a job waits, as a code for lists, scripts and alerts that does not change between versions. The texts that go
 * with it are for people and may change. An unknown code from a newer peer is read as {@link #OTHER}.
 */
public enum ReasonCode {
    /** The job does not wait. */
    NONE(true),

    // Not decided yet

    /** The requirements are not declared yet, or no decision about them is known. */
    NOT_ATTEMPTED(true),
    /** A policy is deciding about the job. */
    DECIDING(true),

    // No decision possible

    /** The job has no JobMaster: it is being started, or its start failed and is tried again. */
    NO_JOB_MASTER(false),
    /** The ResourceManager is not available, or rejects the job; the job keeps trying. */
    NO_RESOURCE_MANAGER(false),
    /** No matching strategy is installed, or none is allowed to decide. */
    NO_STRATEGY(false),
    /** No distribution policy is installed, or none is allowed to decide. */
    NO_DISTRIBUTION(false),
    /** No scaling policy is installed, or none is allowed to decide. */
    NO_SCALING(false),
    /** Policies of the required kind are installed, but all are quarantined. */
    QUARANTINED(false),
    /** A policy failed or broke a rule, so it did not decide. */
    POLICY_FAILED(false),
    /** The pool of the job is no longer configured. */
    NO_POOL(false),
    /** Planning itself failed. */
    PLANNING_FAILED(false),

    // Decided against the job

    /** The distribution policy does not admit the job now. */
    DEFERRED(false),
    /**
     * Each part would fit alone, but nothing was placed: the parts do not fit together, or the space is kept for
     * earlier jobs.
     */
    NOT_PLACED(false),
    /**
     * There is room, on workers that the matching strategy excludes by a rule of its own. The text names the strategy,
     * its reasons and how many workers each of them is for.
     */
    EXCLUDED(false),
    /** The text of a policy. */
    POLICY(false),

    // Not enough resources

    /** There is no worker, and no worker that fits can be started. */
    NO_WORKERS(false),
    /** Workers have too little free cpu, and enough of everything else. */
    NO_CPU(false),
    /** Workers have too little free memory of some kind, and enough of everything else. */
    NO_MEMORY(false),
    /** Workers have too little of an extended resource free, and enough of everything else. */
    NO_RESOURCE(false),
    /** Workers have too little of several resources free. */
    FULL(false),
    /** The slot is larger than any worker that runs or can be started. */
    TOO_LARGE(false),
    /** Workers have enough free resources, but are blocked after they rejected slots. */
    BLOCKED(false),
    /** Workers have enough free resources, but leave: they are drained, or their backend takes them away. */
    LEAVING(false),
    /** Workers have enough free resources, but are being released. */
    RELEASING(false),
    /** Workers have enough resources, but the constraints of the group exclude them. */
    CONSTRAINTS(false),
    /** A worker would fit, but its spec has reached the maximum number of workers. */
    POOL_LIMIT(false),
    /** No backend can start workers. */
    NO_BACKEND(false),
    /** Slots that would fit now; never the only cause. */
    FITS(false),

    // In progress

    /** Workers were started for the job and have not registered yet. */
    STARTING_WORKERS(false),
    /** Workers for the job could not be started; Berth tries again. */
    START_FAILED(false),
    /** Slots are requested from workers, which have not acknowledged or offered them yet. */
    SLOTS_REQUESTED(true),
    /** The job rejected slots that it was granted; it gets others after a pause. */
    REFUSED(false),
    /** The job has its minimum and starts when no new slot has come for the stabilization timeout. */
    STABILIZING(false),
    /** The job cannot run with its slots, because of the scaling policy, its bounds or network memory. */
    NOT_FEASIBLE(false),
    /** Slots were lost before the job could start. */
    SLOTS_LOST(false),

    // Between two executions, and at the end

    /** A task failed, or a worker was lost. */
    TASK_FAILED(false),
    /** The restart back-off after a failure has not ended. */
    BACKOFF(false),
    /** Tasks are being ended to restart them with another parallelism. */
    RESCALING(false),
    /** Tasks are being ended to restart them on other workers, because workers leave. */
    MOVING(false),
    /** Tasks of the last execution are being ended. */
    ENDING_TASKS(false),
    /** The job is being canceled. */
    CANCELING(false),
    /** The job has failed permanently and its tasks are being ended. */
    FAILING(false),

    /** More causes than are shown. */
    MORE(false),
    /** Another reason, which the text describes. */
    OTHER(false);

    private final boolean provisional;

    ReasonCode(boolean provisional) {
        this.provisional = provisional;
    }

    /** Whether the code only says that no cause is known yet. Such a code does not stay the first cause of a wait. */
    public boolean provisional() {
        return provisional;
    }

    /** The code of that name; {@link #OTHER} when there is none. */
    public static ReasonCode of(String name) {
        for (ReasonCode code : values()) {
            if (code.name().equals(name)) {
                return code;
            }
        }
        return OTHER;
    }
}
