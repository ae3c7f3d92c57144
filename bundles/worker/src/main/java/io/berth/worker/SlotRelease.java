package io.berth.worker;

import io.berth.spi.JobId;
import io.berth.spi.WorkerId;
import io.berth.worker.code.CodeLeases;
import io.berth.worker.connection.ResourceManagerConnection;
import io.berth.worker.slot.Slot;
import io.berth.worker.slot.SlotTable;
import io.berth.worker.store.KeptAllocations;
import io.berth.worker.task.TaskRun;
import io.berth.worker.task.Tasks;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Frees slots in order: tasks end, the stored allocation is removed, the ResourceManager is informed, and the code of
 * the job is released. Confined to the main thread of the TaskExecutor.
 */
final class SlotRelease {

    private static final Logger LOG = LoggerFactory.getLogger(SlotRelease.class);

    private final WorkerId worker;
    private final SlotTable slots;
    private final Tasks tasks;
    private final CodeLeases code;
    private final KeptAllocations kept;
    private final ResourceManagerConnection resourceManager;
    private final Predicate<JobId> goesOn;

    /** @param goesOn whether a job continues, so that it may need its code again */
    SlotRelease(
            WorkerId worker,
            SlotTable slots,
            Tasks tasks,
            CodeLeases code,
            KeptAllocations kept,
            ResourceManagerConnection resourceManager,
            Predicate<JobId> goesOn) {
        this.worker = worker;
        this.slots = slots;
        this.tasks = tasks;
        this.code = code;
        this.kept = kept;
        this.resourceManager = resourceManager;
        this.goesOn = goesOn;
    }

    /** Frees a slot; its tasks fail first, and it occupies room until they have ended. */
    void free(Slot slot, String cause) {
        LOG.info("worker {}: freeing {}: {}", worker, slot, cause);
        boolean gone = slots.free(slot, cause);
        kept.changed();
        if (gone) {
            freed(slot, cause);
        } else {
            tasks.failIn(slot.allocation(), "its slot was freed: " + cause);
        }
    }

    /** The stored allocations must be updated. */
    void changed() {
        kept.changed();
    }

    /** A task has ended: its slot may have waited for that. */
    void taskEnded(TaskRun run) {
        slots.removeTask(run.allocation(), run.attempt()).ifPresent(slot -> freed(slot, "its last task ended"));
    }

    private void freed(Slot slot, String cause) {
        resourceManager.slotFreed(slot.allocation(), slot.job(), cause);
        if (goesOn.test(slot.job())) {
            code.releaseLater(slot.job());
        } else {
            code.release(slot.job());
        }
    }
}
