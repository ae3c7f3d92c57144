package io.berth.core.scheduler;

import io.berth.core.scheduler.execution.ExecutionTask;
import io.berth.core.scheduler.execution.TaskCalls;
import io.berth.core.scheduler.slotpool.PoolSlot;
import io.berth.core.scheduler.slotpool.SlotPool;
import io.berth.core.scheduler.slotpool.SlotPool.GivenUp;
import io.berth.core.scheduler.states.State;
import io.berth.spi.AllocationId;
import io.berth.spi.WorkerId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Returns slots to their workers. The requirements are declared first: a slot that served another group than the one
 * it was made for is no longer required there. Confined to the main thread of the job.
 */
final class SlotReturns {

    private final SlotPool pool;
    private final JobRequirements shortage;
    private final TaskCalls calls;
    private final Supplier<State> state;

    SlotReturns(SlotPool pool, JobRequirements shortage, TaskCalls calls, Supplier<State> state) {
        this.pool = pool;
        this.shortage = shortage;
        this.calls = calls;
        this.state = state;
    }

    /** Slots that are no longer required and were idle for too long. */
    void idle() {
        returnSlots(pool.removeIdle(), "no longer required");
    }

    /**
     * Slots that the ResourceManager wants back, if they are not required or the job cannot run with what it has.
     *
     * @param aboveMinimum whether the others are given up too, as far as each group keeps its minimum
     * @return the slots that are returned now or after a restart
     */
    List<AllocationId> wanted(List<AllocationId> wanted, boolean aboveMinimum, String cause) {
        List<PoolSlot> returned = new ArrayList<>(pool.removeReturnable(wanted));
        List<AllocationId> leaving = List.of();
        if (aboveMinimum) {
            GivenUp givenUp = pool.giveUp(wanted, state.get().maySlotsBeTaken());
            returned.addAll(givenUp.removed());
            leaving = givenUp.leaving();
        }
        returnSlots(returned, cause);
        List<AllocationId> all =
                new ArrayList<>(returned.stream().map(PoolSlot::allocation).toList());
        if (!leaving.isEmpty()) {
            all.addAll(leaving);
            state.get().slotsLeaving(cause);
        }
        return all;
    }

    /** Free slots on workers that the ResourceManager has blocked, and on those that leave. */
    void blocked(List<WorkerId> workers, SortedSet<WorkerId> leaving) {
        returnSlots(pool.block(workers), "the worker is blocked");
        returnSlots(pool.leave(leaving), "the worker leaves");
        // Slots on workers that leave, or stay after all, count differently.
        shortage.declareAgain();
        state.get().workersLeave();
    }

    /** Slots of tasks that do not end, together with the tasks. */
    void ofTasks(List<ExecutionTask> tasks, String cause) {
        Set<AllocationId> slots =
                tasks.stream().map(task -> task.slot().allocation()).collect(Collectors.toCollection(TreeSet::new));
        returnSlots(pool.remove(slots), cause);
    }

    /** An execution has released its slots: returns those that are not reused. */
    void released() {
        returnSlots(pool.releaseAll(), "they are not reused");
    }

    /** All slots: the unit has ended. */
    void all(String cause) {
        shortage.declare(List.of());
        returnSlots(pool.removeAll(), cause);
    }

    private void returnSlots(List<PoolSlot> slots, String cause) {
        if (!slots.isEmpty()) {
            shortage.declareAgain();
            pool.returning(slots);
            calls.freeSlots(slots, cause, pool::returned);
        }
    }
}
