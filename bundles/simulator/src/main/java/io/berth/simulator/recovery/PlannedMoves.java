package io.berth.simulator.recovery;

import io.berth.core.api.gateway.ResourceManagerGateway;
import io.berth.core.api.gateway.SlotReport;
import io.berth.core.api.gateway.WorkerLeave;
import io.berth.core.api.rpc.EndpointName;
import io.berth.simulator.time.VirtualTime;
import io.berth.simulator.world.Worker;
import io.berth.simulator.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Lets a worker leave in a world at rest, with enough time: drained by an operator, or taken away by its backend. No job
 * restarts as failed because of that, and the worker has no slots when its time is over.
 */
public final class PlannedMoves {

    /** Longer than a job takes to get other slots, and than it takes to restart before a deadline. */
    private static final long NOTICE_NANOS = 60 * VirtualTime.SECOND;

    private static final long AFTERWARDS_NANOS = 15 * VirtualTime.SECOND;

    private PlannedMoves() {}

    /** Takes a minute and a half of virtual time. Returns what is wrong. */
    public static List<String> problems(World world, RandomGenerator random) {
        List<Worker> living = world.workers().stream().filter(Worker::isAlive).toList();
        Optional<ResourceManagerGateway> resourceManager =
                world.serving(EndpointName.RESOURCE_MANAGER).map(world.observer()::resourceManager);
        if (living.isEmpty() || resourceManager.isEmpty()) {
            return List.of();
        }
        List<Worker> used =
                living.stream().filter(worker -> !slots(worker).isEmpty()).toList();
        List<Worker> from = used.isEmpty() ? living : used;
        Worker worker = from.get(random.nextInt(from.size()));
        boolean taken = !worker.isStandalone() && random.nextBoolean();
        Convergence.Look before = Convergence.at(world);
        List<String> problems = new ArrayList<>();
        // A backend may not know workers of an earlier one.
        taken = taken && world.takeAway(worker.id(), NOTICE_NANOS, true);
        if (!taken) {
            resourceManager
                    .get()
                    .drainWorkers(
                            worker.id().value(), new WorkerLeave(NOTICE_NANOS / VirtualTime.MILLI, "a planned move"));
        }
        world.runFor(NOTICE_NANOS - VirtualTime.MILLI);
        if (worker.isAlive() && !slots(worker).isEmpty()) {
            problems.add("D: worker " + worker.id() + " has slots at the end of its time: " + slots(worker));
        }
        world.runFor(AFTERWARDS_NANOS);
        resourceManager.get().undrainWorkers(worker.id().value());
        Convergence.Look after = Convergence.at(world);
        String how = taken ? "taken away by its backend" : "drained by an operator";
        after.failures().forEach((job, failures) -> {
            if (failures > before.failures().getOrDefault(job, failures)) {
                problems.add("D: job " + job + " restarted as failed although worker " + worker.id() + " left after "
                        + NOTICE_NANOS / VirtualTime.SECOND + " s, " + how);
            }
        });
        return problems;
    }

    private static List<SlotReport.Slot> slots(Worker worker) {
        return worker.slots().map(SlotReport::slots).orElse(List.of());
    }
}
