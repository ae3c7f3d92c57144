package io.berth.core.api.job;

/**
 * Why a job waits, in a word that does not change between versions: for lists, scripts and alerts. The texts beside it
 * are for people and may change. A code from a newer peer that is not known here reads as {@link #OTHER}.
 */
public enum ReasonCode {
    /** Nothing is waited for. */
    NONE(true),

    // Nobody has looked yet

    /** What the job requires was not attempted yet: not declared, or no decision about it is known. */
    NOT_ATTEMPTED(true),
    /** A decision about the job is being made: a policy is asked. */
    DECIDING(true),

    // Nobody can look

    /** No JobMaster runs the job: it is being started, or could not be started yet. */
    NO_JOB_MASTER(false),
    /** The ResourceManager is away, or refuses the job; the job goes on trying. */
    NO_RESOURCE_MANAGER(false),
    /** No matching strategy is installed, or none may decide. */
    NO_STRATEGY(false),
    /** No distribution policy is installed, or none may decide. */
    NO_DISTRIBUTION(false),
    /** No scaling policy is installed, or none may decide. */
    NO_SCALING(false),
    /** Policies of the kind that is missing are there, but quarantined. */
    QUARANTINED(false),
    /** A policy failed or broke a rule, so that it did not decide. */
    POLICY_FAILED(false),
    /** Planning itself failed. */
    PLANNING_FAILED(false),

    // The decision was no

    /** The distribution policy does not admit the job now. */
    DEFERRED(false),
    /** There is room for each part, yet nothing was placed: it does not fit at once, or is kept for earlier jobs. */
    NOT_PLACED(false),
    /** What a policy said, in its own words. */
    POLICY(false),

    // No room

    /** There is no worker, and none that fits can be started. */
    NO_WORKERS(false),
    /** Workers have too little cpu free, and enough of all else. */
    NO_CPU(false),
    /** Workers have too little memory free, of whatever kind, and enough of all else. */
    NO_MEMORY(false),
    /** Workers have too little of an extended resource free, and enough of all else. */
    NO_RESOURCE(false),
    /** Workers have too little of several resources free: they are full. */
    FULL(false),
    /** Not even an empty worker could hold it, of those that run or that can be started. */
    TOO_LARGE(false),
    /** Workers have room and take no slots for a while, since they refused some. */
    BLOCKED(false),
    /** Workers have room and are about to end. */
    RELEASING(false),
    /** How many workers of a spec there may be is what keeps a fitting one from being started. */
    POOL_LIMIT(false),
    /** No backend offers workers to start. */
    NO_BACKEND(false),
    /** Slots that would fit now; never the cause by itself. */
    FITS(false),

    // On the way

    /** Workers were started for the job and have not registered yet. */
    STARTING_WORKERS(false),
    /** Workers for the job could not be started; it is tried again. */
    START_FAILED(false),
    /** Slots are requested from workers that have not acknowledged or offered them yet. */
    SLOTS_REQUESTED(true),
    /** The job refused slots that it was granted; it is granted others after a pause. */
    REFUSED(false),
    /** The minimum is there: the job starts when no slot has come for a while. */
    STABILIZING(false),
    /** The slots there are allow no execution, by the scaling policy, the bounds of the job or network memory. */
    NOT_FEASIBLE(false),
    /** Slots were lost before the job could start. */
    SLOTS_LOST(false),

    // Between two executions, and at the end

    /** A task failed, or a worker was lost. */
    TASK_FAILED(false),
    /** The restart back-off after a failure is not over. */
    BACKOFF(false),
    /** Tasks are being ended to start them again with another parallelism. */
    RESCALING(false),
    /** Tasks of the last execution are being ended. */
    ENDING_TASKS(false),
    /** The job is being canceled. */
    CANCELING(false),
    /** The job has failed for good and its tasks are being ended. */
    FAILING(false),

    /** More causes than are shown. */
    MORE(false),
    /** None of the above; the text says it. */
    OTHER(false);

    private final boolean provisional;

    ReasonCode(boolean provisional) {
        this.provisional = provisional;
    }

    /** Whether it only says that no cause is known yet: such a one is never kept as the first cause of a wait. */
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
