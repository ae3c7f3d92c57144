package io.berth.simulator.seed;

import io.berth.simulator.fault.MessageFaults.Target;
import io.berth.simulator.fault.ProcessFaults.Fault;
import java.util.List;
import java.util.OptionalDouble;

/**
 * What may happen in a simulation, and the size of its world.
 *
 * @param faults of processes, clocks and the network; none: only messages suffer
 * @param targets kinds of message to which an operator is applied often; empty: one cell that the seed names
 * @param strength factor for all other messages; empty: drawn
 * @param liveness whether faults stop from time to time and the world must recover; otherwise only safety is checked
 * @param workers maximum number of workers
 * @param jobs that run at a time
 * @param broad whether a seed also tests further cells a little, and provokes their messages; the fixed seeds of the
 *     tests use only their own cell
 */
public record Plan(
        List<Fault> faults,
        List<Target> targets,
        OptionalDouble strength,
        boolean liveness,
        int workers,
        int jobs,
        boolean broad) {

    public Plan(
            List<Fault> faults,
            List<Target> targets,
            OptionalDouble strength,
            boolean liveness,
            int workers,
            int jobs) {
        this(faults, targets, strength, liveness, workers, jobs, false);
    }

    public Plan {
        faults = List.copyOf(faults);
        targets = List.copyOf(targets);
        if (workers < 1) {
            throw new IllegalArgumentException("workers is " + workers + ": at least 1 is allowed");
        }
        if (jobs < 1) {
            throw new IllegalArgumentException("jobs is " + jobs + ": at least 1 is allowed");
        }
    }

    /** Everything, with five workers and three jobs. */
    public static Plan all() {
        return new Plan(List.of(Fault.values()), List.of(), OptionalDouble.empty(), true, 5, 3);
    }

    /** The same with more cells for each seed. */
    public Plan broadly() {
        return new Plan(faults, targets, strength, liveness, workers, jobs, true);
    }
}
