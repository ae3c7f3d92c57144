package io.berth.core.scheduler;

import io.berth.core.api.job.JobStatus;
import io.berth.core.api.job.Reason;
import io.berth.core.api.job.ReasonCode;
import io.berth.core.api.job.Waiting;
import io.berth.core.scheduler.JobUnits.Unit;
import java.util.List;
import java.util.Optional;

/** What the states of its units say about a job. Pure functions. */
final class UnitSummary {

    /** The first of these states that a unit is in is the state of the job. */
    private static final List<JobStatus> ORDER = List.of(
            JobStatus.FAILING,
            JobStatus.EXECUTING,
            JobStatus.RESTARTING,
            JobStatus.CREATING_EXECUTION_GRAPH,
            JobStatus.WAITING_FOR_RESOURCES,
            JobStatus.CREATED);

    private static final int MAX_REASONS = 3;

    private UnitSummary() {}

    /**
     * The state of the job.
     *
     * @param canceled whether the job is canceled
     * @param failed whether a unit has failed
     */
    static JobStatus status(List<Unit> units, boolean canceled, boolean failed) {
        if (units.size() == 1) {
            return units.get(0).status();
        }
        List<JobStatus> running =
                units.stream().filter(Unit::isRunning).map(Unit::status).toList();
        if (running.isEmpty()) {
            return ended(units, canceled);
        }
        if (failed || canceled) {
            return failed ? JobStatus.FAILING : JobStatus.CANCELING;
        }
        return ORDER.stream()
                .filter(status -> running.contains(status)
                        || status == JobStatus.RESTARTING && running.contains(JobStatus.CANCELING))
                .findFirst()
                .orElseThrow();
    }

    private static JobStatus ended(List<Unit> units, boolean canceled) {
        if (units.stream().anyMatch(unit -> unit.status() == JobStatus.FAILED)) {
            return JobStatus.FAILED;
        }
        if (canceled) {
            return JobStatus.CANCELED;
        }
        if (units.stream().allMatch(unit -> unit.status() == JobStatus.FINISHED)) {
            return JobStatus.FINISHED;
        }
        return units.stream().allMatch(unit -> unit.status() == JobStatus.CREATED)
                ? JobStatus.CREATED
                : JobStatus.WAITING_FOR_RESOURCES;
    }

    /** Why the job is in its state, in one line; empty when there is no reason. */
    static String reason(List<Unit> units, JobStatus status) {
        List<Unit> shown = units.stream()
                .filter(unit -> status.isTerminal() ? unit.status() == status : unit.isRunning())
                .filter(unit -> !reason(unit).isEmpty())
                .toList();
        if (units.size() == 1) {
            return shown.isEmpty() ? "" : reason(shown.get(0));
        }
        List<String> texts = shown.stream()
                .limit(MAX_REASONS)
                .map(unit -> unit.name() + ": " + reason(unit))
                .toList();
        int more = shown.size() - texts.size();
        return String.join("; ", texts) + (more > 0 ? "; and " + more + " more" : "");
    }

    private static String reason(Unit unit) {
        return unit.run().map(run -> run.scheduler().state().reason()).orElse("");
    }

    /**
     * Why the job does not run.
     *
     * @param views of the units that have run or run
     * @param nowMillis wall time
     */
    static Waiting waiting(List<UnitView> views, JobStatus status, long nowMillis) {
        if (status.isTerminal() || status == JobStatus.EXECUTING) {
            return Waiting.NOT;
        }
        Optional<Waiting> first = views.stream()
                .filter(view -> view.state().status() == status)
                .map(UnitView::waiting)
                .findFirst();
        return first.or(() -> views.stream()
                        .map(UnitView::waiting)
                        .filter(waiting -> waiting != Waiting.NOT)
                        .findFirst())
                .orElseGet(() -> Waiting.NOT.next(
                        nowMillis, Reason.of(ReasonCode.DECIDING, "the next of its parts is about to start")));
    }
}
