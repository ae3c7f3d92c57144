package io.berth.core.resources.explanation;

import io.berth.core.api.gateway.ResourceManagerGateway.GroupRequirement;
import io.berth.core.api.job.PlacementConstraints;
import io.berth.spi.ResourceProfile;

/** What one slot needs: a size, and a worker that the constraints allow. */
public record SlotNeed(ResourceProfile profile, PlacementConstraints constraints) {

    public static SlotNeed of(GroupRequirement requirement) {
        return new SlotNeed(requirement.profile(), requirement.constraints());
    }
}
