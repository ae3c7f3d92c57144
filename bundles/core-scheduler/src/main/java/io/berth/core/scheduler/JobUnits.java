package io.berth.core.scheduler;

import io.berth.core.api.gateway.JobMasterGateway.LeavingWorker;
import io.berth.core.api.gateway.JobMasterGateway.NotEnoughResources;
import io.berth.core.api.gateway.JobMasterGateway.SlotOffer;
import io.berth.core.api.gateway.JobMasterGateway.TaskUpdate;
import io.berth.core.api.gateway.JobMasterGateway.WorkerAtJob;
import io.berth.core.api.gateway.TaskExecutorGateway.TaskReport;
import io.berth.core.api.gateway.TaskExecutorGateway.TaskStatus;
import io.berth.core.api.job.GroupRoom;
import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.job.ParallelismBounds;
import io.berth.core.api.policy.MatchingRule;
import io.berth.core.api.task.AttemptId;
import io.berth.core.api.task.SplitPart;
import io.berth.core.api.task.TaskContext.SplitAnswer;
import io.berth.core.scheduler.UnitRun.Shared;
import io.berth.core.scheduler.job.JobIdentity;
import io.berth.core.scheduler.job.JobUnit;
import io.berth.core.scheduler.job.JobUnit.BlockingEdge;
import io.berth.core.scheduler.peers.DispatcherReports;
import io.berth.core.scheduler.peers.JobWorkers;
import io.berth.spi.AllocationId;
import io.berth.spi.WorkerId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The units of a job (FLIP-160). Each starts when the results that it reads are there, in topological order; units that
 * do not depend on each other run side by side. A unit that has finished runs again when its result was lost and another
 * one needs it. The job ends with its last unit, or fails with the first that fails. Confined to the main thread of the
 * job.
 */
final class JobUnits implements JobWorkers.Listener {

    private static final Logger LOG = LoggerFactory.getLogger(JobUnits.class);
    /** More of them wait: each has a scheduler of its own. */
    private static final int MAX_RUNNING = 100;

    private final JobIdentity job;
    private final Shared shared;
    private final List<Unit> units;
    private final SortedMap<String, Unit> unitOfVertex = new TreeMap<>();
    private final Results results;
    private MatchingRule rule = MatchingRule.EXACT;
    private List<WorkerId> blocked = List.of();
    private List<LeavingWorker> leaving = List.of();
    private List<GroupRoom> room = List.of();
    private Optional<String> canceled = Optional.empty();
    private Optional<Unit> failed = Optional.empty();
    private boolean over;

    @SuppressWarnings("NullAway.Init")
    private JobWorkers workers;

    @SuppressWarnings("NullAway.Init")
    private DispatcherReports reports;

    private Runnable ended = () -> {};

    /** @param job all of it */
    JobUnits(JobIdentity job, long submittedMillis, Function<Results, Shared> shared) {
        this.job = job;
        this.results = new Results(
                worker -> workers.find(worker).map(WorkerAtJob::dataAddress).orElse(""));
        this.shared = shared.apply(results);
        this.units = JobUnit.of(job.graph()).stream()
                .map(part -> new Unit(new JobIdentity(part, job.endpoint()), this.shared, submittedMillis))
                .toList();
        units.forEach(unit -> unit.job.graph().vertices().forEach(vertex -> unitOfVertex.put(vertex.name(), unit)));
        if (isOne()) {
            units.get(0).begin();
        }
    }

    /** A unit, and its last run. */
    static final class Unit {

        private final JobIdentity job;
        private final Shared shared;
        private final UnitRecord record;
        private Optional<UnitRun> run = Optional.empty();
        private boolean finished;

        Unit(JobIdentity job, Shared shared, long submittedMillis) {
            this.job = job;
            this.shared = shared;
            this.record = new UnitRecord(job, shared.configuration().restart(), shared.clock(), submittedMillis);
        }

        String name() {
            return job.unit().name();
        }

        UnitRecord record() {
            return record;
        }

        /** The last one; empty before the first. */
        Optional<UnitRun> run() {
            return run;
        }

        private UnitRun begin() {
            UnitRun next = new UnitRun(job, record, shared);
            run = Optional.of(next);
            return next;
        }

        boolean isRunning() {
            return run.filter(UnitRun::isRunning).isPresent();
        }

        JobStatus status() {
            return run.map(last -> last.scheduler().state().status()).orElse(JobStatus.CREATED);
        }
    }

    private boolean isOne() {
        return units.size() == 1;
    }

    /** In topological order. */
    List<Unit> units() {
        return units;
    }

    private List<UnitRun> running() {
        return units.stream()
                .filter(Unit::isRunning)
                .map(unit -> unit.run.orElseThrow())
                .toList();
    }

    private Optional<UnitRun> runOf(String vertex) {
        return Optional.ofNullable(unitOfVertex.get(vertex)).flatMap(unit -> unit.run);
    }

    /**
     * Starts to run the job.
     *
     * @param dispatcherReports receives each change of state
     * @param endedCallback called once when the job has ended, to return its slots
     * @param fault why the job cannot run: then it fails at once
     */
    void start(
            JobWorkers registeredWorkers,
            DispatcherReports dispatcherReports,
            Runnable endedCallback,
            Optional<String> fault) {
        workers = registeredWorkers;
        reports = dispatcherReports;
        ended = endedCallback;
        if (fault.isPresent()) {
            start(units.get(0), fault);
        } else {
            schedule();
        }
    }

    private void schedule() {
        repeatProducers();
        long running = units.stream().filter(Unit::isRunning).count();
        for (Unit unit : units) {
            if (isStartable(unit) && running < MAX_RUNNING && !isEnding()) {
                running++;
                start(unit, Optional.empty());
            }
        }
    }

    private boolean isStartable(Unit unit) {
        boolean begun = unit.isRunning() && unit.status() != JobStatus.CREATED;
        return !begun
                && !unit.finished
                && unit.job.unit().inputs().stream().allMatch(edge -> results.isThere(edge.number()));
    }

    /** Units that have finished run again when a result of theirs is lost, or released, and another unit needs it. */
    private void repeatProducers() {
        for (int index = units.size() - 1; index >= 0; index--) {
            Unit unit = units.get(index);
            if (!unit.finished && !(unit.isRunning() && unit.status() == JobStatus.EXECUTING)) {
                for (BlockingEdge edge : unit.job.unit().inputs()) {
                    Unit producer =
                            Objects.requireNonNull(unitOfVertex.get(edge.from().name()));
                    if (!results.isThere(edge.number()) && producer.finished) {
                        LOG.info(
                                "job {}: unit {} runs again, unit {} needs its result",
                                job,
                                producer.name(),
                                unit.name());
                        producer.finished = false;
                    }
                }
            }
        }
    }

    private void start(Unit unit, Optional<String> fault) {
        UnitRun run = unit.status() == JobStatus.CREATED && unit.run.isPresent() ? unit.run.get() : unit.begin();
        run.follow(rule, blocked, leaving);
        run.scheduler().room(isOne() ? room : List.of());
        run.open();
        run.scheduler().start(workers, reports, new Owner(unit), fault);
    }

    private final class Owner implements Scheduler.Owner {

        private final Unit unit;

        Owner(Unit unit) {
            this.unit = unit;
        }

        @Override
        public void slotGone(WorkerId worker, AllocationId allocation, String cause) {
            JobUnits.this.slotGone(worker, allocation, cause);
        }

        @Override
        public boolean doesAnotherUnitRun() {
            return units.stream().anyMatch(other -> other != unit && other.status() == JobStatus.EXECUTING);
        }

        @Override
        public void needsResults() {
            scheduleSoon();
        }

        @Override
        public void ended() {
            JobUnits.this.ended(unit, unit.run.orElseThrow());
        }
    }

    private void ended(Unit unit, UnitRun run) {
        JobStatus outcome = unit.status();
        if (outcome == JobStatus.FINISHED) {
            unit.finished = true;
            run.scheduler().state().execution().ifPresent(results::produced);
            releaseUnneeded(unit.job.unit().inputs());
            // It may have run again for one of its consumers only.
            releaseUnneeded(unit.job.unit().outputs().stream()
                    .filter(edge ->
                            Objects.requireNonNull(unitOfVertex.get(edge.to().name())).finished)
                    .toList());
        } else if (outcome == JobStatus.FAILED && failed.isEmpty()) {
            failed = Optional.of(unit);
        }
        if (isOver()) {
            end();
            return;
        }
        run.end("unit " + unit.name() + " has ended: " + outcome.label());
        if (failed.isPresent()) {
            running()
                    .forEach(other -> other.scheduler()
                            .cancel("unit " + failed.orElseThrow().name() + " of the job failed"));
        } else {
            scheduleSoon();
        }
    }

    /** Not within the transition of a unit. */
    private void scheduleSoon() {
        shared.thread().execute(() -> {
            if (!isEnding()) {
                schedule();
            }
        });
    }

    private void releaseUnneeded(List<BlockingEdge> unneeded) {
        if (!unneeded.isEmpty()) {
            workers.releaseResults(results.release(unneeded));
        }
    }

    private boolean isEnding() {
        return over || canceled.isPresent() || failed.isPresent();
    }

    private boolean isOver() {
        return units.stream().noneMatch(Unit::isRunning)
                && (canceled.isPresent()
                        || failed.isPresent()
                        || units.stream().allMatch(unit -> unit.finished || isOne()));
    }

    private void end() {
        if (!over) {
            over = true;
            ended.run();
        }
    }

    /** The state of the job. */
    JobStatus status() {
        return UnitSummary.status(units, canceled.isPresent(), failed.isPresent());
    }

    /** The details that users see. */
    JobDetails details() {
        return DetailsAssembly.of(job.graph(), units, status(), shared.clock().wallMillis());
    }

    /** Records why the job waits now, so that the first cause of a wait is kept although nobody asks. */
    void observe() {
        running().forEach(run -> run.scheduler().observe());
    }

    // What happens

    void cancel(String cause) {
        if (isOne()) {
            units.get(0).run.orElseThrow().scheduler().cancel(cause);
        } else if (!isEnding()) {
            canceled = Optional.of(cause);
            running().forEach(run -> run.scheduler().cancel(cause));
            if (isOver()) {
                reports.changed();
                end();
            }
        }
    }

    /** Bounds that were overtaken by those of a later revision, or come twice, have no effect. */
    void changeBounds(ParallelismBounds bounds) {
        if (bounds.revision() <= job.graph().revision() || status().isTerminal()) {
            return;
        }
        job.change(bounds);
        LOG.info("job {}: has requirements of revision {}: {}", job, bounds.revision(), bounds);
        for (Unit unit : units) {
            unit.job.change(unit.job.unit().bounds(bounds));
            unit.run.filter(UnitRun::isRunning).ifPresent(run -> run.scheduler().boundsChanged());
        }
        reports.changed();
    }

    void notEnoughResources(NotEnoughResources message) {
        running().forEach(run -> run.scheduler().notEnoughResources(message));
    }

    /** How many more slots the job could get, which is not known by unit. */
    void room(List<GroupRoom> now) {
        room = now;
        if (isOne()) {
            running().forEach(run -> run.scheduler().room(now));
        }
    }

    void follow(MatchingRule next) {
        rule = next;
        running().forEach(run -> run.pool().follow(next));
    }

    /** No worker is blocked. Those that leave still do. */
    void unblock() {
        blocked = List.of();
        running().forEach(run -> run.pool().block(List.of()));
    }

    /** These workers are blocked, and those leave, and no others. */
    void workersChanged(List<WorkerId> nowBlocked, List<LeavingWorker> nowLeaving) {
        blocked = List.copyOf(nowBlocked);
        leaving = List.copyOf(nowLeaving);
        running().forEach(run -> run.workersChanged(blocked, leaving));
    }

    /** Returns slots that were idle for too long. */
    void returnIdleSlots() {
        running().forEach(run -> run.scheduler().returns().idle());
    }

    /** See {@link SlotReturns#wanted}. */
    List<AllocationId> slotsWanted(List<AllocationId> wanted, boolean aboveMinimum, String cause) {
        List<AllocationId> all = new ArrayList<>();
        running().forEach(run -> all.addAll(run.scheduler().returns().wanted(wanted, aboveMinimum, cause)));
        return all;
    }

    /** A worker says that it does not have a slot of the job. */
    void slotGone(WorkerId worker, AllocationId allocation, String cause) {
        String text = "slot " + allocation + " on worker " + worker + " is gone: " + cause;
        boolean lost = false;
        for (UnitRun run : running()) {
            lost |= run.pool().slotFailed(worker, allocation, text);
        }
        if (lost
                && !results.isStoredOn(worker)
                && running().stream().noneMatch(run -> run.pool().isKnown(worker))) {
            workers.disconnect(worker, "its last slot is gone: " + cause);
        }
    }

    /** See {@link io.berth.core.scheduler.slotpool.SlotPool#offer}. A slot belongs to the unit that it was made for. */
    CompletionStage<List<AllocationId>> offer(WorkerId worker, List<SlotOffer> offers, Predicate<WorkerId> stillThere) {
        return byUnit(offers, (run, own) -> run.pool().offer(worker, own, stillThere));
    }

    /** See {@link io.berth.core.scheduler.slotpool.SlotPool#offeredBefore}. */
    CompletionStage<List<AllocationId>> offeredBefore(WorkerId worker, List<SlotOffer> offers) {
        return byUnit(offers, (run, own) -> run.pool().offeredBefore(worker, own));
    }

    private interface Answer {
        CompletionStage<List<AllocationId>> of(UnitRun run, List<SlotOffer> own);
    }

    private CompletionStage<List<AllocationId>> byUnit(List<SlotOffer> offers, Answer answer) {
        if (isOne()) {
            return answer.of(units.get(0).run.orElseThrow(), offers);
        }
        CompletionStage<List<AllocationId>> all = CompletableFuture.completedFuture(List.of());
        for (Unit unit : units) {
            List<SlotOffer> own = offers.stream()
                    .filter(offer -> offer.unit().equals(unit.name()))
                    .toList();
            if (!own.isEmpty() && unit.isRunning()) {
                all = all.thenCombine(answer.of(unit.run.orElseThrow(), own), (before, more) -> {
                    List<AllocationId> accepted = new ArrayList<>(before);
                    accepted.addAll(more);
                    return accepted;
                });
            }
        }
        return all;
    }

    // Tasks

    void update(TaskUpdate update) {
        boolean lost = update.lost().filter(results::lost).isPresent();
        runOf(update.attempt().chain()).ifPresent(run -> run.scheduler().tasks().update(update));
        if (lost) {
            resultsLost();
        }
    }

    void splits(AttemptId attempt, String vertex, SplitPart part) {
        runOf(attempt.chain()).ifPresent(run -> run.scheduler().tasks().splits(attempt, vertex, part));
    }

    SplitAnswer nextSplit(AttemptId attempt, String vertex, long number) {
        return runOf(attempt.chain())
                .map(run -> run.scheduler().tasks().nextSplit(attempt, vertex, number))
                .orElseGet(SplitAnswer.Exhausted::new);
    }

    // Workers

    @Override
    public List<AllocationId> allocated(WorkerId worker) {
        List<AllocationId> all = new ArrayList<>();
        running().forEach(run -> all.addAll(run.pool().allocatedOn(worker)));
        return all;
    }

    @Override
    public Set<AttemptId> expected(WorkerId worker) {
        Set<AttemptId> all = new TreeSet<>();
        running().forEach(run -> all.addAll(run.scheduler().tasks().expectedAt(worker)));
        return all;
    }

    @Override
    public int expectedResults(WorkerId worker) {
        return results.count(worker);
    }

    @Override
    public void workerLost(WorkerId worker, String cause) {
        noteLostWith(worker);
        running().forEach(run -> run.pool().workerLost(worker, cause));
        resultsLost();
    }

    private void noteLostWith(WorkerId worker) {
        Set<Integer> lost = results.workerLost(worker);
        running().forEach(run -> run.scheduler().lostWithWorker(lost));
    }

    /** Units that do not run yet wait for the results; those that run may have read them. */
    private void resultsLost() {
        if (!isOne() && !isEnding()) {
            running().forEach(run -> run.scheduler().resultsLost());
            schedule();
        }
    }

    @Override
    public void reported(WorkerId worker, Set<AttemptId> expected, int expectedResults, TaskReport report) {
        for (Unit unit : units) {
            unit.run.ifPresent(run -> run.scheduler()
                    .tasks()
                    .reported(worker, own(unit, expected), isOne() ? report : own(unit, report)));
        }
        // Without its JobMaster, which may only have been paused, a worker deletes results after some time.
        if (results.areMissingForSure(worker, expectedResults, report.results())) {
            LOG.info("job {}: worker {} no longer keeps results", job, worker);
            noteLostWith(worker);
            resultsLost();
        }
    }

    private Set<AttemptId> own(Unit unit, Set<AttemptId> attempts) {
        if (isOne()) {
            return attempts;
        }
        Set<AttemptId> own = new TreeSet<>(attempts);
        own.removeIf(attempt -> unitOfVertex.get(attempt.chain()) != unit);
        return own;
    }

    private TaskReport own(Unit unit, TaskReport report) {
        List<TaskStatus> own = report.tasks().stream()
                .filter(task -> unitOfVertex.get(task.attempt().chain()) == unit)
                .toList();
        return new TaskReport(own, report.results());
    }

    /** Forgets all slots, and asks for nothing any more. */
    void close() {
        over = true;
        units.forEach(unit -> unit.run.ifPresent(UnitRun::close));
    }
}
