package io.berth.spi.matching;

import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import org.osgi.annotation.versioning.ProviderType;

/** Slots that a job has, and what it requires. */
@ProviderType
public interface AssignmentView {

    int slots();

    ResourceProfile slotProfile(int slot);

    WorkerId slotWorker(int slot);

    /** The requirement that the slot was allocated for, or -1. */
    int allocatedFor(int slot);

    int requirements();

    ResourceProfile requirementProfile(int requirement);

    /** How many slots the requirement asks for. */
    int count(int requirement);

    /** Whether the slot fulfils the requirement by the pool's matching rule. */
    boolean accepts(int requirement, int slot);
}
