package io.berth.simulator.traces;

import io.berth.spi.ResourceProfile;
import java.util.List;
import java.util.OptionalLong;

/**
 * A job of a trace. It runs as soon as it has all its slots, and holds them for the run time.
 *
 * @param name in the trace, for people
 * @param arrivalMillis when it is submitted, by the clock of the trace
 * @param runMillis how long it holds its slots, at least 0; empty: until the end of the replay
 * @param demands at least one
 * @param user empty when unknown, like {@code queue}
 * @param expectedMillis how long its submitter said that it would run, at least 1; empty: not known
 */
public record TraceJob(
        String name,
        long arrivalMillis,
        OptionalLong runMillis,
        List<Demand> demands,
        String user,
        String queue,
        OptionalLong expectedMillis) {

    /**
     * Slots of one size.
     *
     * @param count at least 1
     */
    public record Demand(ResourceProfile profile, int count) {

        public Demand {
            if (count < 1) {
                throw new IllegalArgumentException("slots is " + count + ": at least 1 is allowed");
            }
        }
    }

    public TraceJob {
        demands = List.copyOf(demands);
        if (demands.isEmpty()) {
            throw new IllegalArgumentException("job " + name + " requests no slots: at least one demand is allowed");
        }
        runMillis.ifPresent(run -> {
            if (run < 0) {
                throw new IllegalArgumentException(
                        "run time of job " + name + " is " + run + " ms: at least 0 is allowed");
            }
        });
        expectedMillis.ifPresent(expected -> {
            if (expected < 1) {
                throw new IllegalArgumentException(
                        "expected run time of job " + name + " is " + expected + " ms: at least 1 is allowed");
            }
        });
    }

    /** A job whose submitter did not say how long it would run. */
    public TraceJob(
            String name, long arrivalMillis, OptionalLong runMillis, List<Demand> demands, String user, String queue) {
        this(name, arrivalMillis, runMillis, demands, user, queue, OptionalLong.empty());
    }

    /** The same with a run time that its submitter expected. */
    public TraceJob expecting(OptionalLong millis) {
        return new TraceJob(name, arrivalMillis, runMillis, demands, user, queue, millis);
    }

    /** The cpu of all its slots, in thousandths of a core. */
    public long cpuMillis() {
        return demands.stream()
                .mapToLong(demand -> demand.profile().cpuMillis() * demand.count())
                .sum();
    }

    /** The number of slots of all sizes. */
    public int slots() {
        return demands.stream().mapToInt(Demand::count).sum();
    }
}
