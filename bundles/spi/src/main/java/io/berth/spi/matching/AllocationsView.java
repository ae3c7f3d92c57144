package io.berth.spi.matching;

import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import java.util.OptionalLong;
import org.osgi.annotation.versioning.ProviderType;

/**
 * The slots that jobs have in the pool, as columns by index. Only a strategy that {@link
 * MatchingStrategy#usesAllocations uses them} is shown any, and its first call may come before they are there: the host
 * calls again at once. Valid during a call; the content changes between calls. An index belongs to its slot while the job has it; then it is
 * reused. All methods but {@link #limit} and {@link #present} accept only slots that are present.
 */
@ProviderType
public interface AllocationsView {

    /** One more than the highest index in use. */
    int limit();

    /** Whether the index has a slot. */
    boolean present(int allocation);

    AllocationId id(int allocation);

    /** The job that has the slot. */
    JobId job(int allocation);

    /** Name of the unit that it was allocated for. */
    String unit(int allocation);

    /** Name of the slot sharing group that it was allocated for. */
    String group(int allocation);

    /** Index of its worker, which is not present in the {@link WorkersView} while it is blocked. */
    int worker(int allocation);

    /**
     * Since when the job has it, in the milliseconds of {@link WorkersView#now}; after a restart of the ResourceManager,
     * since it learned of the slot.
     */
    long since(int allocation);

    /**
     * What the last rescale cost the job of the slot, in milliseconds: from the moment when it stopped the tasks until all
     * tasks ran again. The work that is done again is not included. A job that returns a slot rescales, and when it takes
     * another one, again. Empty until its JobMaster has measured a rescale, and after another JobMaster took over the job,
     * until that one has.
     */
    OptionalLong lastRescaleMillis(int allocation);

    /** What the slot takes of its worker. */
    long amount(int allocation, int dimension);

    /** How many slots its group has beyond its minimum. Negative: it lacks as many. */
    int aboveMinimum(int allocation);

    /**
     * Whether the job may be asked to return it now. It may not for some time after slots of the unit were asked for, and
     * not when the job no longer requires the group: it returns such slots by itself.
     */
    boolean returnable(int allocation);
}
