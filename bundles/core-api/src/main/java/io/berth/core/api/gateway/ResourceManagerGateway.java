package io.berth.core.api.gateway;

import io.berth.core.api.InstanceId;
import io.berth.core.api.JobMasterId;
import io.berth.core.api.WorkerSessionId;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;

/** What workers, JobMasters and the Dispatcher ask of the ResourceManager (FLIP-6, FLIP-138). */
public interface ResourceManagerGateway {

    /** A worker registers with all the slots it has; a second registration of the same worker replaces the first. */
    CompletionStage<RegistrationResponse> registerWorker(WorkerRegistration registration);

    /** A slot of the worker is free again, or was never taken. Ignored when the instance is not the current one. */
    CompletionStage<Acknowledge> slotFreed(SlotFreed notice);

    /** The worker leaves. */
    CompletionStage<Acknowledge> disconnectWorker(InstanceId instance, String cause);

    CompletionStage<RegistrationResponse> registerJobMaster(JobMasterRegistration registration);

    /**
     * Declares all that a job requires. Absolute; one with a lower sequence number than the last of the same JobMaster
     * has no effect.
     */
    CompletionStage<Acknowledge> declareRequirements(RequirementsDeclaration declaration);

    /** The JobMaster leaves; its requirements go to zero. */
    CompletionStage<Acknowledge> disconnectJobMaster(JobId job, JobMasterId jobMaster, String cause);

    /** Workers and slots as the ResourceManager sees them. */
    CompletionStage<ClusterDetails> clusterDetails(ClusterQuery query);

    /**
     * An operator wants workers to take no slots for a while (FLIP-224): they keep those that tasks run in. Of two times the
     * later one holds. Forgotten when another ResourceManager leads.
     *
     * @param target id of a worker; or address of one, HOST:PORT; or HOST for all that are there now
     * @param millis 1 to {@link #MAX_BLOCK_MILLIS}
     * @param reason for people, one line of at most {@link #MAX_BLOCK_REASON} characters
     * @return what holds now for the workers that are meant; none when there is no such worker
     */
    CompletionStage<List<WorkerBlock>> blockWorkers(String target, long millis, String reason);

    /**
     * Blocked workers take slots again.
     *
     * @param target as for {@link #blockWorkers}; also the id of one that is gone
     * @return the blocks that are lifted; none when nothing of that is blocked
     */
    CompletionStage<List<WorkerBlock>> unblockWorkers(String target);

    /** Longest block: 30 days. */
    long MAX_BLOCK_MILLIS = 30L * 24 * 60 * 60 * 1_000;

    /** Characters of the reason of a block. */
    int MAX_BLOCK_REASON = 200;

    /**
     * A worker that takes no slots for a while.
     *
     * @param millis how long still
     * @param reason as the operator gave it
     */
    record WorkerBlock(WorkerId worker, long millis, String reason) {}

    /**
     * A worker as it registers.
     *
     * @param endpoint where its TaskExecutor is served; the token is its session
     * @param dataAddress of its exchange, HOST:PORT
     * @param total what it offers to slots
     * @param defaultSlots how many default slots the total divides into
     * @param backend name of what started it: {@code local}, or {@code standalone} for one started by hand
     * @param spec name of the spec that it was started for; empty for none
     * @param slots the slots it has allocated
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
            SortedMap<String, String> labels,
            SlotReport slots) {

        public WorkerRegistration {
            labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
        }
    }

    /** A slot is free. */
    record SlotFreed(InstanceId instance, AllocationId allocation, JobId job, String cause) {}

    /**
     * A JobMaster as it registers.
     *
     * @param workers on which the job has slots, as far as the JobMaster knows: each says itself which slots they are
     */
    record JobMasterRegistration(
            JobId job, JobMasterId jobMaster, EndpointRef endpoint, long submissionIndex, List<WorkerId> workers) {

        public JobMasterRegistration {
            workers = List.copyOf(workers);
        }
    }

    /**
     * All that a job requires now (FLIP-138).
     *
     * @param sequence counted by the JobMaster
     * @param pool whose workers are wanted
     * @param units what is scheduled at once; empty: nothing is required
     */
    record RequirementsDeclaration(
            JobId job,
            JobMasterId jobMaster,
            long sequence,
            long submissionIndex,
            String pool,
            String queue,
            int priority,
            SortedMap<String, String> labels,
            List<UnitRequirement> units) {

        public RequirementsDeclaration {
            labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
            units = List.copyOf(units);
        }
    }

    /** Requirement of one unit: its minimum over all groups is granted whole. */
    record UnitRequirement(String unit, List<GroupRequirement> groups) {

        public UnitRequirement {
            groups = List.copyOf(groups);
        }
    }

    /** Slots of one profile for one slot sharing group. */
    record GroupRequirement(String group, ResourceProfile profile, int minimum, int desired) {

        private static final String DEFAULT_GROUP = "default";

        /** What is needed, for people: {@code needs 3 x {1 cpu, 4 GiB}}. */
        public String needs() {
            return "needs " + desired + (minimum < desired ? " (at least " + minimum + ")" : "") + " x " + profile
                    + (group.equals(DEFAULT_GROUP) ? "" : " for group " + group);
        }
    }
}
