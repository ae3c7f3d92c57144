package io.berth.core.api.gateway;

import io.berth.core.api.InstanceId;
import io.berth.core.api.JobMasterId;
import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.task.AttemptId;
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

/** What the ResourceManager and JobMasters ask of a TaskExecutor (FLIP-6). */
public interface TaskExecutorGateway {

    /**
     * The ResourceManager allocates slots, all of one round in one call. Each is answered on its own. A repeated request
     * of the same allocation, job and profile is granted again without effect.
     */
    CompletionStage<SlotRequestAnswers> requestSlots(SlotRequests requests);

    /** A JobMaster gives slots back. What it does not own is left alone. */
    CompletionStage<Acknowledge> freeSlots(SlotsToFree slots);

    /**
     * A JobMaster deploys tasks, all for this worker in one call. A deployment is refused unless its job, JobMasterId and
     * AllocationId own the slot. How starting goes on is told by {@link JobMasterGateway#updateTask}.
     */
    CompletionStage<DeploymentAnswers> deployTasks(Deployments deployments);

    /** Cancels tasks; those that are not there are ignored. */
    CompletionStage<Acknowledge> cancelTasks(JobMasterId jobMaster, List<AttemptId> attempts);

    /** Tells a task that is ready to commit what to commit. */
    CompletionStage<Acknowledge> commitTask(JobMasterId jobMaster, AttemptId attempt, List<Committable> committables);

    /** Heartbeat of the ResourceManager; the answer reports the slots. */
    CompletionStage<SlotReport> heartbeatFromResourceManager(ResourceManagerId resourceManager);

    /** Heartbeat of a JobMaster with the slots it believes to have here; the answer reports its tasks. */
    CompletionStage<TaskReport> heartbeatFromJobMaster(AllocatedSlots allocated);

    /** The ResourceManager has given the worker up, or ends: the worker registers again. */
    CompletionStage<Acknowledge> disconnectResourceManager(ResourceManagerId resourceManager, String cause);

    /**
     * The JobMaster lets the worker go. That ends the registration it names and those before, not one that was made since.
     *
     * @param registration what the JobMaster answered when the worker registered
     * @param terminal whether the job has ended: its slots, bundles and files are freed at once, whatever registration it is
     */
    CompletionStage<Acknowledge> disconnectJobMaster(
            JobId job, JobMasterId jobMaster, InstanceId registration, boolean terminal, String cause);

    /**
     * The ResourceManager tells who leads a job, or that it has lost the job's JobMaster (FLIP-6). A worker with slots of the
     * job turns to a newer JobMaster at once; the one it has is asked when it is said to be lost. Ignored when the worker
     * has no slot of the job.
     */
    CompletionStage<Acknowledge> jobMasterChanged(JobMasterChange change);

    /**
     * The ResourceManager wants the worker to end. Refused while it has slots, unless {@code force}.
     *
     * @return whether it will end
     */
    CompletionStage<Boolean> exit(ResourceManagerId resourceManager, boolean force, String cause);

    /** Slots to allocate for jobs. */
    record SlotRequests(ResourceManagerId resourceManager, List<SlotRequest> requests) {

        public SlotRequests {
            requests = requests instanceof SlotRequestColumns ? requests : List.copyOf(requests);
        }

        /**
         * The same from columns, which are kept as they are and must not change any more. Each request is made anew when
         * somebody looks at it.
         *
         * @param purposes what the allocation at the same place is for; many may share one
         * @throws IllegalArgumentException when there are not as many of both
         */
        public static SlotRequests of(
                ResourceManagerId resourceManager, AllocationId[] allocations, SlotPurpose[] purposes) {
            return new SlotRequests(resourceManager, new SlotRequestColumns(allocations, purposes));
        }
    }

    /**
     * One slot to allocate.
     *
     * @param jobMaster to offer the slot to
     * @param unit what it was made for, with {@code group}
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

    /** What slots have in common that one decision gave to one group of a job; see {@link SlotRequest}. */
    record SlotPurpose(
            JobId job, EndpointRef jobMaster, String unit, String group, ResourceProfile profile, long decision) {

        /** One slot for it. */
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

    /**
     * @param refusal empty when granted, else why not
     */
    record SlotRequestAnswer(AllocationId allocation, String refusal) {

        public boolean granted() {
            return refusal.isEmpty();
        }
    }

    /** Slots that a JobMaster gives back. */
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
        /** The slot is not, or not any more, owned by that job, JobMasterId and AllocationId. The job does nothing wrong. */
        SLOT_NOT_OWNED,
        /** Not at this moment, for something that is none of the job's doing: the worker is ending, for example. */
        NOT_NOW,
        /** The worker cannot run the task. */
        REFUSED
    }

    /**
     * @param refusal empty when accepted, else why not
     */
    record DeploymentAnswer(AttemptId attempt, DeploymentVerdict verdict, String refusal) {

        public static DeploymentAnswer accepted(AttemptId attempt) {
            return new DeploymentAnswer(attempt, DeploymentVerdict.ACCEPTED, "");
        }
    }

    /**
     * What the ResourceManager knows of the JobMaster of a job.
     *
     * @param jobMaster the one it is about
     * @param lost whether the ResourceManager has lost it; else it is registered there
     */
    record JobMasterChange(
            ResourceManagerId resourceManager, JobId job, EndpointRef jobMaster, boolean lost, String cause) {}

    /**
     * The slots that a JobMaster believes to have on a worker.
     *
     * @param number counted by the JobMaster: what an earlier one lists, or the same again, does not count after a later
     * @param resourceManager that leads, as far as the JobMaster knows: the worker may not have heard of it
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

    /** The tasks of one job on a worker. */
    record TaskReport(List<TaskStatus> tasks) {

        public TaskReport {
            tasks = List.copyOf(tasks);
        }
    }

    /** One task as the worker sees it. */
    record TaskStatus(AttemptId attempt, TaskState state, TaskMetrics metrics) {}
}
