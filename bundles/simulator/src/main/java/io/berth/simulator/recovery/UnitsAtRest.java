package io.berth.simulator.recovery;

import io.berth.core.api.gateway.ResourceManagerGateway.GroupRequirement;
import io.berth.core.api.gateway.SlotReport;
import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobDetails.VertexDetails;
import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobStatus;
import io.berth.core.scheduler.job.JobUnit;
import io.berth.core.scheduler.job.JobUnit.BlockingEdge;
import io.berth.core.scheduler.job.Requirements;
import io.berth.simulator.world.Worker;
import io.berth.simulator.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The units of a job with blocking edges in a world at rest (oracle J): none waits while the results that it reads are
 * stored and there is room for its minimum. A result that is needed and not stored is being produced, if there is room.
 */
final class UnitsAtRest {

    private final World world;
    private final JobDetails job;
    private final JobGraph graph;
    private final long epoch;
    private final FreeRoom room;
    private final List<JobUnit> units;
    private final List<String> problems = new ArrayList<>();
    private boolean runs;
    private boolean waits;

    /**
     * @param epoch of the JobMaster
     * @param room that the job may have
     */
    UnitsAtRest(World world, JobDetails job, JobGraph graph, long epoch, FreeRoom room) {
        this.world = world;
        this.job = job;
        this.graph = graph;
        this.epoch = epoch;
        this.room = room;
        this.units = JobUnit.of(graph);
        units.forEach(this::look);
        if (runs && job.status() != JobStatus.EXECUTING || !runs && job.status() != JobStatus.WAITING_FOR_RESOURCES) {
            problems.add("C: job " + job.id() + " with " + (runs ? "running units" : "no running unit") + " is "
                    + job.status() + ": " + job.reason());
        }
    }

    List<String> problems() {
        return problems;
    }

    /** Whether a unit runs. */
    boolean doesOneRun() {
        return runs;
    }

    /** Whether a unit has its input, and waits because there is no room. */
    boolean doesOneWait() {
        return waits;
    }

    private void look(JobUnit unit) {
        if (isRunning(unit)) {
            runs = true;
        } else if (!hasFinished(unit)) {
            mustRun(unit);
        }
    }

    /** A unit that does not run has to: its input is not there, or there is no room. */
    private void mustRun(JobUnit unit) {
        boolean hasInputs = true;
        for (BlockingEdge input : unit.inputs()) {
            if (!world.watchedJobs.isStored(graph, epoch, input.number())) {
                hasInputs = false;
                // It has to run again, even if it has finished.
                units.stream()
                        .filter(producer -> producer.contains(input.from().name()) && !isRunning(producer))
                        .forEach(this::mustRun);
            }
        }
        // A JobMaster that lost a worker for a while produces its results again, although they are still there.
        if (hasInputs && !isInputProducedAgain(unit)) {
            waits(unit);
        }
    }

    /** A producer that has not finished runs again or waits for that, and is looked at itself. */
    private boolean isInputProducedAgain(JobUnit unit) {
        return unit.inputs().stream()
                .flatMap(input -> units.stream()
                        .filter(producer -> producer.contains(input.from().name())))
                .anyMatch(producer -> !hasFinished(producer) || isInputProducedAgain(producer));
    }

    private void waits(JobUnit unit) {
        waits = true;
        SortedMap<String, Integer> lacking = new TreeMap<>();
        for (GroupRequirement group : Requirements.of(unit.graph(), Requirements.desired(unit.graph()))) {
            lacking.put(group.group(), group.minimum() - slots(unit, group.group()));
        }
        if (room.holdsForSure(lacking, Explained.sizes(graph))) {
            problems.add("J: unit " + unit.name() + " of job " + job.id() + " waits although its input is there, and"
                    + " there is room for the " + lacking + " that it lacks: " + room + "; job is " + job.status()
                    + ": " + job.reason());
        }
    }

    private int slots(JobUnit unit, String group) {
        int count = 0;
        for (Worker worker : world.workers()) {
            for (SlotReport.Slot slot : worker.slots().map(SlotReport::slots).orElse(List.of())) {
                if (slot.job().equals(graph.id())
                        && slot.unit().equals(unit.name())
                        && slot.group().equals(group)) {
                    count++;
                }
            }
        }
        return count;
    }

    private boolean isRunning(JobUnit unit) {
        return world.exchange.running().stream()
                .map(task -> task.deployment().attempt())
                .anyMatch(attempt ->
                        attempt.job().equals(graph.id()) && attempt.epoch() == epoch && unit.contains(attempt.chain()));
    }

    private boolean hasFinished(JobUnit unit) {
        return job.vertices().stream()
                .filter(vertex -> unit.contains(vertex.name()))
                .allMatch(UnitsAtRest::hasFinished);
    }

    private static boolean hasFinished(VertexDetails vertex) {
        return vertex.parallelism() > 0 && vertex.finished() == vertex.parallelism();
    }
}
