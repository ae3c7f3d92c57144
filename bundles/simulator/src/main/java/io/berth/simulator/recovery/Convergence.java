package io.berth.simulator.recovery;

import io.berth.core.api.gateway.ClusterDetails;
import io.berth.core.api.gateway.ClusterQuery;
import io.berth.core.api.gateway.SlotReport;
import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobDetails.VertexDetails;
import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobGraph.JobEdge;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.job.ParallelismBounds.VertexBounds;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.simulator.job.JobStore;
import io.berth.simulator.time.VirtualTime;
import io.berth.simulator.world.Worker;
import io.berth.simulator.world.World;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * Checks a world that had time to recover: everything that can be satisfied is satisfied, jobs that cannot run have a
 * reason, living processes are known as such, and the ResourceManager, the JobMasters and the workers agree on every
 * slot (P4, P8, P10).
 */
public final class Convergence {

    private static final long LOOK_NANOS = 2 * VirtualTime.SECOND;

    /**
     * What is known about a world at rest.
     *
     * @param problems what is wrong; empty: everything has recovered
     * @param registrations since when each worker is registered
     * @param restarts of each job, planned and failed
     * @param failures how often each job restarted as failed
     * @param jobs that have not ended
     */
    public record Look(
            List<String> problems,
            SortedMap<String, Long> registrations,
            SortedMap<JobId, Integer> restarts,
            SortedMap<JobId, Integer> failures,
            SortedMap<JobId, JobDetails> jobs) {

        /** What the JobMaster of a job says; empty when it did not answer. */
        public Optional<JobDetails> job(JobId id) {
            return Optional.ofNullable(jobs.get(id));
        }

        /** Whether nobody that was present both times was lost in between. */
        public boolean agrees(Look before) {
            return registrations.entrySet().stream()
                            .allMatch(entry -> entry.getValue()
                                    .equals(before.registrations.getOrDefault(entry.getKey(), entry.getValue())))
                    && restarts.entrySet().stream()
                            .allMatch(entry -> entry.getValue()
                                    .equals(before.restarts.getOrDefault(entry.getKey(), entry.getValue())));
        }
    }

    private static final int MAX_TURNS = 10;
    private static final long TURN_NANOS = VirtualTime.MILLI;

    private final World world;
    private final List<String> problems = new ArrayList<>();
    private final SortedMap<String, Long> registrations = new TreeMap<>();
    private final SortedMap<JobId, Integer> restarts = new TreeMap<>();
    private final SortedMap<JobId, Integer> failures = new TreeMap<>();
    private final SortedMap<JobId, CompletableFuture<JobDetails>> asked = new TreeMap<>();
    private final SortedMap<JobId, Long> epochs = new TreeMap<>();

    private Convergence(World world) {
        this.world = world;
    }

    /** Takes some virtual time. */
    public static Look at(World world) {
        Convergence convergence = new Convergence(world);
        convergence.look();
        SortedMap<JobId, JobDetails> jobs = new TreeMap<>();
        convergence.asked.keySet().forEach(job -> convergence.details(job).ifPresent(its -> jobs.put(job, its)));
        return new Look(
                List.copyOf(convergence.problems),
                convergence.registrations,
                convergence.restarts,
                convergence.failures,
                jobs);
    }

    private void look() {
        Optional<EndpointRef> resourceManager = world.serving(EndpointName.RESOURCE_MANAGER);
        Optional<EndpointRef> jobMasters = world.serving(EndpointName.JOB_MASTERS);
        if (resourceManager.isEmpty()
                || jobMasters.isEmpty()
                || world.serving(EndpointName.DISPATCHER).isEmpty()) {
            problems.add("C: a role has no leader");
            return;
        }
        CompletableFuture<ClusterDetails> cluster = world.observer()
                .resourceManager(resourceManager.get())
                .clusterDetails(ClusterQuery.ALL)
                .toCompletableFuture();
        for (JobStore.Stored job : world.jobs.unfinished()) {
            JobId id = job.graph().id();
            asked.put(
                    id,
                    world.observer()
                            .resolve(jobMasters.get().address(), EndpointName.jobMaster(id))
                            .thenCompose(jobMaster -> {
                                epochs.put(id, jobMaster.token().epoch());
                                return world.observer().jobMaster(jobMaster).details();
                            })
                            .toCompletableFuture());
        }
        world.runFor(LOOK_NANOS);
        for (int more = 0; more < MAX_TURNS && isAnyWorkerAtWork(); more++) {
            world.runFor(TURN_NANOS);
        }
        if (!isThere(cluster)) {
            problems.add("C: the ResourceManager does not answer: " + failure(cluster));
            return;
        }
        workers(cluster.join());
        jobs(cluster.join());
        slots(cluster.join());
    }

    /** A worker that is busy at this moment does not report its slots. */
    private boolean isAnyWorkerAtWork() {
        return world.workers().stream()
                .anyMatch(worker -> worker.isAlive() && worker.slots().isEmpty());
    }

    private static boolean isThere(CompletableFuture<?> answer) {
        return answer.isDone() && !answer.isCompletedExceptionally();
    }

    private static String failure(CompletableFuture<?> answer) {
        return answer.isDone()
                ? answer.handle((value, failure) -> failure.toString()).join()
                : "no answer";
    }

    private void workers(ClusterDetails cluster) {
        SortedSet<String> living = new TreeSet<>();
        for (Worker worker : world.workers()) {
            if (worker.isAlive()) {
                living.add(worker.id().value());
            }
        }
        SortedSet<String> known = new TreeSet<>();
        for (ClusterDetails.WorkerDetails worker : cluster.workers()) {
            known.add(worker.id());
            registrations.put(worker.id(), worker.registeredMillis());
            if (worker.state().equals("registered") && !living.contains(worker.id())) {
                problems.add("C: worker " + worker.id() + " is dead and still registered");
            }
            if (worker.state().equals("pending")) {
                problems.add("C: worker " + worker.id() + " is still pending");
            }
        }
        for (String worker : living) {
            if (!known.contains(worker)) {
                problems.add("C: worker " + worker + " lives and is not registered");
            }
        }
    }

    private void jobs(ClusterDetails cluster) {
        FreeRoom room = FreeRoom.of(world, cluster);
        SortedMap<JobId, JobGraph> below = new TreeMap<>();
        for (JobStore.Stored stored : world.jobs.unfinished()) {
            JobId id = stored.graph().id();
            CompletableFuture<JobDetails> answer = asked.get(id);
            if (answer == null) {
                continue;
            }
            if (!isThere(answer)) {
                problems.add("C: JobMaster of job " + id + " does not answer: " + failure(answer));
                continue;
            }
            JobDetails job = answer.join();
            restarts.put(id, job.restarts() + job.rescales());
            failures.put(id, job.restarts());
            if (!job.status().isTerminal()) {
                requirements(job, stored.graph());
                boolean runs = stored.graph().edges().stream().anyMatch(JobEdge::isBlocking)
                        ? units(job, stored.graph(), room.of(stored.graph()))
                        : job(job, stored.graph(), room.of(stored.graph()));
                if (!runs) {
                    below.put(id, stored.graph());
                }
            }
        }
        deadlock(below, cluster);
        leaving(cluster, room);
    }

    /** The JobMaster has the bounds that are stored. */
    private void requirements(JobDetails job, JobGraph graph) {
        List<VertexBounds> known = job.vertices().stream()
                .map(vertex -> new VertexBounds(vertex.name(), vertex.minimum(), vertex.desired(), vertex.maximum()))
                .toList();
        if (!known.equals(graph.bounds().vertices())) {
            problems.add("C: the JobMaster of job " + job.id() + " has the requirements " + known + ", stored are "
                    + graph.bounds());
        }
    }

    private Optional<JobDetails> details(JobId job) {
        return Optional.ofNullable(asked.get(job)).filter(Convergence::isThere).map(CompletableFuture::join);
    }

    /** An empty worker that leaves is released; the jobs of another one have no room elsewhere, and time left. */
    private void leaving(ClusterDetails cluster, FreeRoom room) {
        for (ClusterDetails.WorkerDetails worker : cluster.workers()) {
            if (worker.leavingReason().isEmpty()) {
                continue;
            }
            List<ClusterDetails.SlotDetails> slots = cluster.slots().stream()
                    .filter(slot -> slot.worker().equals(worker.id()))
                    .toList();
            if (slots.isEmpty() && !worker.spec().isEmpty()) {
                problems.add("D: worker " + worker.id() + " leaves, is empty and was not released");
            }
            if (!slots.isEmpty() && worker.leavingMillis() == 0) {
                problems.add("D: worker " + worker.id() + " had to be empty by now and has " + slots);
            }
            for (JobStore.Stored stored : world.jobs.unfinished()) {
                if (details(stored.graph().id())
                        .filter(job -> runsWithLess(job) && !mayRun(job))
                        .isPresent()) {
                    continue;
                }
                SortedMap<String, Integer> moving = new TreeMap<>();
                slots.stream()
                        .filter(slot -> slot.job().equals(stored.graph().id().value()))
                        .forEach(slot -> moving.merge(slot.group(), 1, Integer::sum));
                FreeRoom allowed = room.of(stored.graph()).allowedBy(Explained.constraints(stored.graph()));
                if (!moving.isEmpty() && allowed.holdsForSure(moving, Explained.sizes(stored.graph()))) {
                    problems.add("D: job " + stored.graph().id() + " stays with " + moving + " on worker " + worker.id()
                            + ", which leaves, although there is room: " + room);
                }
            }
        }
    }

    /** Its minimum was raised since it started: it runs, but a restart needs the whole minimum. */
    private static boolean runsWithLess(JobDetails job) {
        return job.status() == JobStatus.EXECUTING
                && running(job).anyMatch(vertex -> vertex.parallelism() < vertex.minimum());
    }

    /** The vertices that run. Others may have run before their bounds changed. */
    private static Stream<VertexDetails> running(JobDetails job) {
        return job.vertices().stream().filter(vertex -> vertex.running() > 0);
    }

    /** How many slots of a group its running vertices need. */
    private static int widest(JobDetails job, JobGraph graph, String group) {
        return graph.vertices().stream()
                .filter(vertex -> vertex.group().equals(group))
                .flatMap(vertex -> running(job).filter(its -> its.name().equals(vertex.name())))
                .mapToInt(VertexDetails::parallelism)
                .max()
                .orElse(0);
    }

    private static boolean isWithinBounds(JobDetails job) {
        return running(job)
                .allMatch(
                        vertex -> vertex.minimum() <= vertex.parallelism() && vertex.parallelism() <= vertex.maximum());
    }

    private static boolean mayRun(JobDetails job) {
        return job.groups().stream().allMatch(group -> group.acquired() >= group.minimum());
    }

    /**
     * Jobs that cannot run with their slots must not keep them from a job of their pool that could: some job runs with
     * them.
     */
    private void deadlock(SortedMap<JobId, JobGraph> below, ClusterDetails cluster) {
        below.forEach((id, graph) -> {
            SortedSet<JobId> others = new TreeSet<>();
            below.forEach((other, its) -> {
                if (its.attributes().pool().equals(graph.attributes().pool())) {
                    others.add(other);
                }
            });
            FreeRoom room = FreeRoom.without(others, world, cluster).of(graph);
            SortedMap<String, Integer> minimum = new TreeMap<>();
            Objects.requireNonNull(asked.get(id))
                    .join()
                    .groups()
                    .forEach(group -> minimum.put(group.name(), group.minimum()));
            if (room.allowedBy(Explained.constraints(graph)).holdsForSure(minimum, Explained.sizes(graph))) {
                problems.add(
                        "C: job " + id + " waits for " + minimum + ", which fit into what is free or held without use"
                                + " by jobs that also wait, of " + others + ": " + room);
            }
        });
    }

    /**
     * A job has all that it desires, or there is no room for what it lacks. If it waits, it has a reason.
     *
     * @param all the room of its pool
     * @return whether it may run with what it has, or does so
     */
    private boolean job(JobDetails job, JobGraph graph, FreeRoom all) {
        FreeRoom room = all.allowedBy(Explained.constraints(graph));
        SortedMap<String, ResourceProfile> sizes = Explained.sizes(graph);
        SortedMap<String, Integer> minimum = new TreeMap<>();
        for (JobDetails.GroupDetails group : job.groups()) {
            minimum.put(group.name(), group.minimum() - group.acquired());
        }
        boolean mayRun = mayRun(job);
        boolean mayWait = !mayRun && !room.holdsForSure(minimum, sizes);
        // It would not run after a restart, so it keeps also what it uses beyond a maximum that was lowered.
        boolean keeps = mayWait && runsWithLess(job);
        for (JobDetails.GroupDetails group : job.groups()) {
            int lacking = group.desired() - group.acquired();
            boolean tooMany = lacking < 0 && !(keeps && group.acquired() <= widest(job, graph, group.name()));
            if (tooMany
                    || lacking > 0
                            && !mayWait
                            && !(mayRun && !room.fits(Objects.requireNonNull(sizes.get(group.name()))))) {
                problems.add("C: job " + job.id() + " has " + group.acquired() + " slots of group " + group.name()
                        + ", desired are " + group.desired() + ", free are " + room);
            }
        }
        if (mayRun && job.status() == JobStatus.EXECUTING && !isWithinBounds(job)) {
            problems.add("C: job " + job.id() + " has its slots and runs outside of its bounds: " + job.vertices());
        }
        boolean waits = mayWait && !keeps;
        if (job.status() == (waits ? JobStatus.WAITING_FOR_RESOURCES : JobStatus.EXECUTING)) {
            (waits ? Explained.waiting(job, graph, all, room.isLess(all)) : Explained.running(job))
                    .ifPresent(problems::add);
        } else {
            problems.add("C: job " + job.id() + " is " + job.status() + ": " + job.reason());
        }
        return mayRun || runsWithLess(job);
    }

    /**
     * The same for a job with several units, of which some may run while others wait.
     *
     * @return whether one runs
     */
    private boolean units(JobDetails job, JobGraph graph, FreeRoom all) {
        FreeRoom room = all.allowedBy(Explained.constraints(graph));
        UnitsAtRest units = new UnitsAtRest(world, job, graph, Objects.requireNonNull(epochs.get(graph.id())), room);
        problems.addAll(units.problems());
        for (JobDetails.GroupDetails group : job.groups()) {
            int lacking = group.desired() - group.acquired();
            boolean fits =
                    room.fits(Objects.requireNonNull(Explained.sizes(graph).get(group.name())));
            if (lacking < 0 || lacking > 0 && !units.doesOneWait() && fits) {
                problems.add("C: job " + job.id() + " has " + group.acquired() + " slots of group " + group.name()
                        + ", desired for its units are " + group.desired() + ", free are " + room);
            }
        }
        if (!units.doesOneWait() && !isWithinBounds(job)) {
            problems.add("C: job " + job.id() + " has its slots and runs outside of its bounds: " + job.vertices());
        }
        (units.doesOneRun() ? Explained.running(job) : Explained.waiting(job, graph, all, room.isLess(all)))
                .ifPresent(problems::add);
        return units.doesOneRun();
    }

    /** All three sides agree on each slot. */
    private void slots(ClusterDetails cluster) {
        SortedSet<String> resourceManager = new TreeSet<>();
        cluster.slots()
                .forEach(slot -> resourceManager.add(slot.allocation() + " of " + slot.job() + " on " + slot.worker()));
        SortedSet<String> workers = new TreeSet<>();
        for (Worker worker : world.workers()) {
            for (SlotReport.Slot slot : worker.slots().map(SlotReport::slots).orElse(List.of())) {
                workers.add(slot.allocation() + " of " + slot.job() + " on " + worker.id());
            }
        }
        if (!resourceManager.equals(workers)) {
            problems.add("K: the ResourceManager knows the slots " + without(resourceManager, workers)
                    + " that workers do not have, and not " + without(workers, resourceManager));
        }
        SortedSet<String> jobMasters = new TreeSet<>();
        asked.forEach((id, answer) -> {
            if (isThere(answer)) {
                answer.join()
                        .slots()
                        .forEach(slot -> jobMasters.add(slot.allocation() + " of " + id + " on " + slot.worker()));
            }
        });
        for (Worker worker : world.workers()) {
            int known = worker.slots().map(SlotReport::results).orElse(0);
            int stored = worker.life()
                    .map(life -> world.exchange.results().on(life).size())
                    .orElse(0);
            if (known != stored) {
                problems.add("R: worker " + worker.id() + " stores " + stored + " results and knows " + known);
            }
        }
        if (!jobMasters.equals(workers)) {
            problems.add("K: JobMasters have the slots " + without(jobMasters, workers)
                    + " that workers do not have, and not " + without(workers, jobMasters));
        }
    }

    private static SortedSet<String> without(SortedSet<String> all, SortedSet<String> some) {
        SortedSet<String> rest = new TreeSet<>(all);
        rest.removeAll(some);
        return rest;
    }
}
