package io.berth.core.api.gateway;

import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.WorkerSessionId;
import io.berth.core.api.job.GroupRoom;
import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.ParallelismBounds;
import io.berth.core.api.job.Reason;
import io.berth.core.api.rpc.CalledBy;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.PeerRole;
import io.berth.core.api.task.AttemptId;
import io.berth.core.api.task.FailureKind;
import io.berth.core.api.task.PartitionId;
import io.berth.core.api.task.SplitPart;
import io.berth.core.api.task.TaskContext.Committable;
import io.berth.core.api.task.TaskContext.SplitAnswer;
import io.berth.core.api.task.TaskMetrics;
import io.berth.core.api.task.TaskState;
import io.berth.spi.AllocationId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Calls from workers, the ResourceManager and the Dispatcher to the JobMaster of one job. */
public interface JobMasterGateway {

    /**
     * A worker that has slots for the job registers. A repeated call of a registered session gets the same answer.
     * Each new registration gets a greater instance than all earlier ones.
     */
    @CalledBy(PeerRole.WORKER)
    CompletionStage<RegistrationResponse> registerWorker(WorkerAtJob worker);

    /**
     * A worker offers slots (FLIP-6). Slots that are not accepted are free again at the worker. An offer that arrives
     * after a later offer of the same session has no effect, and none of its slots is accepted. A worker that is not
     * registered with {@code session} keeps the slots, and registers and offers them again.
     */
    @CalledBy(PeerRole.WORKER)
    CompletionStage<AcceptedSlots> offerSlots(SlotOffers offers);

    /** An accepted slot is gone. The call has an effect only while {@code session} is registered. */
    @CalledBy(PeerRole.WORKER)
    CompletionStage<Acknowledge> failSlot(
            WorkerId worker, WorkerSessionId session, AllocationId allocation, String cause);

    @CalledBy(PeerRole.WORKER)
    CompletionStage<Acknowledge> updateTask(TaskUpdate update);

    /**
     * Subtask 0 of a source vertex reports the splits of the vertex, one part after the other. A repeated part has no
     * effect.
     */
    @CalledBy(PeerRole.WORKER)
    CompletionStage<Acknowledge> reportSplits(AttemptId attempt, String vertex, SplitPart part);

    /**
     * A task requests its next split of a source vertex. A repeated request gets the same split, so a lost answer
     * loses no split, and a duplicate request takes none.
     *
     * @param number which split of the vertex this task requests, counted from 1 for each task
     */
    @CalledBy(PeerRole.WORKER)
    CompletionStage<SplitAnswer> nextSplit(AttemptId attempt, String vertex, long number);

    /**
     * @param declaration number of the declaration of the job that the ResourceManager follows; 0 if it has none
     * @param room how many more slots its groups could get, at the heartbeat before; groups are missing whose room is not
     *     known
     */
    @CalledBy(PeerRole.CONTROL_PLANE)
    CompletionStage<Acknowledge> heartbeatFromResourceManager(
            ResourceManagerId resourceManager, long declaration, List<GroupRoom> room);

    /**
     * The ResourceManager cannot fulfill the declaration, or has not fulfilled it yet (FLIP-138). This is only
     * information: the job decides whether to wait. Among the notices of one ResourceManager, the one with the highest
     * number counts.
     */
    @CalledBy(PeerRole.CONTROL_PLANE)
    CompletionStage<Acknowledge> notEnoughResources(NotEnoughResources notice);

    /**
     * The ResourceManager asks the job to return slots. The job may decline: it returns slots that it does not
     * require. It also returns slots in which nothing runs while it has fewer than its minimum.
     *
     * @param aboveMinimum whether it also returns slots that it requires, if each group keeps its minimum. It restarts
     *     for those that it uses
     * @return the allocations that the job will return, some of them only after a restart
     */
    @CalledBy(PeerRole.CONTROL_PLANE)
    CompletionStage<List<AllocationId>> requestSlotReturn(
            ResourceManagerId resourceManager, List<AllocationId> allocations, boolean aboveMinimum, String cause);

    /**
     * The ResourceManager has lost a worker. The call has an effect only when the job is registered at this
     * ResourceManager and {@code session} is the registered session of the worker.
     */
    @CalledBy(PeerRole.CONTROL_PLANE)
    CompletionStage<Acknowledge> disconnectWorker(
            ResourceManagerId resourceManager, WorkerId worker, WorkerSessionId session, String cause);

    /**
     * The job should not use slots on these workers: it returns free slots now, and others when they become free. It
     * keeps running on blocked workers. From workers that leave it moves: it restarts once, without a failure, when it
     * has other slots instead, and before the first deadline in any case. Slots on workers that leave count for no
     * requirement from the answer on.
     *
     * @param number counted by the ResourceManager: a list has an effect only if its number is higher than all earlier
     *     ones
     * @param workers all workers that are blocked now; an empty list ends all blocks
     * @param leaving all workers that leave now; a worker that is no longer listed stays
     */
    @CalledBy(PeerRole.CONTROL_PLANE)
    CompletionStage<Acknowledge> blockWorkers(
            ResourceManagerId resourceManager, long number, List<WorkerId> workers, List<LeavingWorker> leaving);

    /** A worker that leaves. */
    record LeavingWorker(WorkerId worker, WorkerLeave leave) {}

    /** The ResourceManager has lost the JobMaster, or is ending: the JobMaster registers again. */
    @CalledBy(PeerRole.CONTROL_PLANE)
    CompletionStage<Acknowledge> disconnectResourceManager(ResourceManagerId resourceManager, String cause);

    @CalledBy(PeerRole.CONTROL_PLANE)
    CompletionStage<JobDetails> details();

    /**
     * Applies other bounds of the parallelism, unless the job has those of this or a later revision. The answer does not
     * wait for the job to follow them.
     */
    @CalledBy(PeerRole.CONTROL_PLANE)
    CompletionStage<Acknowledge> changeBounds(ParallelismBounds bounds);

    /** Cancels the job. The answer does not wait for the job to end. */
    @CalledBy(PeerRole.CONTROL_PLANE)
    CompletionStage<Acknowledge> cancel(String cause);

    /**
     * Registration of a worker at a job.
     *
     * @param endpoint of its TaskExecutor
     * @param dataAddress of its data exchange, HOST:PORT
     * @param total resources that it offers for slots
     * @param maxChannelEnds how many channel ends fit into its network memory; 0: no limit
     */
    record WorkerAtJob(
            WorkerId worker,
            WorkerSessionId session,
            EndpointRef endpoint,
            String dataAddress,
            ResourceProfile total,
            int maxChannelEnds) {}

    /**
     * All slots that a worker offers, in one call.
     *
     * @param number counted by the worker in its session. Only the answer to the latest offer counts at the worker, so
     *     an offer that arrives after one with a higher number must be answered without accepting any slot
     */
    record SlotOffers(WorkerId worker, WorkerSessionId session, long number, List<SlotOffer> offers) {

        public SlotOffers {
            offers = List.copyOf(offers);
        }
    }

    /** One offered slot, and what it was allocated for. */
    record SlotOffer(AllocationId allocation, String unit, String group, ResourceProfile profile, long decision) {}

    /**
     * The slots that the job accepts.
     *
     * @param notRegistered whether the job did not look at the offer, because that session of the worker is not
     *     registered there
     */
    record AcceptedSlots(List<AllocationId> accepted, boolean notRegistered) {

        public static final AcceptedSlots NOT_REGISTERED = new AcceptedSlots(List.of(), true);

        public AcceptedSlots {
            accepted = List.copyOf(accepted);
        }

        public AcceptedSlots(List<AllocationId> accepted) {
            this(accepted, false);
        }
    }

    /**
     * A task changed its state.
     *
     * @param cause of a failure; otherwise empty
     * @param kind of a failure; otherwise without meaning
     * @param stack stack trace of the exception that the task threw; empty when there is none
     * @param committables present when the task is ready to commit
     * @param metrics at the moment of the change
     * @param lost the stored result that the failed task could not read: its producer must run again
     */
    record TaskUpdate(
            WorkerId worker,
            AttemptId attempt,
            TaskState state,
            String cause,
            FailureKind kind,
            String stack,
            List<Committable> committables,
            TaskMetrics metrics,
            Optional<PartitionId> lost) {

        public TaskUpdate {
            committables = List.copyOf(committables);
        }

        /** Without a lost result. */
        public TaskUpdate(
                WorkerId worker,
                AttemptId attempt,
                TaskState state,
                String cause,
                FailureKind kind,
                String stack,
                List<Committable> committables,
                TaskMetrics metrics) {
            this(worker, attempt, state, cause, kind, stack, committables, metrics, Optional.empty());
        }
    }

    /**
     * What is missing and why.
     *
     * @param sequence of the declaration that cannot be fulfilled
     * @param number counted by the ResourceManager: a notice that arrives after one with a higher number has no effect
     * @param acquired slots that the ResourceManager counts for the job
     * @param why what is needed, what is available, and which resource is missing
     */
    record NotEnoughResources(
            ResourceManagerId resourceManager, long sequence, long number, int acquired, Reason why) {}
}
