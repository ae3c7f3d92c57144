package io.berth.core.api.gateway;

import io.berth.core.api.InstanceId;
import io.berth.core.api.JobMasterId;
import io.berth.core.api.WorkerSessionId;
import io.berth.core.api.job.LabelChange;
import io.berth.core.api.job.PlacementConstraints;
import io.berth.core.api.job.SchedulingAttributes;
import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.log.LogFilter;
import io.berth.core.api.log.LogList;
import io.berth.core.api.log.LogPart;
import io.berth.core.api.log.LogRequest;
import io.berth.core.api.rpc.CalledBy;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.PeerRole;
import io.berth.policy.rules.labels.LabelRules;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Calls from workers, JobMasters and the Dispatcher to the ResourceManager (FLIP-6, FLIP-138). */
public interface ResourceManagerGateway {

    /** A worker registers with all its slots. A second registration of the same worker replaces the first. */
    @CalledBy(PeerRole.WORKER)
    CompletionStage<RegistrationResponse> registerWorker(WorkerRegistration registration);

    /**
     * A slot of the worker is free again, or was never taken. The notice is ignored when the instance is not the
     * current one.
     */
    @CalledBy(PeerRole.WORKER)
    CompletionStage<Acknowledge> slotFreed(SlotFreed notice);

    /** The worker disconnects. */
    @CalledBy(PeerRole.WORKER)
    CompletionStage<Acknowledge> disconnectWorker(InstanceId instance, String cause);

    @CalledBy(PeerRole.JOB_MASTER)
    CompletionStage<RegistrationResponse> registerJobMaster(JobMasterRegistration registration);

    /**
     * Declares everything that a job requires. A declaration is absolute: it replaces the previous one. One with a
     * lower sequence number than the last of the same JobMaster has no effect.
     */
    @CalledBy(PeerRole.JOB_MASTER)
    CompletionStage<Acknowledge> declareRequirements(RequirementsDeclaration declaration);

    /** The JobMaster disconnects; its requirements become zero. */
    @CalledBy(PeerRole.JOB_MASTER)
    CompletionStage<Acknowledge> disconnectJobMaster(JobId job, JobMasterId jobMaster, String cause);

    /** Workers and slots as the ResourceManager sees them. */
    @CalledBy(PeerRole.CONTROL_PLANE)
    CompletionStage<ClusterDetails> clusterDetails(ClusterQuery query);

    /**
     * Blocks workers for an operator: they get no new slots until the block ends (FLIP-224), but keep slots in which
     * tasks run. If a worker is already blocked, the block that ends later counts. Blocks are lost when another
     * ResourceManager becomes the leader.
     *
     * @param target id of a worker, its address HOST:PORT, or HOST for all registered workers of that host
     * @param millis 1 to {@link #MAX_BLOCK_MILLIS}
     * @param reason for people, one line of at most {@link #MAX_BLOCK_REASON} characters
     * @return the current blocks of these workers; empty when no worker matches
     */
    @CalledBy(PeerRole.CONTROL_PLANE)
    CompletionStage<List<WorkerBlock>> blockWorkers(String target, long millis, String reason);

    /**
     * Ends blocks: the workers get slots again.
     *
     * @param target as for {@link #blockWorkers}; it may also be the id of a worker that is gone
     * @return the blocks that were ended; empty when no matching worker is blocked
     */
    @CalledBy(PeerRole.CONTROL_PLANE)
    CompletionStage<List<WorkerBlock>> unblockWorkers(String target);

    /**
     * Gives workers other labels and taints. They count for slots that are placed from now on; slots stay where they
     * are. A worker keeps them until its process ends, under each ResourceManager.
     *
     * @param target as for {@link #blockWorkers}
     * @return each worker that was meant; empty when no registered worker matches
     */
    @CalledBy(PeerRole.CONTROL_PLANE)
    CompletionStage<List<RelabeledWorker>> relabelWorkers(String target, LabelChange change);

    /**
     * Workers leave: they receive no slots, their jobs move to other workers, and an empty worker that a backend started
     * is stopped. Repeating the call with another deadline or reason replaces them. A worker keeps leaving until its
     * process ends, under each ResourceManager.
     *
     * @param target as for {@link #blockWorkers}
     * @param leave time left of at most {@link #MAX_BLOCK_MILLIS}, or no deadline
     * @return each worker that was meant; empty when no worker matches
     */
    @CalledBy(PeerRole.CONTROL_PLANE)
    CompletionStage<List<DrainedWorker>> drainWorkers(String target, WorkerLeave leave);

    /**
     * Workers no longer leave: they receive slots again, and jobs that have not moved yet stay. It has no effect on
     * workers that are being stopped.
     *
     * @param target as for {@link #blockWorkers}
     * @return each worker that was leaving, or is being stopped; empty when none matches
     */
    @CalledBy(PeerRole.CONTROL_PLANE)
    CompletionStage<List<DrainedWorker>> undrainWorkers(String target);

    /**
     * The logs of the tasks of a job on all registered workers, and on workers of this machine that are gone. The answer
     * does not wait long for a worker that does not answer.
     */
    @CalledBy(PeerRole.CONTROL_PLANE)
    CompletionStage<LogList> listLogs(LogFilter filter);

    /** Reads a part of a log of a registered worker, or of a worker of this machine that is gone. */
    @CalledBy(PeerRole.CONTROL_PLANE)
    CompletionStage<LogPart> readLog(WorkerId worker, LogRequest request);

    /**
     * A worker that was asked to leave, or to stay.
     *
     * @param leaving why it leaves; empty when it stays
     * @param problem what is not as wanted; empty when nothing is
     */
    record DrainedWorker(WorkerId worker, Optional<WorkerLeave> leaving, String problem) {}

    /** Maximum cost of a worker that it states itself. */
    double MAX_COST_PER_HOUR = 1_000_000;

    /** Maximum number of labels, and of taints, of a worker. */
    int MAX_LABELS = LabelRules.MAX_LABELS;

    /**
     * A worker that an operator wanted to have other labels.
     *
     * @param attributes that it has now, as far as the ResourceManager knows
     * @param problem why it may not have what was wanted; empty when it has
     */
    record RelabeledWorker(WorkerId worker, WorkerLabels attributes, String problem) {}

    /** Maximum duration of a block: 30 days. */
    long MAX_BLOCK_MILLIS = 30L * 24 * 60 * 60 * 1_000;

    /** Maximum length of the reason of a block, in characters. */
    int MAX_BLOCK_REASON = 200;

    /**
     * A block of a worker, which gets no new slots until it ends.
     *
     * @param millis remaining time
     * @param reason as the operator gave it
     */
    record WorkerBlock(WorkerId worker, long millis, String reason) {}

    /**
     * Registration of a worker.
     *
     * @param endpoint where its TaskExecutor is served; the token is its session
     * @param dataAddress of its data exchange, HOST:PORT
     * @param total resources that it offers for slots
     * @param defaultSlots number of default slots that {@code total} is divided into
     * @param backend name of the backend that started it, for example {@code local}; {@code standalone} for one
     *     started by hand
     * @param spec name of the worker spec that it was started for; empty for none
     * @param costPerHour what it costs, in the operator's currency, from 0 to {@link #MAX_COST_PER_HOUR}; 0: as much as
     *     its spec
     * @param ageMillis for how long its process has run
     * @param slots its allocated slots
     * @param leaving why it leaves, as a ResourceManager told it last
     */
    record WorkerRegistration(
            WorkerId worker,
            WorkerSessionId session,
            EndpointRef endpoint,
            String dataAddress,
            ResourceProfile total,
            int defaultSlots,
            String backend,
            String spec,
            WorkerLabels attributes,
            double costPerHour,
            long ageMillis,
            SlotReport slots,
            WorkerLeaves leaving) {

        /** One that has just started, costs as much as its spec and does not leave. */
        public WorkerRegistration(
                WorkerId worker,
                WorkerSessionId session,
                EndpointRef endpoint,
                String dataAddress,
                ResourceProfile total,
                int defaultSlots,
                String backend,
                String spec,
                WorkerLabels attributes,
                SlotReport slots) {
            this(
                    worker,
                    session,
                    endpoint,
                    dataAddress,
                    total,
                    defaultSlots,
                    backend,
                    spec,
                    attributes,
                    0,
                    0,
                    slots,
                    WorkerLeaves.NONE);
        }
    }

    /** Notice that a slot is free. */
    record SlotFreed(InstanceId instance, AllocationId allocation, JobId job, String cause) {}

    /**
     * Registration of a JobMaster.
     *
     * @param workers on which the job has slots, as far as the JobMaster knows; each worker itself reports which slots
     *     these are
     * @param pool of the job; empty: the default pool
     */
    record JobMasterRegistration(
            JobId job,
            JobMasterId jobMaster,
            EndpointRef endpoint,
            long submissionIndex,
            List<WorkerId> workers,
            String pool) {

        public JobMasterRegistration {
            workers = List.copyOf(workers);
        }
    }

    /**
     * Everything that a job requires now (FLIP-138).
     *
     * @param sequence counted by the JobMaster
     * @param attributes of the job
     * @param units requirements by unit; empty: the job requires nothing
     * @param lastRescaleMillis what the last rescale cost, see {@link io.berth.core.api.job.JobMeasures}; empty: not known
     */
    record RequirementsDeclaration(
            JobId job,
            JobMasterId jobMaster,
            long sequence,
            long submissionIndex,
            SchedulingAttributes attributes,
            List<UnitRequirement> units,
            Optional<Long> lastRescaleMillis) {

        public RequirementsDeclaration {
            units = List.copyOf(units);
        }

        /** Of a job that has not rescaled. */
        public RequirementsDeclaration(
                JobId job,
                JobMasterId jobMaster,
                long sequence,
                long submissionIndex,
                SchedulingAttributes attributes,
                List<UnitRequirement> units) {
            this(job, jobMaster, sequence, submissionIndex, attributes, units, Optional.empty());
        }
    }

    /**
     * Requirement of one unit. The minimum of all its groups is granted completely or not at all.
     *
     * @param runsWithLess whether it runs with less than its minimum, which was raised since it started: then it returns none
     *     of its slots for others to reach theirs
     */
    record UnitRequirement(String unit, List<GroupRequirement> groups, boolean runsWithLess) {

        public UnitRequirement {
            groups = List.copyOf(groups);
        }

        /** That does not run, or has its minimum. */
        public UnitRequirement(String unit, List<GroupRequirement> groups) {
            this(unit, groups, false);
        }
    }

    /** Slots of one profile for one slot sharing group, on workers that fulfill its constraints. */
    record GroupRequirement(
            String group, ResourceProfile profile, int minimum, int desired, PlacementConstraints constraints) {

        private static final String DEFAULT_GROUP = "default";

        /** On any worker. */
        public GroupRequirement(String group, ResourceProfile profile, int minimum, int desired) {
            this(group, profile, minimum, desired, PlacementConstraints.NONE);
        }

        /** Whether a slot of the other requirement is a slot of this one: equal but for the numbers. */
        public boolean isSame(GroupRequirement other) {
            return group.equals(other.group) && profile.equals(other.profile) && constraints.equals(other.constraints);
        }

        /** The requirement as text for people: {@code needs 3 x {1 cpu, 4 GiB}}. */
        public String needs() {
            return "needs " + desired + (minimum < desired ? " (at least " + minimum + ")" : "") + " x " + profile
                    + (group.equals(DEFAULT_GROUP) ? "" : " for group " + group)
                    + (constraints.isNone() ? "" : " where " + constraints);
        }
    }
}
