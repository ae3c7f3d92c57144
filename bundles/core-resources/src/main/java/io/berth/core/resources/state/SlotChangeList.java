package io.berth.core.resources.state;

import io.berth.core.api.policy.PlanningInput.SlotChange;
import io.berth.core.api.policy.PlanningInput.SlotChanges;
import io.berth.core.api.policy.PlanningInput.SlotChanges.Listing;
import io.berth.core.api.policy.PlanningInput.SlotColumn;
import io.berth.spi.AllocationId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The slots that changed since the last input of the planner. Collects nothing while the planner does not use slots.
 * Confined to the main thread.
 */
final class SlotChangeList {

    private final Map<AllocationId, SlotEntry> changed = new LinkedHashMap<>();
    private boolean collecting;

    boolean isCollecting() {
        return collecting;
    }

    /** A slot was added or has ended. */
    void add(SlotEntry slot) {
        if (collecting) {
            changed.put(slot.allocation, slot);
        }
    }

    SlotChanges take(RequirementLedger jobs) {
        if (!collecting) {
            collecting = true;
            List<SlotEntry> all = new ArrayList<>();
            jobs.all().forEach(job -> all.addAll(job.allSlots()));
            return changes(Listing.ALL, all);
        }
        SlotChanges taken = changes(Listing.CHANGED, changed.values());
        changed.clear();
        return taken;
    }

    SlotChanges stop() {
        collecting = false;
        changed.clear();
        return SlotChanges.NONE;
    }

    private static SlotChanges changes(Listing listing, Collection<SlotEntry> slots) {
        return new SlotChanges(
                listing, slots.stream().map(SlotChangeList::change).toList());
    }

    private static SlotChange change(SlotEntry slot) {
        return new SlotChange(
                slot.allocation,
                slot.state() == SlotEntry.State.ENDED
                        ? Optional.empty()
                        : Optional.of(new SlotColumn(
                                slot.job().id,
                                slot.kind().group().unit(),
                                slot.kind().group().group(),
                                slot.worker.index,
                                slot.kind().profile(),
                                slot.grant().sinceMillis())));
    }
}
