package io.berth.core.scheduler;

import io.berth.core.api.gateway.JobMasterGateway.NotEnoughResources;
import io.berth.core.api.gateway.JobMasterGateway.WorkerAtJob;
import io.berth.core.api.gateway.ResourceManagerGateway.GroupRequirement;
import io.berth.core.api.job.GroupRoom;
import io.berth.core.api.job.JobMeasures;
import io.berth.core.api.job.JobRescale.Kind;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.job.Reason;
import io.berth.core.api.job.ReasonCode;
import io.berth.core.api.job.Waiting;
import io.berth.core.api.policy.ScalingAdvisor.Feasible;
import io.berth.core.api.policy.ScalingAdvisor.Limit;
import io.berth.core.api.policy.ScalingAdvisor.ScalingOutcome;
import io.berth.core.api.task.PartitionId;
import io.berth.core.api.task.TaskContext.Committable;
import io.berth.core.api.task.TaskDeployment.Producer;
import io.berth.core.api.task.TaskState;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.MainThread;
import io.berth.core.api.time.Timers.Cancellable;
import io.berth.core.scheduler.execution.ExecutionGraph;
import io.berth.core.scheduler.execution.ExecutionTask;
import io.berth.core.scheduler.execution.ExecutionTask.Blame;
import io.berth.core.scheduler.execution.ExecutionTask.Failure;
import io.berth.core.scheduler.execution.NetworkMemory;
import io.berth.core.scheduler.execution.TaskCalls;
import io.berth.core.scheduler.execution.TaskDeployments;
import io.berth.core.scheduler.job.JobHistory;
import io.berth.core.scheduler.job.JobIdentity;
import io.berth.core.scheduler.job.Requirements;
import io.berth.core.scheduler.job.SchedulerConfiguration;
import io.berth.core.scheduler.measurement.ExecutionMeasures;
import io.berth.core.scheduler.measurement.RescaleLog;
import io.berth.core.scheduler.peers.DispatcherReports;
import io.berth.core.scheduler.peers.JobWorkers;
import io.berth.core.scheduler.peers.ResourceManagerConnection;
import io.berth.core.scheduler.slotpool.PoolSlot;
import io.berth.core.scheduler.slotpool.SlotChoice;
import io.berth.core.scheduler.slotpool.SlotPool;
import io.berth.core.scheduler.states.Canceling;
import io.berth.core.scheduler.states.Created;
import io.berth.core.scheduler.states.CreatingExecutionGraph;
import io.berth.core.scheduler.states.Executing;
import io.berth.core.scheduler.states.Failing;
import io.berth.core.scheduler.states.Finished;
import io.berth.core.scheduler.states.Move;
import io.berth.core.scheduler.states.RestartBackoff;
import io.berth.core.scheduler.states.Restarting;
import io.berth.core.scheduler.states.ScalingDecisions;
import io.berth.core.scheduler.states.ScalingDecisions.JobState;
import io.berth.core.scheduler.states.State;
import io.berth.core.scheduler.states.StateTimers;
import io.berth.core.scheduler.states.WaitingForResources;
import io.berth.spi.AllocationId;
import io.berth.spi.WorkerId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The declarative scheduler of one unit of a job (FLIP-160): holds its state and implements the contexts of the states.
 * Transitions do not nest; timers and answers belong to the state that requested them. Confined to the main thread of
 * the job.
 */
final class Scheduler
        implements Created.Context,
                WaitingForResources.Context,
                CreatingExecutionGraph.Context,
                Executing.Context,
                Restarting.Context,
                Canceling.Context,
                Failing.Context,
                Finished.Context,
                TaskCalls.Listener {

    private static final Logger LOG = LoggerFactory.getLogger(Scheduler.class);

    /** What the scheduler is built from. */
    record Parts(
            JobIdentity job,
            SchedulerConfiguration configuration,
            Clock clock,
            MainThread thread,
            UnitRecord record,
            Results results,
            SlotPool pool,
            Moves moves,
            ResourceManagerConnection resourceManager,
            ScalingDecisions decisions) {}

    /** The job that the unit belongs to. */
    interface Owner {

        /** A worker says that it does not have a slot of the job. */
        void slotGone(WorkerId worker, AllocationId allocation, String cause);

        /** Whether another unit of the job executes. */
        boolean doesAnotherUnitRun();

        /** The unit restarts, and results that it reads are lost. */
        void needsResults();

        /** The unit has ended. Called once. */
        void ended();
    }

    private final JobIdentity job;
    private final SchedulerConfiguration configuration;
    private final Clock clock;
    private final MainThread thread;
    private final UnitRecord record;
    private final JobHistory history;
    private final FailureCounts failures;
    private final Results results;
    private final SlotPool pool;
    private final Moves moves;
    private final JobRequirements shortage;
    private final ScalingDecisions decisions;
    private final StateTimers stateTimers;
    private final SlotEvents events;

    @SuppressWarnings("NullAway.Init")
    private JobWorkers workers;

    @SuppressWarnings("NullAway.Init")
    private TaskCalls calls;

    @SuppressWarnings("NullAway.Init")
    private SlotReturns returns;

    @SuppressWarnings("NullAway.Init")
    private TaskReports tasks;

    @SuppressWarnings("NullAway.Init")
    private DispatcherReports reports;

    @SuppressWarnings("NullAway.Init")
    private Owner owner;

    private State state;
    private Waiting waiting = Waiting.NOT;
    private final RescaleLog rescales;
    private boolean transitioning;
    private Optional<ExecutionGraph> lastExecution = Optional.empty();
    /** The results that the last execution reads, by the number of the edge. */
    private SortedMap<Integer, List<Producer>> read = new TreeMap<>();
    /** Whether some of them were lost with their workers. */
    private boolean readLostWithWorkers;

    private List<GroupRoom> room = List.of();
    private JobMeasures.Means stopped = JobMeasures.Means.NONE;

    Scheduler(Parts parts) {
        this.job = parts.job();
        this.configuration = parts.configuration();
        this.clock = parts.clock();
        this.thread = parts.thread();
        this.record = parts.record();
        this.history = record.history();
        this.failures = record.failures();
        this.rescales = record.rescales();
        this.results = parts.results();
        this.pool = parts.pool();
        this.moves = parts.moves();
        this.shortage = new JobRequirements(
                job.unit().name(),
                pool,
                parts.resourceManager(),
                this::runsWithLess,
                Requirements.of(job.graph(), Requirements.desired(job.graph())));
        this.decisions = parts.decisions();
        this.stateTimers = new StateTimers(thread, owner -> state == owner);
        this.events = new SlotEvents(shortage, () -> state, this::taskChanged);
        this.state = new Created(this);
        history.entered(state.status(), "");
        observe();
    }

    /**
     * Starts to schedule.
     *
     * @param dispatcherReports receives each change of state
     * @param fault why the job cannot run: then it fails at once
     */
    void start(JobWorkers registeredWorkers, DispatcherReports dispatcherReports, Owner job, Optional<String> fault) {
        workers = registeredWorkers;
        calls = new TaskCalls(this.job, thread, workers, this);
        returns = new SlotReturns(pool, shortage, calls, () -> state);
        tasks = new TaskReports(this.job, () -> state, calls, this::taskChanged, this::failed);
        reports = dispatcherReports;
        owner = job;
        if (state instanceof Created created) {
            fault.ifPresentOrElse(text -> goToFinished(JobStatus.FAILED, text), created::start);
        }
    }

    State state() {
        return state;
    }

    /** What users see of it. */
    UnitView view() {
        long runMillis = lastExecution
                .map(execution -> execution.runMillis(clock.millis()))
                .orElse(0L);
        observe();
        return new UnitView(job.graph(), state, runMillis, waiting, shortage.requirements(), pool, measures());
    }

    private JobMeasures measures() {
        return ExecutionMeasures.of(
                job.graph(),
                state.execution().filter(running -> state instanceof Executing),
                rescales.lastMillis(),
                room);
    }

    /** How many more slots the job could get. Policies see it when they are asked next. */
    void room(List<GroupRoom> now) {
        room = now;
    }

    /** Records why the job waits now, so that the first cause of a wait is kept although nobody asks. */
    void observe() {
        observeRescale();
        waiting = state.why().map(why -> waiting.next(clock.wallMillis(), why)).orElse(Waiting.NOT);
    }

    private void observeRescale() {
        rescales.observe(state.execution()).ifPresent(shortage::rescaled);
    }

    // What happens

    void cancel(String cause) {
        state.cancel(cause);
    }

    void policiesChanged() {
        state.policiesChanged();
    }

    /** Its graph has other bounds. */
    void boundsChanged() {
        shortage.bound(job.graph());
        decisions.changed(job.graph());
        state.boundsChanged();
    }

    void notEnoughResources(NotEnoughResources message) {
        shortage.receive(message);
        observe();
    }

    /** Receives the events of the pool. */
    SlotEvents events() {
        return events;
    }

    /** Receives the task reports of workers. */
    TaskReports tasks() {
        return tasks;
    }

    /** Returns slots. */
    SlotReturns returns() {
        return returns;
    }

    @Override
    public void failed(ExecutionTask task, Failure cause) {
        if (task.fail(cause)) {
            taskChanged(task);
        }
    }

    @Override
    public void failing(ExecutionTask task, Failure cause) {
        if (task.failing(cause)) {
            taskChanged(task);
        }
    }

    private void taskChanged(ExecutionTask task) {
        LOG.debug("job {}: {} is {}", job, task.attempt(), task.state());
        Optional<ExecutionGraph> execution = state.execution();
        if (execution.isPresent()
                && execution.get().task(task.attempt()).filter(task::equals).isPresent()) {
            execution.get().noteEnd(clock.millis());
            observeRescale();
            if (state.isFailure(task)) {
                failures.note(execution.get(), task, state instanceof Executing);
            }
            state.taskChanged(task);
        }
    }

    // What states may do

    @Override
    public Cancellable runLater(State owner, long delayMillis, Runnable action) {
        return stateTimers.runLater(owner, delayMillis, action);
    }

    @Override
    public void decide(State asking, Consumer<ScalingOutcome> handler) {
        List<Integer> current = state.execution()
                .map(ExecutionGraph::parallelism)
                .orElseGet(() -> Collections.nCopies(job.graph().vertices().size(), 0));
        List<Integer> slots = job.graph().groups().stream()
                .map(group -> pool.has(group.name()))
                .toList();
        decisions.decide(new JobState(current, slots, limit(), measures(), stopped), outcome -> {
            if (state == asking) {
                handler.accept(outcome);
                observe();
            }
        });
    }

    /** Whether it runs below its minimum, which was raised since it started. */
    private boolean runsWithLess() {
        return state instanceof Executing
                && state.execution()
                        .filter(running -> Requirements.isBelowMinimum(job.graph(), running.parallelism()))
                        .isPresent();
    }

    @Override
    public void declare(ScalingOutcome.Decided decision) {
        pool.recovering(false);
        shortage.declare(Requirements.of(job.graph(), decision.desired()));
    }

    @Override
    public boolean isFulfilled() {
        return pool.isFulfilled();
    }

    @Override
    public boolean isMinimumFulfilled() {
        return pool.isMinimumFulfilled();
    }

    @Override
    public Reason missing() {
        return shortage.why();
    }

    @Override
    public Optional<Move> move(ExecutionGraph execution) {
        return moves.of(execution);
    }

    @Override
    public boolean hasUnusedSlots() {
        return pool.hasUnused();
    }

    @Override
    public boolean isAboveMaximum(ExecutionGraph execution) {
        return Requirements.isAboveMaximum(job.graph(), execution.parallelism());
    }

    @Override
    public Feasible feasible(List<Integer> parallelism) {
        return limit().feasible(parallelism);
    }

    /** Of the present slots and workers; any thread may use it. */
    private Limit limit() {
        SlotChoice choice = pool.choice(allocationsBefore());
        SortedMap<WorkerId, WorkerAtJob> hosts = new TreeMap<>();
        choice.workers().forEach(worker -> workers.find(worker).ifPresent(host -> hosts.put(worker, host)));
        SortedMap<Integer, Integer> partitions = new TreeMap<>();
        job.unit()
                .inputs()
                .forEach(edge -> partitions.put(
                        edge.number(), results.partitions(edge.number()).size()));
        return new NetworkMemory(
                job,
                edge -> partitions.getOrDefault(edge, 0),
                parallelism -> choice.of(ExecutionGraph.slotsNeeded(job, parallelism)),
                worker -> Optional.ofNullable(hosts.get(worker)));
    }

    private SortedMap<String, List<AllocationId>> allocationsBefore() {
        return lastExecution.map(ExecutionGraph::allocations).orElseGet(TreeMap::new);
    }

    @Override
    public Optional<ExecutionGraph> createExecution(List<Integer> parallelism) {
        if (!hasInputs()) {
            return Optional.empty();
        }
        List<GroupRequirement> declared = pool.declared();
        Optional<SortedMap<String, List<PoolSlot>>> reserved =
                pool.reserve(ExecutionGraph.slotsNeeded(job, parallelism), allocationsBefore());
        if (!pool.declared().equals(declared)) {
            shortage.declareAgain();
        }
        read = inputs();
        readLostWithWorkers = false;
        return reserved.map(slots -> new ExecutionGraph(
                job,
                record.nextExecution(),
                parallelism,
                slots,
                clock.millis(),
                configuration.measurementWindowMillis()));
    }

    @Override
    public void deploy(ExecutionGraph execution) {
        deploy(execution, execution.tasksInOrder());
    }

    private void deploy(ExecutionGraph execution, List<ExecutionTask> tasks) {
        TaskDeployments deployments = new TaskDeployments(
                job,
                reports.dispatcher(),
                execution,
                worker -> workers.find(worker).map(WorkerAtJob::dataAddress).orElse(""),
                read);
        calls.deploy(tasks, deployments::of);
    }

    /** The slot leaves the pool, so that the next execution is not deployed into it. */
    @Override
    public void slotNotOwned(ExecutionTask task, String cause) {
        owner.slotGone(task.worker(), task.slot().allocation(), cause);
        failed(task, new Failure(cause, false, Blame.CLUSTER));
    }

    @Override
    public void commit(ExecutionTask task, List<Committable> committables) {
        State asking = state;
        calls.commit(task, record.isCommitted() ? List.of() : committables, () -> state == asking);
    }

    @Override
    public void outputCommitted() {
        record.committed();
    }

    @Override
    public void cancelTasks(List<ExecutionTask> tasks) {
        Optional<ExecutionGraph> execution = state.execution();
        calls.cancel(
                tasks.stream().map(ExecutionTask::attempt).toList(),
                attempt -> execution.orElseThrow().task(attempt).orElseThrow().worker());
    }

    @Override
    public void giveUpSlots(List<ExecutionTask> stuck, String cause) {
        returns.ofTasks(stuck, cause);
    }

    @Override
    public void executionEnded(ExecutionGraph execution) {
        execution.noteEnd(clock.millis());
        releaseResults(execution.tasks());
        returns.released();
    }

    /** Of tasks that have finished for nothing: nobody reads them. */
    private void releaseResults(Collection<ExecutionTask> tasks) {
        SortedMap<WorkerId, List<PartitionId>> stored = new TreeMap<>();
        for (ExecutionTask task : tasks) {
            if (task.state() == TaskState.FINISHED) {
                task.chain()
                        .results()
                        .forEach(edge -> stored.computeIfAbsent(task.worker(), worker -> new ArrayList<>())
                                .add(new PartitionId(task.attempt(), edge.number())));
            }
        }
        workers.releaseResults(stored);
    }

    // Transitions

    @Override
    public void goToWaitingForResources(Optional<Reason> obstacle) {
        String text = obstacle.map(Reason::line).orElse("");
        goTo(new WaitingForResources(this, configuration, obstacle), text);
    }

    @Override
    public void goToCreatingExecutionGraph() {
        goTo(new CreatingExecutionGraph(this), "");
    }

    @Override
    public void goToExecuting(ExecutionGraph execution, String bound, OptionalLong reviewAfterMillis) {
        if (lastExecution
                .filter(last -> last.parallelism().equals(execution.parallelism()))
                .isEmpty()) {
            failures.regionsChanged();
        }
        lastExecution = Optional.of(execution);
        stopped = JobMeasures.Means.NONE;
        goTo(
                new Executing(this, configuration, execution, bound, reviewAfterMillis),
                "parallelism " + describe(execution.parallelism()) + (bound.isEmpty() ? "" : "; " + bound));
    }

    @Override
    public void goToRestarting(ExecutionGraph execution, Failure cause) {
        long delayMillis = failures.ofJob().nextDelay(execution.runMillis(clock.millis()));
        Optional<String> noRestart = cause.consequence() ? Optional.empty() : countFailure(execution, cause);
        if (noRestart.isPresent()) {
            goToFailing(execution, noRestart.get(), cause);
        } else {
            history.restarted();
            rescales.failed(execution, cause.text());
            goTo(new Restarting(this, configuration, execution, cause, Optional.empty(), delayMillis), cause.text());
            if (!hasInputs()) {
                owner.needsResults();
            }
        }
    }

    @Override
    public RestartBackoff backoffOf(int region) {
        return failures.ofRegion(region);
    }

    @Override
    public long nowMillis() {
        return clock.millis();
    }

    @Override
    public void partRestarts(String reason) {
        LOG.info("job {}: {}", job, reason);
        history.partRestarts(state.status(), reason);
        reports.changed();
    }

    @Override
    public boolean restartTasks(ExecutionGraph execution, List<ExecutionTask> ended) {
        boolean there = inputs().equals(read)
                && ended.stream()
                        .allMatch(task -> pool.stays(task.slot().allocation())
                                && workers.find(task.worker()).isPresent());
        if (there) {
            history.partRestarted(execution.number(), execution.regionOf(ended.get(0)));
            releaseResults(ended);
            deploy(execution, execution.restart(ended, clock.millis()));
            reports.changed();
        }
        return there;
    }

    @Override
    public Optional<String> countFailure(ExecutionGraph execution, Failure cause) {
        Blame blame = cause.consequence() && readLostWithWorkers ? Blame.CLUSTER : cause.blame();
        return failures.ofJob().count(blame, execution.lostWithWorkers(), clock.millis());
    }

    @Override
    public void goToFailing(ExecutionGraph execution, String noRestart, Failure cause) {
        String prefix = noRestart + ": ";
        goTo(new Failing(this, configuration, execution, prefix, cause), prefix + cause.text());
    }

    @Override
    public void goToRescaling(ExecutionGraph execution, List<Integer> planned, String reason, String policy) {
        rescales.begins(execution, Kind.RESCALE, reason, policy);
        String text = "rescales from " + describe(execution.parallelism()) + " to " + describe(planned)
                + (reason.isEmpty() ? "" : ": " + reason);
        restartAsPlanned(execution, ReasonCode.RESCALING, text);
    }

    @Override
    public void goToRematched(ExecutionGraph execution, String reason) {
        rescales.begins(execution, Kind.REMATCH, reason, "");
        restartAsPlanned(execution, ReasonCode.RESCALING, reason);
    }

    @Override
    public void goToMoving(ExecutionGraph execution, String reason) {
        rescales.begins(execution, Kind.MOVE, reason, "");
        restartAsPlanned(execution, ReasonCode.MOVING, reason);
    }

    private void restartAsPlanned(ExecutionGraph execution, ReasonCode why, String text) {
        history.rescaled();
        Failure cause = new Failure(text, false, Blame.CLUSTER);
        goTo(new Restarting(this, configuration, execution, cause, Optional.of(why), 0), text);
    }

    @Override
    public boolean doesAnotherUnitRun() {
        return owner.doesAnotherUnitRun();
    }

    @Override
    public boolean hasInputs() {
        return job.unit().inputs().stream().allMatch(edge -> results.isThere(edge.number()));
    }

    /** The results that it reads, by the number of the edge. */
    private SortedMap<Integer, List<Producer>> inputs() {
        SortedMap<Integer, List<Producer>> inputs = new TreeMap<>();
        job.unit().inputs().forEach(edge -> inputs.put(edge.number(), results.partitions(edge.number())));
        return inputs;
    }

    /** The results of these edges are lost with a worker. */
    void lostWithWorker(Set<Integer> edges) {
        readLostWithWorkers |= read.keySet().stream().anyMatch(edges::contains);
    }

    /** Results are lost. Tasks that run may have read them, and a restart looks again when they have ended. */
    void resultsLost() {
        if ((state instanceof WaitingForResources || state instanceof CreatingExecutionGraph) && !hasInputs()) {
            cancel("its input is lost, and is produced again");
        }
    }

    @Override
    public void goToCanceling(ExecutionGraph execution, String cause) {
        goTo(new Canceling(this, configuration, execution, cause), cause);
    }

    @Override
    public void goToFinished(JobStatus outcome, String reason) {
        goTo(new Finished(this, outcome, reason, state.execution()), reason);
    }

    @Override
    public void rootCauseFound(String reason) {
        history.explained(reason);
        waiting = state.why()
                .map(why -> waiting.corrected(clock.wallMillis(), why))
                .orElse(Waiting.NOT);
        reports.changed();
    }

    @Override
    public void end() {
        state.execution().ifPresent(execution -> execution.noteEnd(clock.millis()));
        owner.ended();
    }

    private String describe(List<Integer> parallelism) {
        List<String> parts = new ArrayList<>();
        for (int vertex = 0; vertex < parallelism.size(); vertex++) {
            parts.add(job.graph().vertices().get(vertex).name() + " " + parallelism.get(vertex));
        }
        return String.join(", ", parts);
    }

    private void goTo(State next, String reason) {
        thread.assertCurrent();
        if (transitioning) {
            throw new IllegalStateException(
                    "job " + job + ": transition to " + next.status().label() + " within the transition to "
                            + state.status().label());
        }
        LOG.info(
                "job {}: {} -> {}{}",
                job,
                state.status().label(),
                next.status().label(),
                reason.isEmpty() ? "" : ": " + reason);
        stateTimers.clear();
        if (state instanceof Executing) {
            stopped = measures().means();
        }
        boolean ranWithLess = runsWithLess();
        state = next;
        pool.recovering(next instanceof Restarting || !shortage.isDeclared());
        if (runsWithLess() != ranWithLess) {
            shortage.declareAgain();
        }
        history.entered(next.status(), reason);
        rescales.entered(next.status());
        observe();
        // First, so that the end is reported even if a later step fails.
        reports.changed();
        transitioning = true;
        try {
            next.enter();
        } finally {
            transitioning = false;
        }
    }
}
