package io.berth.benchmark;

import io.berth.core.policies.cache.AdmittedEntries;
import io.berth.policy.rules.placement.PlacementResult;
import java.util.Arrays;
import java.util.Random;
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

/** The cost of changes for a strategy on a full cluster, including the change of the columns that it reads. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 1)
public class ChangeBenchmark {

    /** All slots that found a worker are placed. */
    @State(Scope.Benchmark)
    public static class Full {

        @Param({"first-fit", "spread"})
        public String policy;

        @Param({"1", "20", "200"})
        public int profiles;

        @Param("10000")
        public int workers;

        @Param("100000")
        public int requests;

        private final Random random = new Random(99);
        private Mirror mirror;
        private AdmittedEntries nothing;
        private int[] workerOf;
        private int[] profileOf;
        /** A slot of each worker, or -1. */
        private int[] slotOf;

        private int slots;
        private int sign = 1;

        @Setup(Level.Trial)
        public void fill() {
            mirror = new Mirror(new SharedWorkload(workers, requests, profiles), policy);
            nothing = new AdmittedEntries(mirror.workers, mirror.allocations);
            workerOf = new int[requests];
            profileOf = new int[requests];
            slotOf = new int[workers];
            Arrays.fill(slotOf, -1);
            PlacementResult plan = mirror.place(mirror.all);
            for (int run = 0; run < plan.runs(); run++) {
                int profile = mirror.profileOf(plan.entry(run));
                mirror.occupy(plan.worker(run), profile, plan.count(run));
                slotOf[plan.worker(run)] = slots;
                for (int nth = 0; nth < plan.count(run); nth++) {
                    workerOf[slots] = plan.worker(run);
                    profileOf[slots++] = profile;
                }
            }
            mirror.session.delta(mirror.workers.takeChanged());
            mirror.place(nothing);
        }

        @TearDown(Level.Trial)
        public void end() {
            mirror.close();
        }
    }

    /** How many workers change at once. */
    @State(Scope.Benchmark)
    public static class Changes {

        @Param({"1", "100", "10000"})
        public int changed;
    }

    /**
     * A randomly drawn slot ends and is placed again: a delta of the workers that changed, and a placement of one
     * slot.
     */
    @Benchmark
    public int freeAndPlaceOne(Full full) {
        int slot = full.random.nextInt(full.slots);
        int profile = full.profileOf[slot];
        full.mirror.occupy(full.workerOf[slot], profile, -1);
        full.mirror.session.delta(full.mirror.workers.takeChanged());
        PlacementResult plan = full.mirror.place(full.mirror.one(profile));
        int worker = plan.worker(0);
        full.mirror.occupy(worker, profile, 1);
        full.workerOf[slot] = worker;
        return worker;
    }

    /**
     * A slot of each changed worker ends, or returns; workers without slots do not change. One delta and an empty
     * placement, for strategies that process changes lazily.
     */
    @Benchmark
    public Object delta(Full full, Changes changes) {
        full.sign = -full.sign;
        int apart = Math.max(1, full.workers / changes.changed);
        for (int worker = 0, nth = 0; nth < changes.changed && worker < full.workers; nth++, worker += apart) {
            if (full.slotOf[worker] >= 0) {
                full.mirror.occupy(worker, full.profileOf[full.slotOf[worker]], full.sign);
            }
        }
        full.mirror.session.delta(full.mirror.workers.takeChanged());
        return full.mirror.place(full.nothing);
    }
}
