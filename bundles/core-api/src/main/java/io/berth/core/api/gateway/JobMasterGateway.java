package io.berth.core.api.gateway;

import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.WorkerSessionId;
import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.Reason;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.task.AttemptId;
import io.berth.core.api.task.FailureKind;
import io.berth.core.api.task.SplitPart;
import io.berth.core.api.task.TaskContext.Committable;
import io.berth.core.api.task.TaskContext.SplitAnswer;
import io.berth.core.api.task.TaskMetrics;
import io.berth.core.api.task.TaskState;
import io.berth.spi.AllocationId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** What workers, the ResourceManager and the Dispatcher ask of the JobMaster of one job. */
public interface JobMasterGateway {

    /**
     * A worker that has slots for the job registers; the same session again is answered the same way, while it is
     * registered. The instance of the answer is greater than those of the registrations before.
     */
    CompletionStage<RegistrationResponse> registerWorker(WorkerAtJob worker);

    /**
     * A worker offers slots (FLIP-6). What is not accepted is free again at the worker. An offer that a later one of the
     * same session has overtaken has no effect, and nothing of it is accepted.
     */
    CompletionStage<AcceptedSlots> offerSlots(SlotOffers offers);

    /** A slot that was accepted is gone. Has an effect only while {@code session} is registered. */
    CompletionStage<Acknowledge> failSlot(
            WorkerId worker, WorkerSessionId session, AllocationId allocation, String cause);

    CompletionStage<Acknowledge> updateTask(TaskUpdate update);

    /** The splits of a source vertex, told by its subtask of index 0, one part after the other. A repeated part has no effect. */
    CompletionStage<Acknowledge> reportSplits(AttemptId attempt, String vertex, SplitPart part);

    /**
     * A task asks for its next split of a source vertex. The same question is answered with the same split, so that a lost
     * answer loses no split and a copy takes none.
     *
     * @param number which of the splits that this task is given of the vertex, from 1: the one after those that it has
     */
    CompletionStage<SplitAnswer> nextSplit(AttemptId attempt, String vertex, long number);

    CompletionStage<Acknowledge> heartbeatFromResourceManager(ResourceManagerId resourceManager);

    /**
     * The ResourceManager cannot serve all that is declared, or has not done so yet (FLIP-138). Informs only: waiting is
     * the job's decision. Of those of one ResourceManager the one with the highest number counts.
     */
    CompletionStage<Acknowledge> notEnoughResources(NotEnoughResources notice);

    /**
     * The ResourceManager would like slots back. The job may refuse: it returns what it does not require, and what it
     * holds while that is less than its minimum and nothing runs in it.
     *
     * @return the allocations that the job will give back
     */
    CompletionStage<List<AllocationId>> requestSlotReturn(
            ResourceManagerId resourceManager, List<AllocationId> allocations, String cause);

    /**
     * The ResourceManager has given a worker up. Has an effect only when the ResourceManager is the one that the job is
     * registered at, and {@code session} the registered one of the worker.
     */
    CompletionStage<Acknowledge> disconnectWorker(
            ResourceManagerId resourceManager, WorkerId worker, WorkerSessionId session, String cause);

    /**
     * No slots are wanted on these workers for some time: free ones go back, others when they are freed.
     *
     * @param number counted by the ResourceManager: a list that comes after one with a higher number, or the same again,
     *     has no effect
     * @param workers all that are blocked now; none ends the last block
     */
    CompletionStage<Acknowledge> blockWorkers(ResourceManagerId resourceManager, long number, List<WorkerId> workers);

    /** The ResourceManager has given the JobMaster up, or ends: the JobMaster registers again. */
    CompletionStage<Acknowledge> disconnectResourceManager(ResourceManagerId resourceManager, String cause);

    CompletionStage<JobDetails> details();

    /** Asks for the end of the job. Acknowledged at once. */
    CompletionStage<Acknowledge> cancel(String cause);

    /**
     * A worker as it registers at a job.
     *
     * @param endpoint of its TaskExecutor
     * @param dataAddress of its exchange, HOST:PORT
     * @param total what it offers to slots
     * @param maxChannelEnds how many ends of channels its network memory has room for; 0 when nothing bounds it
     */
    record WorkerAtJob(
            WorkerId worker,
            WorkerSessionId session,
            EndpointRef endpoint,
            String dataAddress,
            ResourceProfile total,
            int maxChannelEnds) {}

    /**
     * Slots on offer, one call for all of a worker.
     *
     * @param number counted by the worker in its session: only the answer to the latest offer counts at the worker, so an
     *     offer that arrives after one with a higher number is to be answered without taking anything
     */
    record SlotOffers(WorkerId worker, WorkerSessionId session, long number, List<SlotOffer> offers) {

        public SlotOffers {
            offers = List.copyOf(offers);
        }
    }

    /** One slot on offer, with what it was made for. */
    record SlotOffer(AllocationId allocation, String unit, String group, ResourceProfile profile, long decision) {}

    /** The slots that the job takes. */
    record AcceptedSlots(List<AllocationId> accepted) {

        public AcceptedSlots {
            accepted = List.copyOf(accepted);
        }
    }

    /**
     * A task changed its state.
     *
     * @param cause of a failure; empty else
     * @param kind of a failure; of no meaning else
     * @param committables when it is ready to commit
     * @param metrics as they were at that moment
     */
    record TaskUpdate(
            WorkerId worker,
            AttemptId attempt,
            TaskState state,
            String cause,
            FailureKind kind,
            List<Committable> committables,
            TaskMetrics metrics) {

        public TaskUpdate {
            committables = List.copyOf(committables);
        }
    }

    /**
     * What is missing and why.
     *
     * @param sequence of the declaration that cannot be served
     * @param number counted by the ResourceManager: one that arrives after one with a higher number has no effect
     * @param acquired slots that the ResourceManager counts for the job
     * @param why what is needed, what is there, which dimension no worker can meet
     */
    record NotEnoughResources(
            ResourceManagerId resourceManager, long sequence, long number, int acquired, Reason why) {}
}
