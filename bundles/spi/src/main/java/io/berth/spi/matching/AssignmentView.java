package io.berth.spi.matching;

import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import org.osgi.annotation.versioning.ProviderType;

/**
 * The slots that a job has, and its requirements. It is constant, and valid during one call only. Indexes count from
 * 0.
 */
@ProviderType
public interface AssignmentView {

    /** Time of the call, in the milliseconds of {@link io.berth.spi.PolicyContext#now}. */
    long now();

    /** Wall-clock time of the same moment, in milliseconds since 1970; it may jump. Its zone is that of {@link
     * io.berth.spi.PolicyContext#zone}. */
    long wallTime();

    /** The number of slots. */
    int slots();

    /** The resources that the slot holds on its worker. */
    ResourceProfile slotProfile(int slot);

    /** The worker that the slot is on. */
    WorkerId slotWorker(int slot);

    /** The requirement that the slot was allocated for, or -1. The requirement may no longer accept the slot. */
    int allocatedFor(int slot);

    /** The number of requirements. */
    int requirements();

    /** What one slot of the requirement needs; may be the unknown profile. */
    ResourceProfile requirementProfile(int requirement);

    /** How many slots the requirement requests, at least 0. */
    int count(int requirement);

    /** Number of the constraints of the requirement; -1 when it has none. */
    int constraints(int requirement);

    /** Number of the constraints that the slot was placed with. Only a requirement with the same number accepts it. */
    int slotConstraints(int slot);

    /**
     * Whether the slot was placed with the constraints of the requirement and fulfills it by the pool's matching rule. With {@code exact}, the profiles must be
     * equal, and only a worker's default slot fulfills an unknown profile (FLIP-156). With {@code loose}, the slot's
     * profile must be equal or greater, and any slot fulfills an unknown profile (FLIP-138).
     */
    boolean accepts(int requirement, int slot);
}
