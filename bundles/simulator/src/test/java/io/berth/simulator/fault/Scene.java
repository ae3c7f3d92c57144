package io.berth.simulator.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.JobMasterId;
import io.berth.core.api.gateway.SlotReport;
import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobGraph.JobEdge;
import io.berth.core.api.job.JobGraph.JobVertex;
import io.berth.core.api.job.JobGraph.Partitioning;
import io.berth.core.api.job.JobGraph.SlotSharingGroup;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.job.SchedulingAttributes;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.simulator.job.BatchShapes;
import io.berth.simulator.job.JobShapes;
import io.berth.simulator.job.JobStore;
import io.berth.simulator.job.SimulatedTask;
import io.berth.simulator.network.Coverage;
import io.berth.simulator.network.MessageKinds;
import io.berth.simulator.recovery.Convergence;
import io.berth.simulator.time.Incarnation;
import io.berth.simulator.time.VirtualTime;
import io.berth.simulator.time.VirtualTime.What;
import io.berth.simulator.world.Master;
import io.berth.simulator.world.Tuning;
import io.berth.simulator.world.Worker;
import io.berth.simulator.world.World;
import io.berth.spi.JobId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A simulated world in which a test injects chosen faults into chosen jobs, with all oracles of the simulator. */
final class Scene {

    /** Similar to the defaults. The largest timeout that a recovery waits for is 20 s. */
    static final Tuning TUNING =
            new Tuning(2_000, 10_000, 20_000, 20_000, 5_000, 10_000, 5_000, 500, 1_000, 20_000, 240_000, 5_000, false);

    private static final int KEY_GROUPS = 16;
    private static final int RECORDS_OF_SPLIT = 10;
    private static final long REST_NANOS = 60 * VirtualTime.SECOND;
    private static final long COMES_BACK_NANOS = 30 * VirtualTime.SECOND;
    private static final long STEP_NANOS = 100 * VirtualTime.MILLI;

    final World world;
    /** Which processes started and what was lost, as lines of the trace; empty when it is not recorded. */
    final List<String> story = new ArrayList<>();

    private final Coverage coverage;
    private long jobs;

    Scene(long seed, World.Shape shape) {
        this(seed, shape, false);
    }

    /** @param hasStory whether to record a {@link #story}, which takes time */
    Scene(long seed, World.Shape shape, boolean hasStory) {
        MessageKinds kinds = new MessageKinds();
        coverage = new Coverage(kinds);
        world = new World(
                seed, shape, TUNING, hasStory ? Optional.of(this::addToStory) : Optional.empty(), coverage, kinds);
        world.calm(false);
    }

    private void addToStory(String line) {
        if (line.contains(" begins") || line.contains("LOSE ") || line.contains(" fails: ")) {
            story.add(line);
        }
    }

    /** How many messages of that kind were sent. */
    long sent(String kind) {
        return coverage.sent(kind);
    }

    void run(long seconds) {
        world.runFor(seconds * VirtualTime.SECOND);
    }

    /** Submits a job of one group with a fixed parallelism. */
    JobId submit(int parallelism, int splits, long splitMillis) {
        long index = ++jobs;
        JobId id = new JobId("job-" + index);
        world.jobs.submit(graph(id, index, parallelism, splits, splitMillis));
        return id;
    }

    /**
     * Submits a job with blocking edges.
     *
     * @param edges such as {@code a>b a-c}: blocking from a to b, and pipelined from a to c
     */
    JobId submit(String edges, int minimum, int desired, int splits, long millis) {
        long index = ++jobs;
        JobId id = new JobId("job-" + index);
        world.jobs.submit(BatchShapes.job(id, index, edges, minimum, desired, splits, millis));
        return id;
    }

    /** A job of one group with a fixed parallelism. */
    static JobGraph graph(JobId id, long index, int parallelism, int splits, long splitMillis) {
        SortedMap<String, String> source = new TreeMap<>();
        source.put(SimulatedTask.SPLITS, Integer.toString(splits));
        source.put(SimulatedTask.SPLIT_MILLIS, Long.toString(splitMillis));
        return new JobGraph(
                id,
                id.value(),
                index,
                SchedulingAttributes.DEFAULT,
                new TreeMap<>(),
                List.of(),
                List.of(
                        new JobVertex(
                                "source",
                                "simulated",
                                parallelism,
                                parallelism,
                                parallelism,
                                KEY_GROUPS,
                                "default",
                                source),
                        new JobVertex(
                                "sink",
                                "simulated",
                                parallelism,
                                parallelism,
                                parallelism,
                                KEY_GROUPS,
                                "default",
                                new TreeMap<>())),
                List.of(new JobEdge("source", "sink", Partitioning.HASH)),
                List.of(new SlotSharingGroup("default", JobShapes.SLOT)));
    }

    /** The time within which the cluster must have recovered: three times the largest timeout. */
    long bound() {
        return 3 * world.tuning.largest() * VirtualTime.MILLI;
    }

    /**
     * Lets time pass until every oracle of a world at rest is satisfied, and fails when that takes longer than the
     * bound.
     */
    void settles() {
        long end = world.time.now() + bound();
        Convergence.Look look = Convergence.at(world);
        while (!look.problems().isEmpty() && world.time.now() < end) {
            world.runFor(STEP_NANOS);
            look = Convergence.at(world);
        }
        assertThat(look.problems())
                .as("%d ms after the last fault", bound() / VirtualTime.MILLI)
                .isEmpty();
    }

    /** Like {@link #settles}, and until then workers never have more than {@code slots} slots. */
    void settlesWithAtMost(int slots) {
        long end = world.time.now() + bound();
        List<String> problems = List.of("not checked yet");
        while (!problems.isEmpty() && world.time.now() < end) {
            for (int step = 0; step < 20; step++) {
                world.runFor(STEP_NANOS);
                assertThat(slotsAtWorkers()).hasSizeLessThanOrEqualTo(slots);
            }
            problems = Convergence.at(world).problems();
        }
        assertThat(problems)
                .as("%d ms after the last fault", bound() / VirtualTime.MILLI)
                .isEmpty();
        assertThat(slotsAtWorkers()).hasSize(slots);
    }

    /** A minute without faults: no living process is declared lost in it. */
    void rests() {
        Convergence.Look before = Convergence.at(world);
        world.runFor(REST_NANOS);
        Convergence.Look after = Convergence.at(world);
        assertThat(after.problems()).isEmpty();
        assertThat(after.agrees(before)).as("%s, then %s", before, after).isTrue();
    }

    /** Lets a job end, and compares its output with its input. */
    void finishesWithAllRecords(JobId job, int splits) {
        finishes(job);
        assertThat(world.output.records(job)).as("records of job %s", job).isEqualTo(splits * RECORDS_OF_SPLIT);
    }

    /** Lets a job end. */
    void finishes(JobId job) {
        JobStore.Stored stored = world.jobs.find(job).orElseThrow();
        world.calm(false);
        for (int seconds = 0; seconds < 1_200 && !stored.hasEnded(); seconds++) {
            run(1);
        }
        assertThat(stored.end()).as("end of job %s", job).isPresent();
        assertThat(stored.end().orElseThrow().status()).isEqualTo(JobStatus.FINISHED);
    }

    /** The JobMaster of a job; takes a moment. */
    EndpointRef jobMaster(JobId job) {
        EndpointRef leader = world.serving(EndpointName.JOB_MASTERS).orElseThrow();
        return answered(world.observer().resolve(leader.address(), EndpointName.jobMaster(job)));
    }

    /** The details from the JobMaster of the job; takes a moment. */
    JobDetails details(JobId job) {
        return answered(world.observer().jobMaster(jobMaster(job)).details());
    }

    private <T> T answered(CompletionStage<T> stage) {
        CompletableFuture<T> answer = stage.toCompletableFuture();
        run(1);
        assertThat(answer).isCompleted();
        return answer.join();
    }

    /** All slots that workers have, as ALLOCATION of JOB on WORKER. */
    SortedSet<String> slotsAtWorkers() {
        SortedSet<String> slots = new TreeSet<>();
        for (Worker worker : world.workers()) {
            reported(worker).forEach(slot -> slots.add(slot.allocation() + " of " + slot.job() + " on " + worker.id()));
        }
        return slots;
    }

    /** The JobMasters that own slots, as the workers report them. */
    List<JobMasterId> ownersAtWorkers() {
        return world.workers().stream()
                .flatMap(worker -> reported(worker).stream())
                .map(SlotReport.Slot::jobMaster)
                .distinct()
                .toList();
    }

    private static List<SlotReport.Slot> reported(Worker worker) {
        return worker.slots().map(SlotReport::slots).orElse(List.of());
    }

    /** The tasks of a job that run. */
    List<SimulatedTask> tasks(JobId job) {
        return world.exchange.running().stream()
                .filter(task -> task.deployment().attempt().job().equals(job))
                .toList();
    }

    /** How many processes of workers there have been. */
    long workersBegun() {
        List<String> masters = world.masters().stream().map(Master::name).toList();
        return story.stream()
                .filter(line -> line.contains(" begins"))
                .filter(line -> masters.stream().noneMatch(master -> line.contains(" " + master + "#")))
                .count();
    }

    /** The leader of a role. */
    Master leading(EndpointName role) {
        Incarnation process = world.election.leader(role).orElseThrow().process();
        return world.masters().stream()
                .filter(master -> master.life().filter(life -> life == process).isPresent())
                .findFirst()
                .orElseThrow(() -> new AssertionError(role + " is led by " + process + ", which is dead"));
    }

    /** A worker with tasks of the job. */
    Worker workerOf(JobId job) {
        return world.workerOf(tasks(job).get(0).process()).orElseThrow();
    }

    /** SIGKILL; the process comes back when others have taken over. */
    void kill(Master master) {
        master.kill("kill -9");
        world.time.in(COMES_BACK_NANOS, What.WORLD, world.outside, master::boot);
    }

    void resumeAfter(Incarnation process, long seconds) {
        world.time.in(seconds * VirtualTime.SECOND, What.WORLD, world.outside, process::resume);
    }
}
