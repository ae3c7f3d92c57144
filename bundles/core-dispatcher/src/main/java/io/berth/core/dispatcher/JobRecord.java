package io.berth.core.dispatcher;

import io.berth.core.api.gateway.JobMasterGateway;
import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobDetails.GroupDetails;
import io.berth.core.api.job.JobDetails.Transition;
import io.berth.core.api.job.JobDetails.VertexDetails;
import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.job.Reason;
import io.berth.core.api.job.ReasonCode;
import io.berth.core.api.job.Waiting;
import io.berth.core.api.rpc.EndpointRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** What the Dispatcher keeps of one job. Belongs to the Dispatcher's main thread. */
final class JobRecord {

    private final JobGraph graph;
    private final long submittedMillis;
    private JobDetails details;
    private boolean starting;
    private int startAttempts;
    private boolean missing;
    private Optional<Waiting> beforeJobMaster = Optional.empty();
    private Optional<String> cancelCause = Optional.empty();
    private Optional<EndpointRef> endpoint = Optional.empty();
    private Optional<JobMasterGateway> jobMaster = Optional.empty();

    JobRecord(JobGraph graph, long submittedMillis) {
        this.graph = graph;
        this.submittedMillis = submittedMillis;
        this.details = new JobDetails(
                graph.id(),
                graph.name(),
                graph.pool(),
                graph.queue(),
                graph.priority(),
                graph.submissionIndex(),
                JobStatus.CREATED,
                submittedMillis,
                0,
                0,
                0,
                0,
                0,
                "",
                Waiting.since(
                        submittedMillis,
                        Reason.of(ReasonCode.NOT_ATTEMPTED, "not attempted yet: its JobMaster is being started")),
                graph.vertices().stream()
                        .map(v -> new VertexDetails(
                                v.name(), v.operator(), v.minimum(), v.desired(), v.maximum(), 0, 0, 0, 0, 0, 0))
                        .toList(),
                graph.groups().stream().map(group -> groupDetails(graph, group)).toList(),
                List.of(),
                new TreeMap<>(),
                List.of(new Transition(submittedMillis, JobStatus.CREATED, "")));
    }

    private static GroupDetails groupDetails(JobGraph graph, JobGraph.SlotSharingGroup group) {
        int minimum = 0;
        int desired = 0;
        for (JobGraph.JobVertex vertex : graph.vertices()) {
            if (vertex.group().equals(group.name())) {
                minimum = Math.max(minimum, vertex.minimum());
                desired = Math.max(desired, vertex.desired());
            }
        }
        return new GroupDetails(group.name(), group.profile().toString(), minimum, desired, 0);
    }

    JobGraph graph() {
        return graph;
    }

    long submittedMillis() {
        return submittedMillis;
    }

    JobDetails details() {
        return details;
    }

    boolean ended() {
        return details.status().isTerminal();
    }

    /**
     * Newer details of the job; those of an ended job stay as they are. What kept a job that never ran before it had a
     * JobMaster stays its first cause.
     */
    void update(JobDetails newer) {
        if (ended()) {
            return;
        }
        boolean sameWait = newer.startedMillis() == 0 && !newer.waiting().equals(Waiting.NOT);
        details = beforeJobMaster
                .filter(earlier -> sameWait)
                .map(earlier -> newer.with(new Waiting(
                        earlier.first(),
                        earlier.firstMillis(),
                        newer.waiting().current(),
                        newer.waiting().currentMillis())))
                .orElse(newer);
    }

    /** The end of a job whose JobMaster cannot tell. */
    void end(JobStatus status, String reason, long wallMillis) {
        note(status, reason, wallMillis);
        details = copy(status, wallMillis, reason, details.history());
    }

    /** Why the job does not go on; its state stays. */
    void waits(String reason, long wallMillis) {
        details = copy(details.status(), 0, reason, details.history())
                .with(details.waiting().next(wallMillis, Reason.of(ReasonCode.NO_JOB_MASTER, reason)));
        beforeJobMaster = Optional.of(details.waiting());
    }

    private void note(JobStatus status, String reason, long wallMillis) {
        List<Transition> history = new ArrayList<>(details.history());
        history.add(new Transition(wallMillis, status, reason));
        details = copy(details.status(), details.endedMillis(), details.reason(), history);
    }

    private JobDetails copy(JobStatus status, long endedMillis, String reason, List<Transition> history) {
        JobDetails d = details;
        return new JobDetails(d.id(), d.name(), d.pool(), d.queue(), d.priority(), d.submissionIndex(), status,
                d.submittedMillis(), d.startedMillis(), endedMillis, d.restarts(), d.rescales(), d.runMillis(), reason,
                status.isTerminal() ? Waiting.NOT : d.waiting(),
                d.vertices(), d.groups(), status.isTerminal() ? List.of() : d.slots(), d.counters(), history);
    }

    boolean starting() {
        return starting;
    }

    /** Returns the number of this attempt, from 1. */
    int startBegins() {
        starting = true;
        return ++startAttempts;
    }

    void startFails() {
        starting = false;
    }

    void startSucceeds(EndpointRef started, JobMasterGateway gateway) {
        starting = false;
        endpoint = Optional.of(started);
        jobMaster = Optional.of(gateway);
    }

    Optional<EndpointRef> endpoint() {
        return endpoint;
    }

    Optional<JobMasterGateway> jobMaster() {
        return jobMaster;
    }

    Optional<String> cancelCause() {
        return cancelCause;
    }

    void cancel(String cause, long wallMillis) {
        cancelCause = Optional.of(cause);
        if (jobMaster.isEmpty()) {
            details = details.with(details.waiting()
                    .next(wallMillis, Reason.of(ReasonCode.CANCELING, "is being cancelled, " + cause)));
        }
    }

    boolean missing() {
        return missing;
    }

    void missing(boolean now) {
        missing = now;
    }
}
