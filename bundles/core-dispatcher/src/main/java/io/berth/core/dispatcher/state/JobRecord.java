package io.berth.core.dispatcher.state;

import io.berth.core.api.gateway.JobMasterGateway;
import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobDetails.GroupDetails;
import io.berth.core.api.job.JobDetails.Transition;
import io.berth.core.api.job.JobDetails.VertexDetails;
import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.job.ParallelismBounds;
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

/** A live job. Confined to the main thread of the Dispatcher. */
public final class JobRecord {

    /** Where the JobMaster of the job runs, and the term of its role that started it. */
    public record Place(EndpointRef role, EndpointRef endpoint, JobMasterGateway jobMaster) {}

    private JobGraph graph;
    private boolean boundsInDoubt;
    private final long submittedMillis;
    private final PlacementAttempts attempts = new PlacementAttempts();
    private PreviousRuns past;
    private JobDetails details;
    private Optional<Waiting> waitBeforeJobMaster = Optional.empty();
    private Optional<String> cancelCause;
    private Optional<Place> place = Optional.empty();
    private CompletableFuture<Void> placed = new CompletableFuture<>();
    private boolean mayHaveJobMaster;
    private long lastReportMillis;
    private Optional<CompletableFuture<Void>> ending = Optional.empty();

    /**
     * @param mayHaveJobMaster whether an earlier Dispatcher may have started its JobMaster
     */
    public JobRecord(LiveJob job, boolean mayHaveJobMaster) {
        graph = job.graph();
        submittedMillis = job.submittedMillis();
        cancelCause = job.cancelCause();
        past = job.past();
        this.mayHaveJobMaster = mayHaveJobMaster;
        boolean ran = past.startedMillis() > 0;
        details = past.with(shown(
                ran ? JobStatus.RESTARTING : JobStatus.CREATED,
                "",
                Waiting.since(
                        submittedMillis,
                        Reason.of(
                                ReasonCode.NOT_ATTEMPTED,
                                mayHaveJobMaster
                                        ? "not attempted yet: the Dispatcher has restarted and looks for its JobMaster"
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
                .vertices(vertices())
                .groups(groups())
                .history(history)
                .build();
    }

    private List<VertexDetails> vertices() {
        return graph.vertices().stream()
                .map(v -> new VertexDetails(
                        v.name(), v.operator(), v.minimum(), v.desired(), v.maximum(), 0, 0, 0, 0, 0, 0))
                .toList();
    }

    private List<GroupDetails> groups() {
        return graph.groups().stream().map(group -> groupDetails(graph, group)).toList();
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

    /** The job has these bounds from now on, which are stored. */
    public void change(ParallelismBounds bounds) {
        graph = graph.with(bounds);
        boundsInDoubt = false;
        if (place.isEmpty()) {
            details = details.toBuilder().vertices(vertices()).groups(groups()).build();
        }
    }

    /** Other bounds may be stored than the job has: the store failed, and did not say whether it wrote. */
    public void doubtBounds() {
        boundsInDoubt = true;
    }

    public boolean areBoundsInDoubt() {
        return boundsInDoubt;
    }

    public long submittedMillis() {
        return submittedMillis;
    }

    public JobDetails details() {
        return details;
    }

    /**
     * Applies newer details from the JobMaster. For a job that never ran, the first reason to wait may be from before
     * its JobMaster.
     */
    public void update(JobDetails newer) {
        details = merged(newer);
    }

    /** What users see after the JobMaster has reported these details. */
    public JobDetails merged(JobDetails newer) {
        boolean sameWait = newer.startedMillis() == 0 && !newer.waiting().equals(Waiting.NOT);
        return past.with(waitBeforeJobMaster
                .filter(earlier -> sameWait)
                .map(earlier -> newer.withWaiting(new Waiting(
                        earlier.first(),
                        earlier.firstMillis(),
                        newer.waiting().current(),
                        newer.waiting().currentMillis())))
                .orElse(newer));
    }

    /** The details of the ended job when no JobMaster can report them. */
    public JobDetails ended(JobStatus status, String reason, long wallMillis) {
        List<Transition> history = new ArrayList<>(details.history());
        history.add(new Transition(wallMillis, status, reason));
        return details.toBuilder()
                .status(status)
                .endedMillis(wallMillis)
                .reason(reason)
                .waiting(Waiting.NOT)
                .slots(List.of())
                .history(history)
                .events(details.events().ended())
                .build();
    }

    /** Records why the job cannot continue. Its status does not change. */
    public void setWaitReason(String reason, long wallMillis) {
        details = details.toBuilder().endedMillis(0).reason(reason).build();
        if (place.isEmpty()) {
            details = details.withWaiting(
                    details.waiting().next(wallMillis, Reason.of(ReasonCode.NO_JOB_MASTER, reason)));
            waitBeforeJobMaster = Optional.of(details.waiting());
        }
    }

    // Cancel

    public Optional<String> cancelCause() {
        return cancelCause;
    }

    public void cancel(String cause, long wallMillis) {
        cancelCause = Optional.of(cancelCause.orElse(cause));
        if (place.isEmpty()) {
            details = details.withWaiting(
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

    /** Whether a JobMaster may exist that this Dispatcher did not start or can no longer reach. */
    public boolean mayHaveJobMaster() {
        return mayHaveJobMaster;
    }

    /** Completes when the JobMaster of the job is known, or the job ends without one. */
    public CompletionStage<Void> placed() {
        return placed;
    }

    public void setPlace(Place now, long millis) {
        place = Optional.of(now);
        mayHaveJobMaster = true;
        lastReportMillis = millis;
        placed.complete(null);
    }

    public PreviousRuns past() {
        return past;
    }

    /** The previous runs to store if the current JobMaster were lost now. */
    public PreviousRuns pastAfterLoss(String reason, long wallMillis) {
        return PreviousRuns.of(details, wallMillis, reason);
    }

    /** The JobMaster is gone, and another one will be started. */
    public void jobMasterLost(PreviousRuns newPast, String reason, long wallMillis) {
        past = newPast;
        place = Optional.empty();
        if (placed.isDone()) {
            placed = new CompletableFuture<>();
        }
        mayHaveJobMaster = false;
        Waiting waiting = Waiting.since(wallMillis, Reason.of(ReasonCode.NO_JOB_MASTER, reason));
        waitBeforeJobMaster = past.startedMillis() > 0 ? Optional.empty() : Optional.of(waiting);
        details = past.with(
                shown(past.startedMillis() > 0 ? JobStatus.RESTARTING : JobStatus.CREATED, reason, waiting, List.of()));
    }

    /** The previous runs to store when the job runs for the first time and that is not stored yet. */
    public Optional<PreviousRuns> firstStartToStore() {
        if (past.startedMillis() > 0 || details.startedMillis() == 0) {
            return Optional.empty();
        }
        past = past.started(details.startedMillis());
        return Optional.of(past);
    }

    public void reportReceived(long millis) {
        lastReportMillis = millis;
    }

    public long lastReportMillis() {
        return lastReportMillis;
    }

    // End

    /** Present while the result of the job is known and not yet stored. */
    public Optional<CompletableFuture<Void>> ending() {
        return ending;
    }

    public void beginEnding(CompletableFuture<Void> kept) {
        ending = Optional.of(kept);
        placed.complete(null);
    }
}
