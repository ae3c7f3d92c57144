package io.berth.core.dispatcher.state;

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
import io.berth.core.dispatcher.store.JobKey;
import io.berth.core.dispatcher.store.LiveJob;
import io.berth.core.dispatcher.store.PreviousRuns;
import io.berth.spi.JobId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A job that lives, as the Dispatcher sees it. Belongs to the Dispatcher's main thread. */
public final class JobRecord {

    /** Where the JobMaster of the job is, and under which term of its role it was started. */
    public record Place(EndpointRef role, EndpointRef endpoint, JobMasterGateway jobMaster) {}

    private final JobGraph graph;
    private final long submittedMillis;
    private final PlacementAttempts attempts = new PlacementAttempts();
    private PreviousRuns past;
    private JobDetails details;
    private Optional<Waiting> beforeJobMaster = Optional.empty();
    private Optional<String> cancelCause;
    private Optional<Place> place = Optional.empty();
    private CompletableFuture<Void> placed = new CompletableFuture<>();
    private boolean mayRun;
    private long heardMillis;
    private Optional<CompletableFuture<Void>> ending = Optional.empty();

    /**
     * @param mayRun whether an earlier Dispatcher may have started its JobMaster
     */
    public JobRecord(LiveJob job, boolean mayRun) {
        graph = job.graph();
        submittedMillis = job.submittedMillis();
        cancelCause = job.cancelCause();
        past = job.past();
        this.mayRun = mayRun;
        boolean ran = past.startedMillis() > 0;
        details = past.with(shown(
                ran ? JobStatus.RESTARTING : JobStatus.CREATED,
                "",
                Waiting.since(
                        submittedMillis,
                        Reason.of(
                                ReasonCode.NOT_ATTEMPTED,
                                mayRun
                                        ? "not attempted yet: the Dispatcher was started again and looks for its JobMaster"
                                        : "not attempted yet: its JobMaster is being started")),
                past.history().isEmpty()
                        ? List.of(new Transition(submittedMillis, JobStatus.CREATED, ""))
                        : List.of()));
    }

    private JobDetails shown(JobStatus status, String reason, Waiting waiting, List<Transition> history) {
        return JobDetails.of(graph)
                .status(status)
                .submittedMillis(submittedMillis)
                .reason(reason)
                .waiting(waiting)
                .vertices(graph.vertices().stream()
                        .map(v -> new VertexDetails(
                                v.name(), v.operator(), v.minimum(), v.desired(), v.maximum(), 0, 0, 0, 0, 0, 0))
                        .toList())
                .groups(graph.groups().stream()
                        .map(group -> groupDetails(graph, group))
                        .toList())
                .history(history)
                .build();
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

    public JobId id() {
        return graph.id();
    }

    JobKey key() {
        return new JobKey(graph.submissionIndex(), graph.id());
    }

    public JobGraph graph() {
        return graph;
    }

    public long submittedMillis() {
        return submittedMillis;
    }

    public JobDetails details() {
        return details;
    }

    /**
     * Newer details from its JobMaster. What kept a job that never ran before it had a JobMaster stays its first cause.
     */
    public void update(JobDetails newer) {
        details = merged(newer);
    }

    /** What users see when its JobMaster tells this. */
    public JobDetails merged(JobDetails newer) {
        boolean sameWait = newer.startedMillis() == 0 && !newer.waiting().equals(Waiting.NOT);
        return past.with(beforeJobMaster
                .filter(earlier -> sameWait)
                .map(earlier -> newer.with(new Waiting(
                        earlier.first(),
                        earlier.firstMillis(),
                        newer.waiting().current(),
                        newer.waiting().currentMillis())))
                .orElse(newer));
    }

    /** How it ends when no JobMaster can tell. */
    public JobDetails ended(JobStatus status, String reason, long wallMillis) {
        List<Transition> history = new ArrayList<>(details.history());
        history.add(new Transition(wallMillis, status, reason));
        return details.change()
                .status(status)
                .endedMillis(wallMillis)
                .reason(reason)
                .waiting(Waiting.NOT)
                .slots(List.of())
                .history(history)
                .build();
    }

    /** Why the job does not go on; its state stays. */
    public void waits(String reason, long wallMillis) {
        details = details.change().endedMillis(0).reason(reason).build();
        if (place.isEmpty()) {
            details = details.with(details.waiting().next(wallMillis, Reason.of(ReasonCode.NO_JOB_MASTER, reason)));
            beforeJobMaster = Optional.of(details.waiting());
        }
    }

    // Cancel

    public Optional<String> cancelCause() {
        return cancelCause;
    }

    public void cancel(String cause, long wallMillis) {
        cancelCause = Optional.of(cancelCause.orElse(cause));
        if (place.isEmpty()) {
            details = details.with(
                    details.waiting().next(wallMillis, Reason.of(ReasonCode.CANCELING, "is being canceled, " + cause)));
        }
    }

    // JobMaster

    public PlacementAttempts attempts() {
        return attempts;
    }

    public Optional<Place> place() {
        return place;
    }

    /** Whether there may be a JobMaster that this Dispatcher has not started, or has lost sight of. */
    public boolean mayRun() {
        return mayRun;
    }

    /** Completes when the job has a JobMaster that is known here, or ends without one. */
    public CompletionStage<Void> placed() {
        return placed;
    }

    public void runsAt(Place now, long millis) {
        place = Optional.of(now);
        mayRun = true;
        heardMillis = millis;
        placed.complete(null);
    }

    public PreviousRuns past() {
        return past;
    }

    /** What its next JobMaster would have to be told when the present one is lost now. */
    public PreviousRuns pastAfterLoss(String reason, long wallMillis) {
        return PreviousRuns.of(details, wallMillis, reason);
    }

    /** Its JobMaster is gone; the next one follows. */
    public void lost(PreviousRuns newPast, String reason, long wallMillis) {
        past = newPast;
        place = Optional.empty();
        if (placed.isDone()) {
            placed = new CompletableFuture<>();
        }
        mayRun = false;
        Waiting waiting = Waiting.since(wallMillis, Reason.of(ReasonCode.NO_JOB_MASTER, reason));
        beforeJobMaster = past.startedMillis() > 0 ? Optional.empty() : Optional.of(waiting);
        details = past.with(
                shown(past.startedMillis() > 0 ? JobStatus.RESTARTING : JobStatus.CREATED, reason, waiting, List.of()));
    }

    /** The past as it is to be kept when the job ran for the first time and that is not kept yet. */
    public Optional<PreviousRuns> startedNow() {
        if (past.startedMillis() > 0 || details.startedMillis() == 0) {
            return Optional.empty();
        }
        past = past.started(details.startedMillis());
        return Optional.of(past);
    }

    public void heard(long millis) {
        heardMillis = millis;
    }

    public long lastReportMillis() {
        return heardMillis;
    }

    // End

    /** Present from when it is known how the job ended until that is kept. */
    public Optional<CompletableFuture<Void>> ending() {
        return ending;
    }

    public void endBegins(CompletableFuture<Void> kept) {
        ending = Optional.of(kept);
        placed.complete(null);
    }
}
