package io.berth.core.scheduler;

import io.berth.core.api.gateway.TaskExecutorGateway.TaskReport;
import io.berth.core.api.task.AttemptId;
import io.berth.core.scheduler.execution.ExecutionTask;
import io.berth.core.scheduler.execution.ExecutionTask.Blame;
import io.berth.core.scheduler.execution.ExecutionTask.Failure;
import io.berth.core.scheduler.peers.JobWorkers;
import io.berth.core.scheduler.slotpool.PoolSlot;
import io.berth.core.scheduler.slotpool.SlotPool;
import io.berth.core.scheduler.states.State;
import io.berth.spi.AllocationId;
import io.berth.spi.WorkerId;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Passes what happens to the slots and workers of a job to the tasks of its execution and to its state. Confined to
 * the main thread of the job.
 */
final class ClusterEvents implements SlotPool.Listener, JobWorkers.Listener {

    private final SlotPool pool;
    private final JobRequirements shortage;
    private final Supplier<State> state;
    private final Supplier<TaskReports> tasks;
    private final Consumer<ExecutionTask> taskChanged;

    /**
     * @param tasks called only when there are workers
     * @param taskChanged receives each task that failed with its slot
     */
    ClusterEvents(
            SlotPool pool,
            JobRequirements shortage,
            Supplier<State> state,
            Supplier<TaskReports> tasks,
            Consumer<ExecutionTask> taskChanged) {
        this.pool = pool;
        this.shortage = shortage;
        this.state = state;
        this.tasks = tasks;
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
        List<ExecutionTask> failed =
                state.get().execution().map(execution -> execution.liveIn(lost)).orElse(List.of());
        failed.forEach(task -> task.fail(failure));
        failed.forEach(taskChanged);
        shortage.declareAgain();
        state.get().slotsLost();
    }

    @Override
    public List<AllocationId> allocated(WorkerId worker) {
        return pool.allocatedOn(worker);
    }

    @Override
    public Set<AttemptId> expected(WorkerId worker) {
        return state.get()
                .execution()
                .map(execution -> execution.expectedAt(worker))
                .orElse(Collections.emptySortedSet());
    }

    @Override
    public void workerLost(WorkerId worker, String cause) {
        pool.workerLost(worker, cause);
    }

    @Override
    public void reported(WorkerId worker, Set<AttemptId> expected, TaskReport report) {
        tasks.get().reported(worker, expected, report);
    }
}
