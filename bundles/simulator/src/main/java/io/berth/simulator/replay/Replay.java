package io.berth.simulator.replay;

import io.berth.core.api.FencingToken;
import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.gateway.RegistrationResponse;
import io.berth.core.api.gateway.ResourceManagerGateway.SlotFreed;
import io.berth.core.api.gateway.ResourceManagerGateway.WorkerRegistration;
import io.berth.core.api.policy.BackendHost;
import io.berth.core.resources.ResourceManagerTerm;
import io.berth.core.resources.backends.WorkerLaunch;
import io.berth.core.resources.settings.ResourceSettings;
import io.berth.simulator.policies.ChosenPolicy;
import io.berth.simulator.policies.PolicyPair;
import io.berth.simulator.replay.Agenda.Ending;
import io.berth.simulator.replay.Agenda.Turn;
import io.berth.simulator.replay.cluster.Dimensions;
import io.berth.simulator.replay.cluster.Invariants;
import io.berth.simulator.replay.cluster.ReplayBackend;
import io.berth.simulator.replay.cluster.ReplayPolicies;
import io.berth.simulator.replay.cluster.ReplayRpc;
import io.berth.simulator.replay.cluster.ReplayTime;
import io.berth.simulator.replay.cluster.ReplayedJob;
import io.berth.simulator.replay.cluster.ReplayedJob.State;
import io.berth.simulator.replay.cluster.ReplayedJob.Taken;
import io.berth.simulator.replay.cluster.ReplayedWorker;
import io.berth.simulator.replay.cluster.ReplayedWorker.Held;
import io.berth.simulator.replay.measure.JobTimes;
import io.berth.simulator.replay.measure.Moves;
import io.berth.simulator.replay.measure.ReplayResult;
import io.berth.simulator.replay.measure.Statistics;
import io.berth.simulator.replay.measure.Usage;
import io.berth.simulator.traces.Node;
import io.berth.simulator.traces.TraceJob;
import io.berth.spi.AllocationId;
import io.berth.spi.WorkerId;
import io.berth.spi.matching.MatchingStrategyFactory;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * One replay of a trace with one matching strategy and one distribution policy: the ResourceManager with its policies, a worker for each node, a
 * JobMaster for each job. Runs in one thread; the same trace gives the same result in any JVM.
 */
final class Replay {

    private static final int BINS = 200;
    /** In the time of the trace. */
    private static final long SLOT_RETURN_PAUSE_MILLIS = 30_000;

    /** No worker is started, but the setting must be valid. */
    private static final int OVERHEAD_MEBIBYTES = 64;
    /** How long jobs may wait after the last event before they count as waiting forever, in milliseconds. */
    private static final long GRACE_MILLIS = 20_000_000;

    /** Receives the progress of a replay after each moment. */
    interface Progress {
        void at(long nowMillis, int arrived, int waiting);
    }

    private final ReplayInput input;
    private final PolicyPair chosen;
    private final Progress progress;
    private final Predicate<Held> reportsFreeSlot;
    private final Dimensions dimensions;
    private final ReplayTime time;
    private final ReplayPolicies policies;
    private final ReplayRpc rpc;
    private final Invariants invariants;
    private final Usage usage;
    private final JobTimes times;
    private final Moves moved;
    private final List<ReplayedWorker> workers = new ArrayList<>();
    private final List<ReplayedJob> jobs = new ArrayList<>();
    private final Agenda agenda;
    private final Optional<ReplayBackend> backend;
    private Optional<Throwable> refused = Optional.empty();
    private Optional<ReplayResult.Last> last = Optional.empty();
    private int arrived;
    private int waiting;
    private int tooLarge;
    private int outages;
    private long granted;
    private long heldByJobs;
    private long lastHappened;

    /** Replays with a strategy under fifo. */
    Replay(ReplayInput input, ChosenPolicy<MatchingStrategyFactory> strategy, Progress progress) {
        this(input, PolicyPair.of(strategy), progress);
    }

    Replay(ReplayInput input, PolicyPair chosen, Progress progress) {
        this(input, chosen, progress, slot -> true);
    }

    /** @param reportsFreeSlot whether the ResourceManager learns that a slot is free; false only to break an invariant */
    Replay(ReplayInput input, PolicyPair chosen, Progress progress, Predicate<Held> reportsFreeSlot) {
        this.input = input;
        this.chosen = chosen;
        this.progress = progress;
        this.reportsFreeSlot = reportsFreeSlot;
        long first = input.jobs().get(0).arrivalMillis();
        long end = input.jobs().get(input.jobs().size() - 1).arrivalMillis();
        dimensions = Dimensions.of(input.nodes(), input.jobs());
        time = new ReplayTime(first);
        policies = new ReplayPolicies(time, chosen, input.pool());
        rpc = new ReplayRpc(workers::get, jobs::get);
        invariants = new Invariants(dimensions);
        usage = new Usage(dimensions, input.nodes().size(), input.jobs(), first, Math.max(end, first + 1));
        times = new JobTimes(input.jobs());
        moved = new Moves(input.jobs().size());
        for (Node node : input.nodes()) {
            workers.add(new ReplayedWorker(workers.size(), node, dimensions.amounts(node.total()), onWorkers()));
        }
        backend = input.elastic()
                .map(elastic -> new ReplayBackend(time, elastic.startSeconds(), workers, new ReplayBackend.Fleet() {
                    @Override
                    public void start(ReplayedWorker worker, WorkerId as, String spec) {
                        comes(worker, worker.begin(as, ReplayBackend.NAME, spec));
                    }

                    @Override
                    public void stop(ReplayedWorker worker) {
                        stopWorker(worker);
                    }
                }));
        for (TraceJob job : input.jobs()) {
            jobs.add(new ReplayedJob(jobs.size(), job, onJobs()));
        }
        agenda = new Agenda(input.outages());
    }

    private ReplayedJob.Listener onJobs() {
        return new ReplayedJob.Listener() {
            @Override
            public void workerLost(ReplayedJob job) {
                restart(job);
            }

            @Override
            public List<AllocationId> wantedBack(ReplayedJob job, List<AllocationId> slots) {
                return input.moveSeconds().isPresent() && job.state() == State.RUNNING ? move(job, slots) : List.of();
            }
        };
    }

    private ReplayedWorker.Listener onWorkers() {
        return new ReplayedWorker.Listener() {
            @Override
            public void granted(ReplayedWorker worker, Held slot) {
                Replay.this.granted(worker, slot);
            }

            @Override
            public boolean wantedToEnd(ReplayedWorker worker) {
                backend.orElseThrow(() -> new Invariants.Violation("worker " + worker.name() + " is asked to end"))
                        .ending(worker.id());
                return true;
            }
        };
    }

    /** @throws Invariants.Violation when an invariant is broken */
    ReplayResult run() {
        long cpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        long first = time.now();
        ResourceManagerTerm term = new ResourceManagerTerm(
                new ResourceManagerId(new FencingToken(1, new UUID(0, 0))),
                // Nobody asks here why jobs wait.
                new ResourceManagerTerm.Environment(
                        time,
                        time,
                        time,
                        analysis -> {},
                        files -> {},
                        rpc,
                        policies,
                        backend.<BackendHost>map(elastic -> elastic).orElse(follower -> () -> {})),
                settings(),
                new WorkerLaunch(
                        "java",
                        Path.of("/nowhere"),
                        List.of(),
                        OVERHEAD_MEBIBYTES,
                        Path.of("/nowhere"),
                        ReplayedWorker.ADDRESS,
                        1),
                failure -> {
                    if (failure instanceof Invariants.Violation broken) {
                        throw broken;
                    }
                    throw new AssertionError("the ResourceManager failed", failure);
                });
        try {
            term.start();
            time.drain();
            if (backend.isEmpty()) {
                workers.forEach(worker -> comes(worker, worker.begin()));
            }
            settle();
            while (advance()) {
                progress.at(time.now(), arrived, waiting);
            }
            invariants.checkAll(workers);
        } catch (Invariants.Violation broken) {
            throw new Invariants.Violation(
                    chosen.name() + " at " + time.now() / 1_000.0 + " s: " + broken.getMessage());
        } finally {
            term.close();
            policies.close();
        }
        double seconds = (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - cpu) / 1e9;
        return result(first, seconds);
    }

    private ResourceSettings settings() {
        return ResourceSettings.defaults().toBuilder()
                // Workers report when they leave, and JobMasters do not get lost.
                .heartbeats(Long.MAX_VALUE / 4, Long.MAX_VALUE / 2)
                .requirementCheckDelayMillis(0)
                .previousWorkersWaitMillis(0)
                .slotReturnPauseMillis(SLOT_RETURN_PAUSE_MILLIS / ReplayTime.LAPSE)
                .startupPeriodMillis(Long.MAX_VALUE / 4)
                .workerIdleTimeoutMillis(input.elastic()
                        .map(elastic -> elastic.idleSeconds() * 1_000 / ReplayTime.LAPSE)
                        .orElse(Long.MAX_VALUE / 4))
                .build();
    }

    /** Advances to the next moment in which something happens. @return whether there is one */
    private boolean advance() {
        long arrival = arrived < jobs.size() ? jobs.get(arrived).trace.arrivalMillis() : Long.MAX_VALUE;
        long ending = agenda.nextEnding();
        boolean idle = arrival == Long.MAX_VALUE && ending == Long.MAX_VALUE;
        long turn = idle && waiting == 0 ? Long.MAX_VALUE : agenda.nextTurn();
        long happening = Math.min(Math.min(arrival, ending), turn);
        if (happening == Long.MAX_VALUE && (waiting == 0 || time.now() - lastHappened > GRACE_MILLIS)) {
            return false;
        }
        long next = Math.min(happening, time.nextTimer());
        usage.pass(time.now(), next, waiting);
        time.advanceTo(next);
        if (happening <= next) {
            lastHappened = next;
            happenNow();
        }
        settle();
        if (arrived == jobs.size() && last.isEmpty()) {
            last = Optional.of(
                    new ReplayResult.Last(usage.utilizationNow(), usage.strandedNow(), usage.workersUsedNow()));
        }
        return true;
    }

    private void happenNow() {
        for (Optional<Ending> due = agenda.takeEnding(time.now());
                due.isPresent();
                due = agenda.takeEnding(time.now())) {
            ReplayedJob job = jobs.get(due.get().job());
            if (job.state() == State.RUNNING && job.runs() == due.get().run()) {
                end(job);
            }
        }
        for (Optional<Turn> due = agenda.takeTurn(time.now()); due.isPresent(); due = agenda.takeTurn(time.now())) {
            ReplayedWorker worker = workers.get(due.get().worker());
            if (due.get().up()) {
                comes(worker, worker.begin());
            } else {
                goes(worker);
            }
        }
        while (arrived < jobs.size() && jobs.get(arrived).trace.arrivalMillis() <= time.now()) {
            arrive(jobs.get(arrived++));
        }
    }

    /** Runs everything that is due at this moment, and checks the invariants. */
    private void settle() {
        do {
            time.drain();
            refused.ifPresent(failure -> {
                throw new Invariants.Violation("the ResourceManager rejected a message:  " + failure);
            });
            for (ReplayedWorker worker : invariants.touched()) {
                usage.changed(worker, false);
            }
            invariants.check(policies.ledger(), heldByJobs);
        } while (time.runNextTimer());
    }

    private void comes(ReplayedWorker worker, WorkerRegistration as) {
        send(rpc.resourceManager().registerWorker(as), answer -> {
            if (answer instanceof RegistrationResponse.Accepted accepted) {
                worker.registered(accepted.instance());
            } else {
                refused = Optional.of(new IllegalStateException(answer.toString()));
            }
        });
        usage.changed(worker, true);
    }

    private void goes(ReplayedWorker worker) {
        outages++;
        worker.end().forEach(slot -> invariants.ended(worker, slot));
        usage.changed(worker, true);
        send(rpc.resourceManager().disconnectWorker(worker.instance(), "its node is away"), done -> {});
    }

    /** The worker has no slots and is no longer needed. */
    private void stopWorker(ReplayedWorker worker) {
        if (worker.slotCount() > 0) {
            throw new Invariants.Violation(
                    "worker " + worker.name() + " is ended with " + worker.slotCount() + " slots");
        }
        worker.end();
        usage.changed(worker, true);
    }

    private void arrive(ReplayedJob job) {
        if (!fits(job.trace)) {
            tooLarge++;
            return;
        }
        waiting++;
        send(rpc.resourceManager().registerJobMaster(job.registration()), done -> {});
        send(rpc.resourceManager().declareRequirements(job.wait(1)), done -> {});
    }

    /** Whether the empty cluster can hold each of the job's slot sizes by itself. */
    private boolean fits(TraceJob job) {
        return job.demands().stream().allMatch(demand -> {
            long room = 0;
            long[] needed = dimensions.amounts(demand.profile());
            for (int worker = 0; worker < workers.size() && room < demand.count(); worker++) {
                room += Math.min(workers.get(worker).room(needed), demand.count());
            }
            return room >= demand.count();
        });
    }

    private void granted(ReplayedWorker worker, Held slot) {
        invariants.granted(worker, slot);
        granted++;
        heldByJobs++;
        ReplayedJob job = jobs.get(Integer.parseInt(slot.job().value().substring(1)));
        if (job.take(worker, slot)) {
            waiting--;
            boolean moves = job.state() == State.MOVING;
            job.run(time.now());
            if (moves) {
                long end = moved.ends(job.index, time.now(), input.moveSeconds().orElseThrow());
                agenda.add(new Ending(end, job.index, job.runs()));
            } else {
                begin(job);
            }
        }
    }

    private void begin(ReplayedJob job) {
        times.begins(job.index, time.now());
        job.trace.runMillis().ifPresent(run -> {
            agenda.add(new Ending(time.now() + run, job.index, job.runs()));
            if (input.moveSeconds().isPresent()) {
                moved.begins(job.index, time.now() + run);
                send(rpc.resourceManager().declareRequirements(job.movable()), done -> {});
            }
        });
    }

    /** The job returns slots and waits for others. Its end comes later by that time. */
    private List<AllocationId> move(ReplayedJob job, List<AllocationId> slots) {
        List<Taken> returned = job.move(slots);
        if (returned.isEmpty()) {
            throw new Invariants.Violation("job " + job.trace.name() + " is asked for slots that it does not have");
        }
        waiting++;
        moved.moves(job.index, time.now(), returned.size());
        heldByJobs -= returned.size();
        // The answer comes first, as that of a JobMaster.
        time.execute(() -> returned.forEach(taken -> free(job, taken, "it was asked for")));
        return returned.stream().map(taken -> taken.slot().allocation()).toList();
    }

    private void end(ReplayedJob job) {
        job.end();
        times.ends(job.index, time.now());
        giveBack(job);
        send(rpc.resourceManager().disconnectJobMaster(job.id, job.master(), "it has finished"), done -> {});
    }

    /** A worker of the job is lost. The job returns its other slots and goes back to its old place in the queue. */
    private void restart(ReplayedJob job) {
        if (job.state() == State.RUNNING || job.state() == State.MOVING) {
            waiting += job.state() == State.RUNNING ? 1 : 0;
            times.restarts(job.index, time.now() - job.startedMillis());
        }
        giveBack(job);
        send(rpc.resourceManager().declareRequirements(job.wait(job.attempt() + 1)), done -> {});
    }

    private void giveBack(ReplayedJob job) {
        send(rpc.resourceManager().declareRequirements(job.nothing()), done -> {});
        heldByJobs -= job.slotCount();
        for (Taken taken : job.releaseAll()) {
            free(job, taken, "the job no longer needs it");
        }
    }

    private void free(ReplayedJob job, Taken taken, String cause) {
        ReplayedWorker worker = taken.worker();
        if (worker.holds(taken.slot())) {
            invariants.ended(worker, worker.free(taken.slot().allocation()));
            if (reportsFreeSlot.test(taken.slot())) {
                send(
                        rpc.resourceManager()
                                .slotFreed(new SlotFreed(
                                        worker.instance(), taken.slot().allocation(), job.id, cause)),
                        done -> {});
            }
        }
    }

    private <T> void send(CompletionStage<T> call, Consumer<T> answered) {
        call.whenComplete((answer, failure) -> {
            if (failure != null) {
                refused = Optional.of(failure);
            } else {
                answered.accept(answer);
            }
        });
    }

    private ReplayResult result(long first, double cpuSeconds) {
        double[] waits = times.waits();
        double[] slowdowns = times.slowdowns();
        return new ReplayResult(
                chosen.name(),
                chosen.matching().label(),
                chosen.distribution().label(),
                jobs.size(),
                tooLarge,
                times.begun(),
                times.ended(),
                waiting,
                times.restarts(),
                times.restartedJobs(),
                times.lostCoreSeconds(),
                outages,
                Statistics.mean(waits),
                Statistics.percentile(waits, 0.95),
                Statistics.most(waits),
                Statistics.mean(slowdowns),
                Statistics.percentile(slowdowns, 0.95),
                times.fairnessOfUsers(),
                times.fairnessOfQueues(),
                usage.utilization(),
                usage.freeWhileWaiting(),
                usage.stranded(),
                usage.waitingShare(),
                usage.meanWorkersUsed(),
                usage.mostWorkersUsed(),
                usage.meanWorkers(),
                moved.figures(),
                last.orElseThrow(),
                (input.jobs().get(jobs.size() - 1).arrivalMillis() - first) / 1_000.0,
                (lastHappened - first) / 1_000.0,
                policies.rejections(),
                granted,
                invariants.steps(),
                cpuSeconds,
                usage.series().binned(BINS));
    }
}
