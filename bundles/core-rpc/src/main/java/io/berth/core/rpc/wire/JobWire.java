package io.berth.core.rpc.wire;

import static io.berth.core.rpc.wire.CommonWire.list;

import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobGraph.Partitioning;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.job.Reason;
import io.berth.core.api.job.ReasonCode;
import io.berth.core.api.job.Waiting;
import io.berth.core.rpc.proto.JobProto;
import io.berth.spi.JobId;
import io.berth.spi.PolicyKind;
import java.util.SortedMap;
import java.util.TreeMap;

/** Descriptions of jobs and what is known of their state. */
public final class JobWire {

    private JobWire() {}

    public static JobProto.JobGraph to(JobGraph graph) {
        JobProto.JobGraph.Builder message = JobProto.JobGraph.newBuilder()
                .setId(graph.id().value())
                .setName(graph.name())
                .setSubmissionIndex(graph.submissionIndex())
                .setQueue(graph.queue())
                .setPool(graph.pool())
                .setPriority(graph.priority())
                .putAllLabels(graph.labels())
                .addAllBundles(list(graph.bundles(), CommonWire::to))
                .addAllVertices(list(graph.vertices(), JobWire::to))
                .addAllEdges(list(
                        graph.edges(),
                        edge -> JobProto.JobEdge.newBuilder()
                                .setFrom(edge.from())
                                .setTo(edge.to())
                                .setPartitioning(to(edge.partitioning()))
                                .build()))
                .addAllGroups(list(
                        graph.groups(),
                        group -> JobProto.SlotSharingGroup.newBuilder()
                                .setName(group.name())
                                .setProfile(CommonWire.to(group.profile()))
                                .build()));
        graph.policies().forEach((kind, selector) -> message.putPolicies(kind.label(), selector));
        return message.build();
    }

    public static JobGraph from(JobProto.JobGraph graph) {
        SortedMap<PolicyKind, String> policies = new TreeMap<>();
        graph.getPoliciesMap().forEach((label, selector) -> policies.put(policyKind(label), selector));
        return new JobGraph(
                new JobId(graph.getId()),
                graph.getName(),
                graph.getSubmissionIndex(),
                graph.getQueue(),
                graph.getPool(),
                graph.getPriority(),
                new TreeMap<>(graph.getLabelsMap()),
                policies,
                list(graph.getBundlesList(), CommonWire::from),
                list(graph.getVerticesList(), JobWire::from),
                list(
                        graph.getEdgesList(),
                        edge -> new JobGraph.JobEdge(edge.getFrom(), edge.getTo(), from(edge.getPartitioning()))),
                list(
                        graph.getGroupsList(),
                        group -> new JobGraph.SlotSharingGroup(group.getName(), CommonWire.from(group.getProfile()))));
    }

    private static PolicyKind policyKind(String label) {
        for (PolicyKind kind : PolicyKind.values()) {
            if (kind.label().equals(label)) {
                return kind;
            }
        }
        throw new IllegalArgumentException("policy kind '" + label + "' is not known in this protocol version");
    }

    private static JobProto.JobVertex to(JobGraph.JobVertex vertex) {
        return JobProto.JobVertex.newBuilder()
                .setName(vertex.name())
                .setOperator(vertex.operator())
                .setMinimum(vertex.minimum())
                .setDesired(vertex.desired())
                .setMaximum(vertex.maximum())
                .setMaxParallelism(vertex.maxParallelism())
                .setGroup(vertex.group())
                .putAllConfiguration(vertex.configuration())
                .build();
    }

    private static JobGraph.JobVertex from(JobProto.JobVertex vertex) {
        return new JobGraph.JobVertex(
                vertex.getName(),
                vertex.getOperator(),
                vertex.getMinimum(),
                vertex.getDesired(),
                vertex.getMaximum(),
                vertex.getMaxParallelism(),
                vertex.getGroup(),
                new TreeMap<>(vertex.getConfigurationMap()));
    }

    static JobProto.Partitioning to(Partitioning partitioning) {
        return JobProto.Partitioning.valueOf("PARTITIONING_" + partitioning.name());
    }

    static Partitioning from(JobProto.Partitioning partitioning) {
        return Partitioning.valueOf(
                CommonWire.known(partitioning, JobProto.Partitioning.UNRECOGNIZED, "PARTITIONING_"));
    }

    private static JobProto.JobStatus to(JobStatus status) {
        return JobProto.JobStatus.valueOf("JOB_STATUS_" + status.name());
    }

    private static JobStatus from(JobProto.JobStatus status) {
        return JobStatus.valueOf(CommonWire.known(status, JobProto.JobStatus.UNRECOGNIZED, "JOB_STATUS_"));
    }

    public static JobProto.JobDetails to(JobDetails details) {
        return JobProto.JobDetails.newBuilder()
                .setId(details.id().value())
                .setName(details.name())
                .setPool(details.pool())
                .setQueue(details.queue())
                .setPriority(details.priority())
                .setSubmissionIndex(details.submissionIndex())
                .setStatus(to(details.status()))
                .setSubmittedMillis(details.submittedMillis())
                .setStartedMillis(details.startedMillis())
                .setEndedMillis(details.endedMillis())
                .setRestarts(details.restarts())
                .setRescales(details.rescales())
                .setRunMillis(details.runMillis())
                .setReason(details.reason())
                .setWaiting(JobProto.Waiting.newBuilder()
                        .setFirst(to(details.waiting().first()))
                        .setFirstMillis(details.waiting().firstMillis())
                        .setCurrent(to(details.waiting().current()))
                        .setCurrentMillis(details.waiting().currentMillis()))
                .addAllVertices(list(details.vertices(), JobWire::to))
                .addAllGroups(list(details.groups(), JobWire::to))
                .addAllSlots(list(details.slots(), JobWire::to))
                .putAllCounters(details.counters())
                .addAllHistory(list(
                        details.history(),
                        transition -> JobProto.Transition.newBuilder()
                                .setWallMillis(transition.wallMillis())
                                .setStatus(to(transition.status()))
                                .setReason(transition.reason())
                                .build()))
                .build();
    }

    public static JobDetails from(JobProto.JobDetails details) {
        return new JobDetails(
                new JobId(details.getId()),
                details.getName(),
                details.getPool(),
                details.getQueue(),
                details.getPriority(),
                details.getSubmissionIndex(),
                from(details.getStatus()),
                details.getSubmittedMillis(),
                details.getStartedMillis(),
                details.getEndedMillis(),
                details.getRestarts(),
                details.getRescales(),
                details.getRunMillis(),
                details.getReason(),
                new Waiting(
                        from(details.getWaiting().getFirst()),
                        details.getWaiting().getFirstMillis(),
                        from(details.getWaiting().getCurrent()),
                        details.getWaiting().getCurrentMillis()),
                list(details.getVerticesList(), JobWire::from),
                list(details.getGroupsList(), JobWire::from),
                list(details.getSlotsList(), JobWire::from),
                new TreeMap<>(details.getCountersMap()),
                list(
                        details.getHistoryList(),
                        transition -> new JobDetails.Transition(
                                transition.getWallMillis(), from(transition.getStatus()), transition.getReason())));
    }

    static JobProto.Reason to(Reason reason) {
        return JobProto.Reason.newBuilder()
                .setCode(reason.code().name())
                .setCount(reason.count())
                .setText(reason.text())
                .addAllCauses(list(reason.causes(), JobWire::to))
                .build();
    }

    static Reason from(JobProto.Reason reason) {
        return new Reason(
                reason.getCode().isEmpty() ? ReasonCode.NONE : ReasonCode.of(reason.getCode()),
                reason.getCount(),
                reason.getText(),
                list(reason.getCausesList(), JobWire::from));
    }

    private static JobProto.VertexDetails to(JobDetails.VertexDetails vertex) {
        return JobProto.VertexDetails.newBuilder()
                .setName(vertex.name())
                .setOperator(vertex.operator())
                .setMinimum(vertex.minimum())
                .setDesired(vertex.desired())
                .setMaximum(vertex.maximum())
                .setParallelism(vertex.parallelism())
                .setRunning(vertex.running())
                .setFinished(vertex.finished())
                .setRecordsIn(vertex.recordsIn())
                .setRecordsOut(vertex.recordsOut())
                .setExchangedIn(vertex.exchangedIn())
                .build();
    }

    private static JobDetails.VertexDetails from(JobProto.VertexDetails vertex) {
        return new JobDetails.VertexDetails(
                vertex.getName(),
                vertex.getOperator(),
                vertex.getMinimum(),
                vertex.getDesired(),
                vertex.getMaximum(),
                vertex.getParallelism(),
                vertex.getRunning(),
                vertex.getFinished(),
                vertex.getRecordsIn(),
                vertex.getRecordsOut(),
                vertex.getExchangedIn());
    }

    private static JobProto.GroupDetails to(JobDetails.GroupDetails group) {
        return JobProto.GroupDetails.newBuilder()
                .setName(group.name())
                .setProfile(group.profile())
                .setMinimum(group.minimum())
                .setDesired(group.desired())
                .setAcquired(group.acquired())
                .build();
    }

    private static JobDetails.GroupDetails from(JobProto.GroupDetails group) {
        return new JobDetails.GroupDetails(
                group.getName(), group.getProfile(), group.getMinimum(), group.getDesired(), group.getAcquired());
    }

    private static JobProto.JobSlotDetails to(JobDetails.SlotDetails slot) {
        return JobProto.JobSlotDetails.newBuilder()
                .setAllocation(slot.allocation())
                .setWorker(slot.worker())
                .setGroup(slot.group())
                .setProfile(slot.profile())
                .setDecision(slot.decision())
                .build();
    }

    private static JobDetails.SlotDetails from(JobProto.JobSlotDetails slot) {
        return new JobDetails.SlotDetails(
                slot.getAllocation(), slot.getWorker(), slot.getGroup(), slot.getProfile(), slot.getDecision());
    }
}
