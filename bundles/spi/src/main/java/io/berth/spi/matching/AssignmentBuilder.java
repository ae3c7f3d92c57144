package io.berth.spi.matching;

import org.osgi.annotation.versioning.ProviderType;

/** Takes the result of an assigning call. */
@ProviderType
public interface AssignmentBuilder {

    /** The slot serves the requirement. */
    void assign(int slot, int requirement);
}
