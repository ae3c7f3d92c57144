package io.berth.spi.distribution;

import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import java.util.Optional;
import java.util.OptionalLong;
import org.osgi.annotation.versioning.ProviderType;

/**
 * The units that jobs of a pool declared, over an index. Read in calls only; its content changes between them. A unit is
 * what is scheduled at once; it has one or several groups of slots with a profile, a minimum and a desired number each.
 * An index stays with its unit while it is there, and is reused afterwards.
 */
@ProviderType
public interface DemandsView {

    /** Number of the state that the view shows; grows with each change. */
    long stateNumber();

    /**
     * Time of the state in the milliseconds of {@link io.berth.spi.PolicyContext#now}; constant during a decision, so
     * that what is derived from it can be replayed.
     */
    long now();

    /** One more than the highest unit index in use. */
    int limit();

    /**
     * Whether a unit that may be admitted is at the index; one that found no room in this decision is not. The other
     * methods may be asked about units that are present only, and throw an IllegalArgumentException otherwise.
     */
    boolean present(int unit);

    /** The job that declared the unit. */
    JobId job(int unit);

    /** Name of the unit within its job. */
    String name(int unit);

    /** Place of the job in the order of submission; a stamp that survives restarts. */
    long submissionIndex(int unit);

    /** Name of the queue that the job was submitted to. */
    String queue(int unit);

    /** Larger is more important; 0 by default. */
    int priority(int unit);

    /** A label that was declared with the unit; empty when there is none of this key. */
    Optional<String> label(int unit, String key);

    /**
     * When the pool's decisions first saw the unit, on the scale of {@link #now}. Not kept over a restart of the
     * ResourceManager: for an order that survives it there is {@link #submissionIndex}.
     */
    long arrived(int unit);

    /**
     * Since when the unit has lacked part of its minimum without a break, on the scale of {@link #now}, as the pool's
     * decisions saw it; empty when it has its minimum. Not changed within a decision by what was placed in it.
     */
    OptionalLong waitingSince(int unit);

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

    /** Slots that the unit has, or that are being requested for it. */
    int have(int unit, int group);
}
