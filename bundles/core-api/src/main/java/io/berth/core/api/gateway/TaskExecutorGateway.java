package io.berth.core.api.gateway;

import io.berth.core.api.InstanceId;
import io.berth.core.api.JobMasterId;
import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.log.LogFilter;
import io.berth.core.api.log.LogList;
import io.berth.core.api.log.LogPart;
import io.berth.core.api.log.LogRequest;
import io.berth.core.api.rpc.CalledBy;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.PeerRole;
import io.berth.core.api.task.AttemptId;
import io.berth.core.api.task.PartitionId;
import io.berth.core.api.task.TaskContext.Committable;
import io.berth.core.api.task.TaskDeployment;
import io.berth.core.api.task.TaskMetrics;
import io.berth.core.api.task.TaskState;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Calls from the ResourceManager and JobMasters to a TaskExecutor (FLIP-6). */
public interface TaskExecutorGateway {

    /**
     * The ResourceManager requests slots, all of one round in one call. Each request has its own answer. A repeated
     * request for the same allocation, job and profile is granted again and has no effect.
     */
    @CalledBy(PeerRole.CONTROL_PLANE)
    CompletionStage<SlotRequestAnswers> requestSlots(SlotRequests requests);

    /** A JobMaster frees slots. Slots that it does not own are ignored. */
    @CalledBy(PeerRole.JOB_MASTER)
    CompletionStage<Acknowledge> freeSlots(SlotsToFree slots);

    /**
     * A JobMaster deploys tasks, all for this worker in one call. A deployment is rejected unless its job, JobMasterId
     * and AllocationId own the slot. The worker reports progress with {@link JobMasterGateway#updateTask}.
     */
    @CalledBy(PeerRole.JOB_MASTER)
    CompletionStage<DeploymentAnswers> deployTasks(Deployments deployments);

    /** Cancels tasks. Unknown tasks are ignored. */
    @CalledBy(PeerRole.JOB_MASTER)
    CompletionStage<Acknowledge> cancelTasks(JobMasterId jobMaster, List<AttemptId> attempts);

    /**
     * Commits, in a task that is ready to commit. A worker that was paused finds calls that were sent long ago; meanwhile
     * the JobMaster may have replaced the task. So the worker commits only while the JobMaster cannot have lost it yet.
     */
    @CalledBy(PeerRole.JOB_MASTER)
    CompletionStage<CommitAnswer> commitTask(Commit commit);

    /**
     * A JobMaster no longer needs stored results of its tasks. Results that this JobMaster does not have here are
     * ignored, so a repeated call has no effect.
     */
    @CalledBy(PeerRole.JOB_MASTER)
    CompletionStage<Acknowledge> releaseResults(JobId job, JobMasterId jobMaster, List<PartitionId> partitions);

    /** Heartbeat of the ResourceManager; the answer reports the slots. */
    @CalledBy(PeerRole.CONTROL_PLANE)
    CompletionStage<SlotReport> heartbeatFromResourceManager(ResourceManagerId resourceManager);

    /** Heartbeat of a JobMaster with the slots that it expects to have on this worker; the answer reports its tasks. */
    @CalledBy(PeerRole.JOB_MASTER)
    CompletionStage<TaskReport> heartbeatFromJobMaster(AllocatedSlots allocated);

    /** The ResourceManager has lost the worker, or is ending: the worker registers again. */
    @CalledBy(PeerRole.CONTROL_PLANE)
    CompletionStage<Acknowledge> disconnectResourceManager(ResourceManagerId resourceManager, String cause);

    /**
     * The JobMaster disconnects the worker. This ends the given registration and earlier ones, but no later one.
     *
     * @param registration the instance that the JobMaster answered when the worker registered
     * @param terminal whether the job has ended: then its slots, bundles, results and files are freed at once, for any
     *     registration
     */
    @CalledBy(PeerRole.JOB_MASTER)
    CompletionStage<Acknowledge> disconnectJobMaster(
            JobId job, JobMasterId jobMaster, InstanceId registration, boolean terminal, String cause);

    /**
     * The ResourceManager announces the JobMaster of a job, or that it has lost it (FLIP-6). A worker with slots of
     * the job connects to a newer JobMaster at once; if its current JobMaster was lost, the worker checks it. The call
     * is ignored when the worker has no slot of the job.
     */
    @CalledBy(PeerRole.CONTROL_PLANE)
    CompletionStage<Acknowledge> jobMasterChanged(JobMasterChange change);

    /**
     * An operator gives the worker other labels and taints. It keeps them until its process ends, and registers with
     * them.
     *
     * @param number counted by the ResourceManager: a call with a lower number than an earlier one has no effect
     * @param attributes all that it has from now on
     */
    @CalledBy(PeerRole.CONTROL_PLANE)
    CompletionStage<Acknowledge> relabel(ResourceManagerId resourceManager, long number, WorkerLabels attributes);

    /**
     * The worker leaves, or no longer does. It keeps this until its process ends, and registers with it; the
     * ResourceManager acts on it.
     *
     * @param number counted by the ResourceManager: a call with a lower number than an earlier one has no effect
     * @param leaving all that holds now; {@link WorkerLeaves#NONE} when it stays
     */
    @CalledBy(PeerRole.CONTROL_PLANE)
    CompletionStage<Acknowledge> leave(ResourceManagerId resourceManager, long number, WorkerLeaves leaving);

    /**
     * The ResourceManager asks the worker to exit. The worker declines while it has slots, or results of a job
     * unless it leaves. With {@code force} it does not decline.
     *
     * @return whether it will exit
     */
    @CalledBy(PeerRole.CONTROL_PLANE)
    CompletionStage<Boolean> exit(ResourceManagerId resourceManager, boolean force, String cause);

    /** The logs that this worker has of tasks of a job, the newest if there are many. */
    @CalledBy(PeerRole.CONTROL_PLANE)
    CompletionStage<LogList> listLogs(LogFilter filter);

    /** Reads a part of the own log of this worker, or of the log of one of its tasks. */
    @CalledBy(PeerRole.CONTROL_PLANE)
    CompletionStage<LogPart> readLog(LogRequest request);

    /** Slots to allocate for jobs. */
    record SlotRequests(ResourceManagerId resourceManager, List<SlotRequest> requests) {

        public SlotRequests {
            requests = requests instanceof SlotRequestColumns ? requests : List.copyOf(requests);
        }

        /**
         * The requests from columns. The arrays are kept, not copied, and must not change. Each request object is
         * created when it is read.
         *
         * @param purposes purpose of the allocation at the same index; several may share one
         * @throws IllegalArgumentException when the arrays have different lengths
         */
        public static SlotRequests of(
                ResourceManagerId resourceManager, AllocationId[] allocations, SlotPurpose[] purposes) {
            return new SlotRequests(resourceManager, new SlotRequestColumns(allocations, purposes));
        }
    }

    /**
     * One slot to allocate.
     *
     * @param jobMaster that the worker offers the slot to
     * @param unit unit that the slot is for, with its {@code group}
     * @param profile its size; unknown for a default slot of the worker
     * @param decision number of the decision that placed it
     */
    record SlotRequest(
            AllocationId allocation,
            JobId job,
            EndpointRef jobMaster,
            String unit,
            String group,
            ResourceProfile profile,
            long decision) {}

    /** What all slots of one decision for one group of a job have in common; see {@link SlotRequest}. */
    record SlotPurpose(
            JobId job, EndpointRef jobMaster, String unit, String group, ResourceProfile profile, long decision) {

        /** The request for one slot of this purpose. */
        public SlotRequest request(AllocationId allocation) {
            return new SlotRequest(allocation, job, jobMaster, unit, group, profile, decision);
        }
    }

    /** Answers in the order of the requests. */
    record SlotRequestAnswers(List<SlotRequestAnswer> answers) {

        public SlotRequestAnswers {
            answers = List.copyOf(answers);
        }
    }

    /** @param refusal empty when granted, otherwise the reason */
    record SlotRequestAnswer(AllocationId allocation, String refusal) {

        public boolean granted() {
            return refusal.isEmpty();
        }
    }

    /** Slots that a JobMaster frees. */
    record SlotsToFree(JobId job, JobMasterId jobMaster, List<AllocationId> allocations, String cause) {

        public SlotsToFree {
            allocations = List.copyOf(allocations);
        }
    }

    /** Tasks to start. */
    record Deployments(JobMasterId jobMaster, List<TaskDeployment> tasks) {

        public Deployments {
            tasks = List.copyOf(tasks);
        }
    }

    /** Answers in the order of the deployments. */
    record DeploymentAnswers(List<DeploymentAnswer> answers) {

        public DeploymentAnswers {
            answers = List.copyOf(answers);
        }
    }

    /** What a worker decides about a deployment. */
    enum DeploymentVerdict {
        ACCEPTED,
        /**
         * That job, JobMasterId and AllocationId do not own the slot, or no longer own it. This is not the job's
         * fault.
         */
        SLOT_NOT_OWNED,
        /** The worker cannot start the task now for a reason outside the job, for example because it is ending. */
        NOT_NOW,
        /** The worker cannot run the task. */
        REFUSED
    }

    /** @param refusal empty when accepted, otherwise the reason */
    record DeploymentAnswer(AttemptId attempt, DeploymentVerdict verdict, String refusal) {

        public static DeploymentAnswer accepted(AttemptId attempt) {
            return new DeploymentAnswer(attempt, DeploymentVerdict.ACCEPTED, "");
        }
    }

    /**
     * What the ResourceManager knows about the JobMaster of a job.
     *
     * @param jobMaster the JobMaster that was registered or lost
     * @param lost true: the ResourceManager has lost it; false: it is registered there
     */
    record JobMasterChange(
            ResourceManagerId resourceManager, JobId job, EndpointRef jobMaster, boolean lost, String cause) {}

    /**
     * A request to commit.
     *
     * @param registration of the worker at the JobMaster
     * @param heartbeat number of the last heartbeat of this registration that the JobMaster has an answer to, so that the
     *     worker knows how old the request may be; 0 before the first one
     */
    record Commit(
            JobMasterId jobMaster,
            AttemptId attempt,
            List<Committable> committables,
            InstanceId registration,
            long heartbeat) {

        public Commit {
            committables = List.copyOf(committables);
        }
    }

    /** @param inTime false for a request that may be too old: it had no effect, and may be repeated */
    record CommitAnswer(boolean inTime) {}

    /**
     * The slots that a JobMaster expects to have on a worker.
     *
     * @param number counted by the JobMaster: a list counts only if its number is higher than all earlier ones
     * @param resourceManager leading ResourceManager as far as the JobMaster knows; the worker may not know it yet
     */
    record AllocatedSlots(
            JobId job,
            JobMasterId jobMaster,
            long number,
            List<AllocationId> allocations,
            Optional<EndpointRef> resourceManager) {

        public AllocatedSlots {
            allocations = List.copyOf(allocations);
        }
    }

    /**
     * The tasks of one job on a worker.
     *
     * @param results how many results of blocking edges the worker keeps for the JobMaster
     */
    record TaskReport(List<TaskStatus> tasks, int results) {

        public TaskReport {
            tasks = List.copyOf(tasks);
        }
    }

    /** One task as the worker sees it. */
    record TaskStatus(AttemptId attempt, TaskState state, TaskMetrics metrics) {}
}
