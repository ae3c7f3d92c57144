package io.berth.core.rpc.wire;

import static io.berth.core.rpc.wire.CommonWire.list;

import io.berth.core.api.InstanceId;
import io.berth.core.api.JobMasterId;
import io.berth.core.api.gateway.ClusterDetails;
import io.berth.core.api.gateway.ClusterQuery;
import io.berth.core.api.gateway.ResourceManagerGateway.GroupRequirement;
import io.berth.core.api.gateway.ResourceManagerGateway.JobMasterRegistration;
import io.berth.core.api.gateway.ResourceManagerGateway.RequirementsDeclaration;
import io.berth.core.api.gateway.ResourceManagerGateway.SlotFreed;
import io.berth.core.api.gateway.ResourceManagerGateway.UnitRequirement;
import io.berth.core.api.gateway.ResourceManagerGateway.WorkerBlock;
import io.berth.core.api.gateway.ResourceManagerGateway.WorkerRegistration;
import io.berth.core.rpc.proto.ResourceManagerProto;
import io.berth.spi.JobId;
import io.berth.spi.WorkerId;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** Messages of the ResourceManager's gateway. */
public final class ResourceManagerWire {

    private ResourceManagerWire() {}

    public static ResourceManagerProto.WorkerRegistration to(WorkerRegistration registration) {
        return ResourceManagerProto.WorkerRegistration.newBuilder()
                .setWorker(registration.worker().value())
                .setSession(CommonWire.to(registration.session()))
                .setEndpoint(CommonWire.to(registration.endpoint()))
                .setDataAddress(registration.dataAddress())
                .setTotal(CommonWire.to(registration.total()))
                .setDefaultSlots(registration.defaultSlots())
                .setBackend(registration.backend())
                .setSpec(registration.spec())
                .putAllLabels(registration.labels())
                .setSlots(CommonWire.to(registration.slots()))
                .build();
    }

    public static WorkerRegistration from(ResourceManagerProto.WorkerRegistration registration) {
        return new WorkerRegistration(
                new WorkerId(registration.getWorker()),
                CommonWire.workerSessionId(registration.getSession()),
                CommonWire.from(registration.getEndpoint()),
                registration.getDataAddress(),
                CommonWire.from(registration.getTotal()),
                registration.getDefaultSlots(),
                registration.getBackend(),
                registration.getSpec(),
                new TreeMap<>(registration.getLabelsMap()),
                CommonWire.from(registration.getSlots()));
    }

    public static ResourceManagerProto.FreedSlot to(SlotFreed freed) {
        return ResourceManagerProto.FreedSlot.newBuilder()
                .setInstance(freed.instance().number())
                .setAllocation(CommonWire.to(freed.allocation()))
                .setJob(freed.job().value())
                .setCause(freed.cause())
                .build();
    }

    public static SlotFreed from(ResourceManagerProto.FreedSlot freed) {
        return new SlotFreed(
                new InstanceId(freed.getInstance()),
                CommonWire.from(freed.getAllocation()),
                new JobId(freed.getJob()),
                freed.getCause());
    }

    public static ResourceManagerProto.WorkerGone workerGone(InstanceId instance, String cause) {
        return ResourceManagerProto.WorkerGone.newBuilder()
                .setInstance(instance.number())
                .setCause(cause)
                .build();
    }

    public static ResourceManagerProto.JobMasterRegistration to(JobMasterRegistration registration) {
        return ResourceManagerProto.JobMasterRegistration.newBuilder()
                .setJob(registration.job().value())
                .setJobMaster(CommonWire.to(registration.jobMaster()))
                .setEndpoint(CommonWire.to(registration.endpoint()))
                .setSubmissionIndex(registration.submissionIndex())
                .addAllWorkers(list(registration.workers(), WorkerId::value))
                .build();
    }

    public static JobMasterRegistration from(ResourceManagerProto.JobMasterRegistration registration) {
        return new JobMasterRegistration(
                new JobId(registration.getJob()),
                CommonWire.jobMasterId(registration.getJobMaster()),
                CommonWire.from(registration.getEndpoint()),
                registration.getSubmissionIndex(),
                list(registration.getWorkersList(), WorkerId::new));
    }

    public static ResourceManagerProto.RequirementsDeclaration to(RequirementsDeclaration declaration) {
        return ResourceManagerProto.RequirementsDeclaration.newBuilder()
                .setJob(declaration.job().value())
                .setJobMaster(CommonWire.to(declaration.jobMaster()))
                .setSequence(declaration.sequence())
                .setSubmissionIndex(declaration.submissionIndex())
                .setPool(declaration.pool())
                .setQueue(declaration.queue())
                .setPriority(declaration.priority())
                .putAllLabels(declaration.labels())
                .addAllUnits(list(
                        declaration.units(),
                        unit -> ResourceManagerProto.UnitRequirement.newBuilder()
                                .setUnit(unit.unit())
                                .addAllGroups(list(unit.groups(), ResourceManagerWire::to))
                                .build()))
                .build();
    }

    public static RequirementsDeclaration from(ResourceManagerProto.RequirementsDeclaration declaration) {
        return new RequirementsDeclaration(
                new JobId(declaration.getJob()),
                CommonWire.jobMasterId(declaration.getJobMaster()),
                declaration.getSequence(),
                declaration.getSubmissionIndex(),
                declaration.getPool(),
                declaration.getQueue(),
                declaration.getPriority(),
                new TreeMap<>(declaration.getLabelsMap()),
                list(
                        declaration.getUnitsList(),
                        unit -> new UnitRequirement(
                                unit.getUnit(), list(unit.getGroupsList(), ResourceManagerWire::from))));
    }

    private static ResourceManagerProto.GroupRequirement to(GroupRequirement group) {
        return ResourceManagerProto.GroupRequirement.newBuilder()
                .setGroup(group.group())
                .setProfile(CommonWire.to(group.profile()))
                .setMinimum(group.minimum())
                .setDesired(group.desired())
                .build();
    }

    private static GroupRequirement from(ResourceManagerProto.GroupRequirement group) {
        return new GroupRequirement(
                group.getGroup(), CommonWire.from(group.getProfile()), group.getMinimum(), group.getDesired());
    }

    public static ResourceManagerProto.JobMasterGone jobMasterGone(JobId job, JobMasterId jobMaster, String cause) {
        return ResourceManagerProto.JobMasterGone.newBuilder()
                .setJob(job.value())
                .setJobMaster(CommonWire.to(jobMaster))
                .setCause(cause)
                .build();
    }

    public static ResourceManagerProto.ClusterView to(ClusterDetails details) {
        return ResourceManagerProto.ClusterView.newBuilder()
                .addAllWorkers(list(details.workers(), ResourceManagerWire::to))
                .addAllSlots(list(details.slots(), ResourceManagerWire::to))
                .setNext(details.next().map(WorkerId::value).orElse(""))
                .putAllWorkerStates(details.workerStates())
                .putAllSlotStates(details.slotStates())
                .build();
    }

    public static ResourceManagerProto.ClusterQuery to(ClusterQuery query) {
        return ResourceManagerProto.ClusterQuery.newBuilder()
                .setAfter(query.after().map(WorkerId::value).orElse(""))
                .setWorkers(query.workers())
                .setSlots(query.slots())
                .build();
    }

    private static Optional<WorkerId> worker(String id) {
        return id.isEmpty() ? Optional.empty() : Optional.of(new WorkerId(id));
    }

    public static ClusterQuery from(ResourceManagerProto.ClusterQuery query) {
        return new ClusterQuery(worker(query.getAfter()), query.getWorkers(), query.getSlots());
    }

    public static ClusterDetails from(ResourceManagerProto.ClusterView view) {
        return new ClusterDetails(
                list(view.getWorkersList(), ResourceManagerWire::from),
                list(view.getSlotsList(), ResourceManagerWire::from),
                worker(view.getNext()),
                new TreeMap<>(view.getWorkerStatesMap()),
                new TreeMap<>(view.getSlotStatesMap()));
    }

    public static ResourceManagerProto.WorkersToBlock toBlock(String target, long millis, String reason) {
        return ResourceManagerProto.WorkersToBlock.newBuilder()
                .setTarget(target)
                .setMillis(millis)
                .setReason(reason)
                .build();
    }

    public static ResourceManagerProto.WorkerBlocks blocks(List<WorkerBlock> blocks) {
        return ResourceManagerProto.WorkerBlocks.newBuilder()
                .addAllBlocks(list(
                        blocks,
                        block -> ResourceManagerProto.WorkerBlock.newBuilder()
                                .setWorker(block.worker().value())
                                .setMillis(block.millis())
                                .setReason(block.reason())
                                .build()))
                .build();
    }

    public static List<WorkerBlock> from(ResourceManagerProto.WorkerBlocks blocks) {
        return list(
                blocks.getBlocksList(),
                block -> new WorkerBlock(new WorkerId(block.getWorker()), block.getMillis(), block.getReason()));
    }

    private static ResourceManagerProto.WorkerDetails to(ClusterDetails.WorkerDetails worker) {
        return ResourceManagerProto.WorkerDetails.newBuilder()
                .setId(worker.id())
                .setState(worker.state())
                .setBackend(worker.backend())
                .setSpec(worker.spec())
                .setAddress(worker.address())
                .setTotal(worker.total())
                .setFree(worker.free())
                .setSlots(worker.slots())
                .setRegisteredMillis(worker.registeredMillis())
                .setLastHeartbeatAgeMillis(worker.lastHeartbeatAgeMillis())
                .putAllLabels(worker.labels())
                .setBlockedMillis(worker.blockedMillis())
                .setBlockedReason(worker.blockedReason())
                .build();
    }

    private static ClusterDetails.WorkerDetails from(ResourceManagerProto.WorkerDetails worker) {
        return new ClusterDetails.WorkerDetails(
                worker.getId(),
                worker.getState(),
                worker.getBackend(),
                worker.getSpec(),
                worker.getAddress(),
                worker.getTotal(),
                worker.getFree(),
                worker.getSlots(),
                worker.getRegisteredMillis(),
                worker.getLastHeartbeatAgeMillis(),
                new TreeMap<>(worker.getLabelsMap()),
                worker.getBlockedMillis(),
                worker.getBlockedReason());
    }

    private static ResourceManagerProto.SlotDetails to(ClusterDetails.SlotDetails slot) {
        return ResourceManagerProto.SlotDetails.newBuilder()
                .setAllocation(slot.allocation())
                .setWorker(slot.worker())
                .setJob(slot.job())
                .setUnit(slot.unit())
                .setGroup(slot.group())
                .setProfile(slot.profile())
                .setState(slot.state())
                .setDecision(slot.decision())
                .build();
    }

    private static ClusterDetails.SlotDetails from(ResourceManagerProto.SlotDetails slot) {
        return new ClusterDetails.SlotDetails(
                slot.getAllocation(),
                slot.getWorker(),
                slot.getJob(),
                slot.getUnit(),
                slot.getGroup(),
                slot.getProfile(),
                slot.getState(),
                slot.getDecision());
    }
}
