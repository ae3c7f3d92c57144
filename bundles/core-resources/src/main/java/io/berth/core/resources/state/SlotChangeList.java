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
 * The slots of a pool that changed since the last input of the planner. Collects nothing while the planner does not use slots.
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

    SlotChanges take(PoolJobs pool, RequirementLedger jobs) {
        if (!collecting) {
            collecting = true;
            List<SlotEntry> all = new ArrayList<>();
            jobs.each(job -> {
                if (job.pool() == pool) {
                    all.addAll(job.allSlots());
                }
            });
            all.removeIf(slot -> !isListed(pool, slot));
            return changes(pool, Listing.ALL, all);
        }
        SlotChanges taken = changes(pool, Listing.CHANGED, changed.values());
        changed.clear();
        return taken;
    }

    SlotChanges stop() {
        collecting = false;
        changed.clear();
        return SlotChanges.NONE;
    }

    private static SlotChanges changes(PoolJobs pool, Listing listing, Collection<SlotEntry> slots) {
        return new SlotChanges(
                listing, slots.stream().map(slot -> change(pool, slot)).toList());
    }

    /** A slot on a worker that left the pool is not listed: to give it back would gain the pool nothing. */
    private static boolean isListed(PoolJobs pool, SlotEntry slot) {
        return slot.state() != SlotEntry.State.ENDED
                && slot.job().pool() == pool
                && slot.worker.pool().name().equals(pool.name());
    }

    private static SlotChange change(PoolJobs pool, SlotEntry slot) {
        return new SlotChange(
                slot.allocation,
                !isListed(pool, slot)
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
