package io.berth.core.rpc.wire;

import static io.berth.core.rpc.wire.CommonWire.list;

import com.google.protobuf.ByteString;
import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.WorkerSessionId;
import io.berth.core.api.gateway.JobMasterGateway.NotEnoughResources;
import io.berth.core.api.gateway.JobMasterGateway.SlotOffer;
import io.berth.core.api.gateway.JobMasterGateway.SlotOffers;
import io.berth.core.api.gateway.JobMasterGateway.TaskUpdate;
import io.berth.core.api.gateway.JobMasterGateway.WorkerAtJob;
import io.berth.core.api.gateway.JobMastersGateway.JobStart;
import io.berth.core.api.task.AttemptId;
import io.berth.core.api.task.FailureKind;
import io.berth.core.api.task.SplitPart;
import io.berth.core.api.task.TaskContext.SplitAnswer;
import io.berth.core.rpc.proto.CommonProto;
import io.berth.core.rpc.proto.JobMasterProto;
import io.berth.core.rpc.proto.JobMastersProto;
import io.berth.spi.AllocationId;
import io.berth.spi.WorkerId;
import java.util.List;

/** Messages of a JobMaster's gateway and of the role that runs JobMasters. */
public final class JobMasterWire {

    private JobMasterWire() {}

    public static JobMasterProto.WorkerAtJob to(WorkerAtJob worker) {
        return JobMasterProto.WorkerAtJob.newBuilder()
                .setWorker(worker.worker().value())
                .setSession(CommonWire.to(worker.session()))
                .setEndpoint(CommonWire.to(worker.endpoint()))
                .setDataAddress(worker.dataAddress())
                .setTotal(CommonWire.to(worker.total()))
                .setMaxChannelEnds(worker.maxChannelEnds())
                .build();
    }

    public static WorkerAtJob from(JobMasterProto.WorkerAtJob worker) {
        return new WorkerAtJob(
                new WorkerId(worker.getWorker()),
                CommonWire.workerSessionId(worker.getSession()),
                CommonWire.from(worker.getEndpoint()),
                worker.getDataAddress(),
                CommonWire.from(worker.getTotal()),
                worker.getMaxChannelEnds());
    }

    public static JobMasterProto.SlotOffers to(SlotOffers offers) {
        return JobMasterProto.SlotOffers.newBuilder()
                .setWorker(offers.worker().value())
                .setSession(CommonWire.to(offers.session()))
                .setNumber(offers.number())
                .addAllOffers(list(
                        offers.offers(),
                        offer -> JobMasterProto.SlotOffer.newBuilder()
                                .setAllocation(CommonWire.to(offer.allocation()))
                                .setUnit(offer.unit())
                                .setGroup(offer.group())
                                .setProfile(CommonWire.to(offer.profile()))
                                .setDecision(offer.decision())
                                .build()))
                .build();
    }

    public static SlotOffers from(JobMasterProto.SlotOffers offers) {
        return new SlotOffers(
                new WorkerId(offers.getWorker()),
                CommonWire.workerSessionId(offers.getSession()),
                offers.getNumber(),
                list(
                        offers.getOffersList(),
                        offer -> new SlotOffer(
                                CommonWire.from(offer.getAllocation()),
                                offer.getUnit(),
                                offer.getGroup(),
                                CommonWire.from(offer.getProfile()),
                                offer.getDecision())));
    }

    public static JobMasterProto.FailedSlot failedSlot(
            WorkerId worker, WorkerSessionId session, AllocationId allocation, String cause) {
        return JobMasterProto.FailedSlot.newBuilder()
                .setWorker(worker.value())
                .setSession(CommonWire.to(session))
                .setAllocation(CommonWire.to(allocation))
                .setCause(cause)
                .build();
    }

    public static JobMasterProto.TaskUpdate to(TaskUpdate update) {
        return JobMasterProto.TaskUpdate.newBuilder()
                .setWorker(update.worker().value())
                .setAttempt(CommonWire.to(update.attempt()))
                .setState(CommonWire.to(update.state()))
                .setCause(update.cause())
                .setConsequence(update.kind() == FailureKind.CONSEQUENCE)
                .setPermanent(update.kind() == FailureKind.PERMANENT)
                .addAllCommittables(list(update.committables(), CommonWire::to))
                .setMetrics(CommonWire.to(update.metrics()))
                .build();
    }

    public static TaskUpdate from(JobMasterProto.TaskUpdate update) {
        return new TaskUpdate(
                new WorkerId(update.getWorker()),
                CommonWire.from(update.getAttempt()),
                CommonWire.from(update.getState()),
                update.getCause(),
                kind(update),
                list(update.getCommittablesList(), CommonWire::from),
                CommonWire.from(update.getMetrics()));
    }

    /** A worker of an earlier version says only whether it is a consequence. */
    private static FailureKind kind(JobMasterProto.TaskUpdate update) {
        if (update.getConsequence()) {
            return FailureKind.CONSEQUENCE;
        }
        return update.getPermanent() ? FailureKind.PERMANENT : FailureKind.TRANSIENT;
    }

    public static JobMasterProto.Splits splits(AttemptId attempt, String vertex, SplitPart part) {
        return JobMasterProto.Splits.newBuilder()
                .setAttempt(CommonWire.to(attempt))
                .setVertex(vertex)
                .addAllSplits(list(part.splits(), ByteString::copyFrom))
                .setFrom(part.from())
                .setLast(part.last())
                .build();
    }

    public static SplitPart splits(JobMasterProto.Splits splits) {
        return new SplitPart(splits.getFrom(), list(splits.getSplitsList(), ByteString::toByteArray), splits.getLast());
    }

    public static JobMasterProto.SplitRequest splitRequest(AttemptId attempt, String vertex, long number) {
        return JobMasterProto.SplitRequest.newBuilder()
                .setAttempt(CommonWire.to(attempt))
                .setVertex(vertex)
                .setNumber(number)
                .build();
    }

    public static JobMasterProto.SplitAnswer to(SplitAnswer answer) {
        JobMasterProto.SplitAnswer.Builder message = JobMasterProto.SplitAnswer.newBuilder();
        if (answer instanceof SplitAnswer.Assigned assigned) {
            message.setAssigned(ByteString.copyFrom(assigned.split()));
        } else if (answer instanceof SplitAnswer.NotYet) {
            message.setNotYet(CommonProto.Empty.getDefaultInstance());
        } else if (answer instanceof SplitAnswer.Exhausted) {
            message.setExhausted(CommonProto.Empty.getDefaultInstance());
        }
        return message.build();
    }

    public static SplitAnswer from(JobMasterProto.SplitAnswer answer) {
        return switch (answer.getOutcomeCase()) {
            case ASSIGNED -> new SplitAnswer.Assigned(answer.getAssigned().toByteArray());
            case NOT_YET -> new SplitAnswer.NotYet();
            case EXHAUSTED -> new SplitAnswer.Exhausted();
            case OUTCOME_NOT_SET -> throw new IllegalArgumentException("the answer to a request for a split is empty");
        };
    }

    public static JobMasterProto.MissingResources to(NotEnoughResources notice) {
        return JobMasterProto.MissingResources.newBuilder()
                .setResourceManager(CommonWire.to(notice.resourceManager()))
                .setSequence(notice.sequence())
                .setNumber(notice.number())
                .setAcquired(notice.acquired())
                .setWhy(JobWire.to(notice.why()))
                .build();
    }

    public static NotEnoughResources from(JobMasterProto.MissingResources notice) {
        return new NotEnoughResources(
                CommonWire.resourceManagerId(notice.getResourceManager()),
                notice.getSequence(),
                notice.getNumber(),
                notice.getAcquired(),
                JobWire.from(notice.getWhy()));
    }

    public static JobMasterProto.SlotReturn slotReturn(
            ResourceManagerId resourceManager, List<AllocationId> allocations, String cause) {
        return JobMasterProto.SlotReturn.newBuilder()
                .setResourceManager(CommonWire.to(resourceManager))
                .addAllAllocations(list(allocations, CommonWire::to))
                .setCause(cause)
                .build();
    }

    public static JobMasterProto.LostWorker lostWorker(
            ResourceManagerId resourceManager, WorkerId worker, WorkerSessionId session, String cause) {
        return JobMasterProto.LostWorker.newBuilder()
                .setResourceManager(CommonWire.to(resourceManager))
                .setWorker(worker.value())
                .setSession(CommonWire.to(session))
                .setCause(cause)
                .build();
    }

    public static JobMasterProto.BlockedWorkers blockedWorkers(
            ResourceManagerId resourceManager, long number, List<WorkerId> workers) {
        return JobMasterProto.BlockedWorkers.newBuilder()
                .setResourceManager(CommonWire.to(resourceManager))
                .setNumber(number)
                .addAllWorkers(list(workers, WorkerId::value))
                .build();
    }

    public static JobMasterProto.Cancellation cancellation(String cause) {
        return JobMasterProto.Cancellation.newBuilder().setCause(cause).build();
    }

    public static JobMastersProto.JobStart to(JobStart start) {
        return JobMastersProto.JobStart.newBuilder()
                .setGraph(JobWire.to(start.graph()))
                .setSubmittedMillis(start.submittedMillis())
                .setDispatcher(CommonWire.to(start.dispatcher()))
                .build();
    }

    public static JobStart from(JobMastersProto.JobStart start) {
        return new JobStart(
                JobWire.from(start.getGraph()), start.getSubmittedMillis(), CommonWire.from(start.getDispatcher()));
    }
}
