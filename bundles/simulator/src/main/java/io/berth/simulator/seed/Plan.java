package io.berth.simulator.seed;

import io.berth.simulator.fault.MessageFaults.Target;
import io.berth.simulator.fault.ProcessFaults.Fault;
import java.util.List;
import java.util.OptionalDouble;

/**
 * What may happen in a simulation, and in how large a world.
 *
 * @param faults of processes, clocks and the network; none: only messages suffer
 * @param targets kinds of message to which an operator is applied often; empty: one cell that the seed names
 * @param strength factor of what happens to all other messages; empty: drawn
 * @param liveness whether the world is left alone now and then and must recover; else only nothing wrong may ever happen
 * @param workers how many there are at most
 * @param jobs that are kept running
 * @param broad whether a seed looks at further cells a little, and makes their messages be sent; the fixed seeds of the
 *     tests look at their own cell only
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
