package io.berth.spi.matching;

import io.berth.spi.JobId;
import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;

/**
 * The admitted demands of one {@code place} call, in order of precedence. It is constant, and valid during that call
 * only. Indexes count from 0; an index out of range causes an IndexOutOfBoundsException.
 */
@ProviderType
public interface AdmittedView {

    /** The number of entries. */
    int size();

    /** The job that the entry is for. */
    JobId job(int entry);

    /** Name of the unit of the job, whose minimum is placed completely or not at all. */
    String unit(int entry);

    /** Name of the queue that the job was submitted to. */
    String queue(int entry);

    /** Priority of the job; a larger number is more important. */
    int priority(int entry);

    /** A label of the job. */
    Optional<String> label(int entry, String key);

    /** Name of the slot sharing group. */
    String group(int entry);

    /** How many slots of one profile the entry requests, at least 1. */
    int count(int entry);

    /**
     * Neighboring entries with the same gang, a number of at least 0, are placed completely or not at all. -1: each
     * slot is placed on its own.
     */
    int gang(int entry);

    /**
     * Rank of the entry, from 0. An entry has precedence over those with a larger rank, and none over those with its
     * own. Entries are in the order of their ranks, and entries of a gang have one rank.
     */
    int rank(int entry);

    /**
     * Number of the profile that the entry requests, counted from 0. Two entries with equal numbers request the same
     * profile and have the same constraints.
     */
    int profile(int entry);

    /**
     * Number of the constraints that say where slots of the entry may be; -1 when they may be on every worker. Two
     * entries with equal numbers may be on the same workers. During a session, a number keeps its meaning.
     */
    int constraints(int entry);

    /**
     * Whether slots of the entry may be on the worker: its labels fulfill what the group requires, and the group
     * tolerates its taints. It says nothing about room.
     */
    boolean feasible(int entry, int worker);

    /** Whether slots of the entry may be on a new worker of the spec. */
    boolean feasibleOnSpec(int entry, int spec);

    /**
     * How the slots of the group of the entry are to be spread; empty when it does not matter. Entries of one group
     * have the same object, since their slots count together.
     */
    Optional<SpreadView> spread(int entry);

    /**
     * Whether the group of the entry prefers some workers. When it does not, {@link #preference} and {@link
     * #preferenceOnSpec} are 0.
     */
    boolean prefers(int entry);

    /** Sum of the weights of the group's preferences that the worker fulfills, at least 0. */
    int preference(int entry, int worker);

    /** Sum of the weights of the group's preferences that new workers of the spec fulfill, at least 0. */
    int preferenceOnSpec(int entry, int spec);

    /**
     * What one slot of the entry takes of any worker, registered or new. It is -1 in all dimensions for the unknown
     * profile, for which each worker has its own size.
     */
    long amount(int entry, int dimension);

    /**
     * What one slot of the entry takes of a worker. A slot that is cut out of free capacity has the requested profile,
     * which both matching rules accept. An unknown profile takes the worker's default slot, which both rules accept
     * too. Therefore the result is the same on all workers unless the profile is unknown.
     */
    long need(int entry, int worker, int dimension);

    /**
     * Whether the group of the entry had slots on the worker before, so that state of the job may still be there. The
     * last 64 workers of a group count, since the ResourceManager started.
     */
    boolean ranOn(int entry, int worker);

    /** The slots that jobs have; none unless the strategy {@link MatchingStrategy#usesAllocations uses them}. */
    AllocationsView allocations();

    /** What one slot of the entry takes of a new worker of a spec. */
    long needOnSpec(int entry, int spec, int dimension);
}
