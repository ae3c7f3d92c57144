package io.berth.core.resources.state;

import io.berth.core.api.gateway.ResourceManagerGateway.GroupRequirement;
import io.berth.core.resources.state.RequirementMapping.Kind;
import io.berth.spi.ResourceProfile;

/** One declared group of a unit, with what its slots share. Confined to the main thread. */
public final class UnitGroup {

    private final GroupRequirement requirement;
    private final GroupKey key;
    private Kind kind;

    UnitGroup(String unit, GroupRequirement requirement) {
        this.requirement = requirement;
        key = new GroupKey(unit, requirement.group());
        kind = new Kind(key, requirement.profile());
    }

    public GroupRequirement requirement() {
        return requirement;
    }

    public GroupKey key() {
        return key;
    }

    /** Whether its slots may be on the worker. */
    public boolean allows(WorkerEntry worker) {
        return requirement.constraints().obstacle(worker.labels()).isEmpty();
    }

    /** The kind of its slots on a worker. A group without a size takes the worker's default slot. */
    public Kind kindOn(WorkerEntry worker) {
        ResourceProfile size = requirement.profile().isUnknown() ? worker.defaultSlot() : requirement.profile();
        if (!kind.profile().equals(size)) {
            kind = new Kind(key, size);
        }
        return kind;
    }
}
