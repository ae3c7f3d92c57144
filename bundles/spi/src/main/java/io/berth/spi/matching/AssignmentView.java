package io.berth.spi.matching;

import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import org.osgi.annotation.versioning.ProviderType;

/** Slots that a job has, and what it requires. Constant, and valid during one call. Indexes count from 0. */
@ProviderType
public interface AssignmentView {

    /** Time of the question in the milliseconds of {@link io.berth.spi.PolicyContext#now}. */
    long now();

    /** How many slots there are. */
    int slots();

    /** What the slot holds of its worker. */
    ResourceProfile slotProfile(int slot);

    /** The worker that the slot is on. */
    WorkerId slotWorker(int slot);

    /** The requirement that the slot was allocated for, or -1. It may not accept the slot any more. */
    int allocatedFor(int slot);

    /** How many requirements there are. */
    int requirements();

    /** What one slot of the requirement needs; may be the unknown profile. */
    ResourceProfile requirementProfile(int requirement);

    /** How many slots the requirement asks for, at least 0. */
    int count(int requirement);

    /**
     * Whether the slot fulfills the requirement by the pool's matching rule. By {@code exact} the profiles are equal and an
     * unknown need is fulfilled by a worker's default slot only (FLIP-156); by {@code loose} the slot's profile is
     * greater or equal and an unknown need is fulfilled by any (FLIP-138).
     */
    boolean accepts(int requirement, int slot);
}
