package io.berth.core.scheduler;

import io.berth.core.scheduler.execution.ExecutionGraph;
import io.berth.core.scheduler.execution.ExecutionTask;
import io.berth.core.scheduler.execution.ExecutionTask.Blame;
import io.berth.core.scheduler.execution.ExecutionTask.Failure;
import io.berth.core.scheduler.slotpool.PoolSlot;
import io.berth.core.scheduler.slotpool.SlotPool;
import io.berth.core.scheduler.states.State;
import io.berth.spi.AllocationId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Passes what happens to the slots of a unit to the tasks of its execution and to its state. Confined to the main thread
 * of the job.
 */
final class SlotEvents implements SlotPool.Listener {

    private final JobRequirements shortage;
    private final Supplier<State> state;
    private final Consumer<ExecutionTask> taskChanged;

    /** @param taskChanged receives each task that failed with its slot */
    SlotEvents(JobRequirements shortage, Supplier<State> state, Consumer<ExecutionTask> taskChanged) {
        this.shortage = shortage;
        this.state = state;
        this.taskChanged = taskChanged;
    }

    @Override
    public void slotsAdded() {
        shortage.declareAgain();
        state.get().slotsAdded();
    }

    @Override
    public boolean mayCancelReservations() {
        return state.get().maySlotsBeTaken();
    }

    @Override
    public void reservationsCanceled(List<PoolSlot> taken) {
        shortage.declareAgain();
        state.get()
                .slotsTaken(taken.size() + (taken.size() == 1 ? " slot serves" : " slots serve")
                        + " another group, so that all is fulfilled");
    }

    @Override
    public void slotsLost(List<PoolSlot> slots, boolean withWorker, String cause) {
        Set<AllocationId> lost =
                slots.stream().map(PoolSlot::allocation).collect(Collectors.toCollection(TreeSet::new));
        Failure failure = new Failure(cause, false, withWorker ? Blame.WORKER : Blame.CLUSTER);
        Optional<ExecutionGraph> execution = state.get().execution();
        List<ExecutionTask> failed =
                new ArrayList<>(execution.map(running -> running.liveIn(lost)).orElse(List.of()));
        failed.forEach(task -> task.fail(failure));
        if (withWorker && !state.get().status().isTerminal()) {
            List<ExecutionTask> repeated =
                    execution.map(running -> running.endedWithResultsIn(lost)).orElse(List.of());
            repeated.forEach(task -> task.resultLost(failure));
            failed.addAll(repeated);
        }
        failed.forEach(taskChanged);
        shortage.declareAgain();
        state.get().slotsLost();
    }
}
