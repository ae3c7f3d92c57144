package io.berth.core.rpc.wire;

import com.google.protobuf.ByteString;
import io.berth.core.api.BundleRef;
import io.berth.core.api.FencingToken;
import io.berth.core.api.InstanceId;
import io.berth.core.api.JobMasterId;
import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.WorkerSessionId;
import io.berth.core.api.gateway.Acknowledge;
import io.berth.core.api.gateway.RegistrationResponse;
import io.berth.core.api.gateway.SlotReport;
import io.berth.core.api.policy.MatchingRule;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.core.api.task.AttemptId;
import io.berth.core.api.task.TaskContext.Committable;
import io.berth.core.api.task.TaskMetrics;
import io.berth.core.api.task.TaskState;
import io.berth.core.rpc.proto.CommonProto;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;

/**
 * Values that several gateways speak of. {@code from} methods fail with {@link IllegalArgumentException} on what no
 * sender of this protocol version sends.
 */
public final class CommonWire {

    private CommonWire() {}

    public static <A, B> List<B> list(List<A> values, Function<? super A, ? extends B> conversion) {
        return values.stream().<B>map(conversion).toList();
    }

    public static CommonProto.FencingToken to(FencingToken token) {
        ByteBuffer id = ByteBuffer.allocate(16);
        id.putLong(token.id().getMostSignificantBits())
                .putLong(token.id().getLeastSignificantBits())
                .flip();
        return CommonProto.FencingToken.newBuilder()
                .setEpoch(token.epoch())
                .setId(ByteString.copyFrom(id))
                .build();
    }

    public static FencingToken from(CommonProto.FencingToken token) {
        if (token.getId().size() != 16) {
            throw new IllegalArgumentException(
                    "the id of a token has " + token.getId().size() + " bytes: allowed are 16");
        }
        ByteBuffer id = token.getId().asReadOnlyByteBuffer();
        return new FencingToken(token.getEpoch(), new UUID(id.getLong(), id.getLong()));
    }

    public static CommonProto.FencingToken to(JobMasterId id) {
        return to(id.token());
    }

    public static CommonProto.FencingToken to(ResourceManagerId id) {
        return to(id.token());
    }

    public static CommonProto.FencingToken to(WorkerSessionId id) {
        return to(id.token());
    }

    public static JobMasterId jobMasterId(CommonProto.FencingToken token) {
        return new JobMasterId(from(token));
    }

    public static ResourceManagerId resourceManagerId(CommonProto.FencingToken token) {
        return new ResourceManagerId(from(token));
    }

    public static WorkerSessionId workerSessionId(CommonProto.FencingToken token) {
        return new WorkerSessionId(from(token));
    }

    public static CommonProto.Address to(RpcAddress address) {
        return CommonProto.Address.newBuilder()
                .setHost(address.host())
                .setPort(address.port())
                .build();
    }

    public static RpcAddress from(CommonProto.Address address) {
        return new RpcAddress(address.getHost(), address.getPort());
    }

    public static CommonProto.EndpointRef to(EndpointRef endpoint) {
        return CommonProto.EndpointRef.newBuilder()
                .setAddress(to(endpoint.address()))
                .setName(endpoint.name().value())
                .setToken(to(endpoint.token()))
                .build();
    }

    public static EndpointRef from(CommonProto.EndpointRef endpoint) {
        return new EndpointRef(
                from(endpoint.getAddress()), new EndpointName(endpoint.getName()), from(endpoint.getToken()));
    }

    public static CommonProto.AllocationId to(AllocationId allocation) {
        return CommonProto.AllocationId.newBuilder()
                .setEpoch(allocation.epoch())
                .setNumber(allocation.number())
                .build();
    }

    public static AllocationId from(CommonProto.AllocationId allocation) {
        return new AllocationId(allocation.getEpoch(), allocation.getNumber());
    }

    public static CommonProto.AllocationIds allocations(List<AllocationId> allocations) {
        return CommonProto.AllocationIds.newBuilder()
                .addAllAllocations(list(allocations, CommonWire::to))
                .build();
    }

    public static List<AllocationId> from(CommonProto.AllocationIds allocations) {
        return list(allocations.getAllocationsList(), CommonWire::from);
    }

    public static CommonProto.AttemptId to(AttemptId attempt) {
        return CommonProto.AttemptId.newBuilder()
                .setJob(attempt.job().value())
                .setChain(attempt.chain())
                .setSubtask(attempt.subtask())
                .setEpoch(attempt.epoch())
                .setExecution(attempt.execution())
                .build();
    }

    public static AttemptId from(CommonProto.AttemptId attempt) {
        return new AttemptId(
                new JobId(attempt.getJob()),
                attempt.getChain(),
                attempt.getSubtask(),
                attempt.getEpoch(),
                attempt.getExecution());
    }

    public static CommonProto.ResourceProfile to(ResourceProfile profile) {
        if (profile.isUnknown()) {
            return CommonProto.ResourceProfile.newBuilder().setUnknown(true).build();
        }
        return CommonProto.ResourceProfile.newBuilder()
                .setCpuMillis(profile.cpuMillis())
                .setHeapBytes(profile.heapBytes())
                .setOffHeapBytes(profile.offHeapBytes())
                .setManagedBytes(profile.managedBytes())
                .putAllExtended(profile.extended())
                .build();
    }

    public static ResourceProfile from(CommonProto.ResourceProfile profile) {
        if (profile.getUnknown()) {
            return ResourceProfile.UNKNOWN;
        }
        return new ResourceProfile(
                profile.getCpuMillis(),
                profile.getHeapBytes(),
                profile.getOffHeapBytes(),
                profile.getManagedBytes(),
                new TreeMap<>(profile.getExtendedMap()));
    }

    public static CommonProto.BundleRef to(BundleRef bundle) {
        return CommonProto.BundleRef.newBuilder()
                .setSha256(bundle.sha256())
                .setSize(bundle.size())
                .build();
    }

    public static BundleRef from(CommonProto.BundleRef bundle) {
        return new BundleRef(bundle.getSha256(), bundle.getSize());
    }

    public static CommonProto.Acknowledge to(Acknowledge acknowledge) {
        return CommonProto.Acknowledge.getDefaultInstance();
    }

    public static Acknowledge from(CommonProto.Acknowledge acknowledge) {
        return Acknowledge.ACKNOWLEDGE;
    }

    public static CommonProto.RegistrationResponse to(RegistrationResponse response) {
        CommonProto.RegistrationResponse.Builder message = CommonProto.RegistrationResponse.newBuilder();
        if (response instanceof RegistrationResponse.Accepted accepted) {
            message.setAccepted(CommonProto.RegistrationResponse.Accepted.newBuilder()
                    .setInstance(accepted.instance().number())
                    .setHeartbeatIntervalMillis(accepted.heartbeatIntervalMillis())
                    .setHeartbeatTimeoutMillis(accepted.heartbeatTimeoutMillis())
                    .setLooseMatching(accepted.matchingRule() == MatchingRule.LOOSE));
        } else if (response instanceof RegistrationResponse.Rejected rejected) {
            message.setRejected(rejected.reason());
        }
        return message.build();
    }

    public static RegistrationResponse from(CommonProto.RegistrationResponse response) {
        return switch (response.getOutcomeCase()) {
            case ACCEPTED ->
                new RegistrationResponse.Accepted(
                        new InstanceId(response.getAccepted().getInstance()),
                        response.getAccepted().getHeartbeatIntervalMillis(),
                        response.getAccepted().getHeartbeatTimeoutMillis(),
                        response.getAccepted().getLooseMatching() ? MatchingRule.LOOSE : MatchingRule.EXACT);
            case REJECTED -> new RegistrationResponse.Rejected(response.getRejected());
            case OUTCOME_NOT_SET -> throw new IllegalArgumentException("a registration's answer has no outcome");
        };
    }

    public static CommonProto.SlotReport to(SlotReport report) {
        return CommonProto.SlotReport.newBuilder()
                .addAllSlots(list(report.slots(), CommonWire::to))
                .build();
    }

    public static SlotReport from(CommonProto.SlotReport report) {
        return new SlotReport(list(report.getSlotsList(), CommonWire::from));
    }

    private static CommonProto.Slot to(SlotReport.Slot slot) {
        return CommonProto.Slot.newBuilder()
                .setAllocation(to(slot.allocation()))
                .setJob(slot.job().value())
                .setJobMaster(to(slot.jobMaster()))
                .setUnit(slot.unit())
                .setGroup(slot.group())
                .setProfile(to(slot.profile()))
                .setActive(slot.active())
                .setTasks(slot.tasks())
                .setDecision(slot.decision())
                .build();
    }

    private static SlotReport.Slot from(CommonProto.Slot slot) {
        return new SlotReport.Slot(
                from(slot.getAllocation()),
                new JobId(slot.getJob()),
                jobMasterId(slot.getJobMaster()),
                slot.getUnit(),
                slot.getGroup(),
                from(slot.getProfile()),
                slot.getActive(),
                slot.getTasks(),
                slot.getDecision());
    }

    public static CommonProto.TaskState to(TaskState state) {
        return CommonProto.TaskState.valueOf("TASK_STATE_" + state.name());
    }

    public static TaskState from(CommonProto.TaskState state) {
        return TaskState.valueOf(known(state, CommonProto.TaskState.UNRECOGNIZED, "TASK_STATE_"));
    }

    /** The name of a constant without its prefix. */
    static <E extends Enum<E>> String known(E value, E unrecognized, String prefix) {
        if (value == unrecognized) {
            throw new IllegalArgumentException("a message has a "
                    + value.getDeclaringClass().getSimpleName() + " that this protocol version does not know");
        }
        return value.name().substring(prefix.length());
    }

    public static CommonProto.TaskMetrics to(TaskMetrics metrics) {
        return CommonProto.TaskMetrics.newBuilder()
                .addAllOperators(list(
                        metrics.operators(),
                        operator -> CommonProto.OperatorMetrics.newBuilder()
                                .setVertex(operator.vertex())
                                .setRecordsIn(operator.recordsIn())
                                .setRecordsOut(operator.recordsOut())
                                .build()))
                .setExchangedIn(metrics.exchangedIn())
                .setExchangedOut(metrics.exchangedOut())
                .putAllCounters(metrics.counters())
                .build();
    }

    public static TaskMetrics from(CommonProto.TaskMetrics metrics) {
        return new TaskMetrics(
                list(
                        metrics.getOperatorsList(),
                        operator -> new TaskMetrics.OperatorMetrics(
                                operator.getVertex(), operator.getRecordsIn(), operator.getRecordsOut())),
                metrics.getExchangedIn(),
                metrics.getExchangedOut(),
                new TreeMap<>(metrics.getCountersMap()));
    }

    public static CommonProto.Committable to(Committable committable) {
        return CommonProto.Committable.newBuilder()
                .setVertex(committable.vertex())
                .setContent(ByteString.copyFrom(committable.content()))
                .build();
    }

    public static Committable from(CommonProto.Committable committable) {
        return new Committable(committable.getVertex(), committable.getContent().toByteArray());
    }

    public static CommonProto.ResourceManagerGone gone(ResourceManagerId resourceManager, String cause) {
        return CommonProto.ResourceManagerGone.newBuilder()
                .setResourceManager(to(resourceManager))
                .setCause(cause)
                .build();
    }

    public static CommonProto.ResourceManagerHeartbeat heartbeat(ResourceManagerId resourceManager) {
        return CommonProto.ResourceManagerHeartbeat.newBuilder()
                .setResourceManager(to(resourceManager))
                .build();
    }
}
