package io.berth.benchmark;

import io.berth.policy.rules.placement.PlacementCheck;
import io.berth.policy.rules.placement.PlacementResult;
import io.berth.policy.rules.placement.RemainingCapacity;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** All slots of ten jobs on idle workers: one call of a strategy, and the host's check of what it placed. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 1)
public class PlacementBenchmark {

    /** The state that both benchmarks need. */
    @State(Scope.Benchmark)
    public static class Cluster {

        @Param({"first-fit", "spread"})
        public String policy;

        @Param({"1", "20", "200"})
        public int profiles;

        @Param("10000")
        public int workers;

        @Param("100000")
        public int requests;

        private Mirror mirror;

        @Setup(Level.Trial)
        public void fill() {
            mirror = new Mirror(new SharedWorkload(workers, requests, profiles), policy);
        }

        @TearDown(Level.Trial)
        public void end() {
            mirror.close();
        }
    }

    /** A session that knows idle workers before each call. */
    @State(Scope.Benchmark)
    public static class Idle {

        @Setup(Level.Invocation)
        public void empty(Cluster cluster) {
            cluster.mirror.empty();
        }
    }

    /** A valid plan. */
    @State(Scope.Benchmark)
    public static class Placed {

        private final RemainingCapacity rest = new RemainingCapacity();
        private PlacementResult plan;

        @Setup(Level.Trial)
        public void place(Cluster cluster) {
            cluster.mirror.empty();
            plan = cluster.mirror.place(cluster.mirror.all);
        }
    }

    /** One call and its plan. The delta to idle workers before it is not measured. */
    @Benchmark
    public Object placeAll(Cluster cluster, Idle idle) {
        return cluster.mirror.place(cluster.mirror.all);
    }

    /** The whole check of the plan. */
    @Benchmark
    public Optional<String> check(Cluster cluster, Placed placed) {
        Optional<String> violation =
                PlacementCheck.violation(cluster.mirror.workers, cluster.mirror.all, placed.plan, placed.rest);
        violation.ifPresent(broken -> {
            throw new IllegalStateException(broken);
        });
        return violation;
    }
}
