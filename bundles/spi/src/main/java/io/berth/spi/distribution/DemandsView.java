package io.berth.spi.distribution;

import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import java.util.Optional;
import java.util.OptionalLong;
import org.osgi.annotation.versioning.ProviderType;

/**
 * The units that the jobs of a pool declared, by index. A policy reads the view only during calls; the content changes
 * between calls. A unit is what is scheduled at once. It has one or more groups of slots; each group has a profile, a
 * minimum and a desired number. An index belongs to its unit while the unit exists, and is reused later.
 */
@ProviderType
public interface DemandsView {

    /**
     * Number of the state that the view shows. It grows with each change. All rounds of a decision have the same number,
     * although later ones also show what earlier ones placed and what found no room.
     */
    long stateNumber();

    /**
     * Time of the state, in the milliseconds of {@link io.berth.spi.PolicyContext#now}. It is constant during a
     * decision, so that everything computed from it can be replayed.
     */
    long now();

    /** Wall-clock time of the same moment, in milliseconds since 1970; it may jump. Its zone is that of {@link
     * io.berth.spi.PolicyContext#zone}. */
    long wallTime();

    /** One more than the highest unit index in use. */
    int limit();

    /**
     * Whether the index has a unit. The methods about units accept only these, and throw an IllegalArgumentException
     * otherwise.
     */
    boolean present(int unit);

    /**
     * Whether the index has a unit that may be admitted. One whose minimum found no room in this decision may not; it is
     * present and shown with what it has. Accepts every index.
     */
    boolean candidate(int unit);

    /**
     * Whether the job may be asked to return slots of the unit now. It may not for some time after it was asked for some.
     */
    boolean returnable(int unit);

    /**
     * Number of kinds of resources. Each has an index: 0 is {@code cpu} in thousandths of a core, 1 {@code heap}, 2
     * {@code off-heap} and 3 {@code managed} memory in bytes, and then other resources. All resources that no worker and
     * no spec offers share one index. The number is the same while a session is open.
     */
    int dimensions();

    /** Name of a kind of resource. */
    String dimension(int dimension);

    /**
     * What all workers of the pool have together: registered ones, pending ones, and those that this decision starts.
     * Blocked and leaving workers do not count, so units may use more. It may be 0. It changes without a {@link
     * AdmissionSession#delta}, as {@link #free} and {@link #startable} do.
     */
    long capacity(int dimension);

    /** The part of {@link #capacity} that is free. What this decision placed or reserved is not. */
    long free(int dimension);

    /**
     * What workers would have together that the backends of the pool could still start, beyond {@link #capacity}; at
     * most {@link Long#MAX_VALUE}. An upper bound: the limits of the cluster may allow all workers of one spec or all of
     * another, but not both.
     */
    long startable(int dimension);

    /** The job that declared the unit. */
    JobId job(int unit);

    /** Name of the unit within its job. */
    String name(int unit);

    /** Place of the job in the order of submission. It survives restarts. */
    long submissionIndex(int unit);

    /** Name of the queue that the job was submitted to. */
    String queue(int unit);

    /** The queues of the pool. {@link QueuesView#find} finds that of a unit. */
    QueuesView queues();

    /** Who submitted the job; empty: not known. */
    Optional<String> submitter(int unit);

    /**
     * How long the job is expected to run once it has slots, in milliseconds; empty: not known. Its submitter stated it,
     * or it was learned from earlier runs ({@link #runtimeLearnedFrom}). A job that runs longer is not ended.
     */
    OptionalLong expectedRuntime(int unit);

    /**
     * From how many earlier runs {@link #expectedRuntime} was learned; 0 if the submitter of the job stated it, or if it
     * is not known. A stated time is the word of the submitter, mostly a bound. A learned one is the median of runs, so
     * about half of the jobs run longer: a policy that promises slots to others should add a margin.
     */
    int runtimeLearnedFrom(int unit);

    /** A larger number is more important; the default is 0. */
    int priority(int unit);

    /** A label that was declared with the unit; empty when the unit has no label with this key. */
    Optional<String> label(int unit, String key);

    /**
     * When a decision of the pool first saw the unit, on the scale of {@link #now}. It does not survive a restart of
     * the ResourceManager; an order that must survive uses {@link #submissionIndex}.
     */
    long arrived(int unit);

    /**
     * Since when the unit has lacked a part of its minimum without interruption, on the scale of {@link #now}, as the
     * decisions of the pool saw it. Empty when the unit has its minimum. Placements within a decision do not change
     * it.
     */
    OptionalLong waitingSince(int unit);

    /**
     * Since when the unit has had its minimum without interruption, on the scale of {@link #now}, as the decisions of the
     * pool saw it. Empty while it lacks a part of it. Placements within a decision do not change it. A unit that loses a
     * part of its minimum counts from zero when it has it again. The time does not survive a restart of the ResourceManager:
     * then it begins with the first decision that sees the unit with its minimum, and an end that is estimated from it
     * is too late. With {@link #expectedRuntime}, it tells a policy that backfills when slots may become free.
     */
    OptionalLong runningSince(int unit);

    /** How many groups the unit has. */
    int groups(int unit);

    /** Name of the slot sharing group. */
    String groupName(int unit, int group);

    /** What one slot of the group needs; may be the unknown profile. */
    ResourceProfile profile(int unit, int group);

    /** Slots without which the unit cannot run. */
    int minimum(int unit, int group);

    /** Slots that the unit would use, at least the minimum. */
    int desired(int unit, int group);

    /** Slots that the unit has or that are being requested for it. */
    int allocated(int unit, int group);

    /**
     * How many of the {@link #allocated} slots of the group are on their way back: its job was asked to return them and has
     * not done so yet. A slot that the job keeps does not count from its answer on, and none does once the unit is {@link
     * #returnable} again.
     */
    int returning(int unit, int group);

    /**
     * What one slot of the group takes. For the unknown profile it is an estimate: the mean of the default slots of the
     * workers, or of the specs when there is no worker.
     */
    long amount(int unit, int group, int dimension);

    /** What {@link #allocated} takes in all groups; an estimate where {@link #amount} is one. */
    default long used(int unit, int dimension) {
        long used = 0;
        for (int group = 0; group < groups(unit); group++) {
            used += allocated(unit, group) * amount(unit, group, dimension);
        }
        return used;
    }
}
