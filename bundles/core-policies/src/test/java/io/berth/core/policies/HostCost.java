package io.berth.core.policies;

import com.sun.management.ThreadMXBean;
import io.berth.core.api.policy.PlacementPlanner;
import io.berth.core.api.policy.PlanningInput;
import io.berth.core.policies.sequence.SequenceOwners;
import io.berth.scaling.reactive.ReactiveFactory;
import io.berth.spi.PolicyKind;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Measures what the host itself costs: CPU time and allocated bytes per decision, over all threads, with policies that
 * do nothing. It is not part of a build; docs/performance.md has the command. It prints a table and asserts nothing
 * about time.
 */
class HostCost {

    private static final int WARM = Integer.getInteger("berth.cost.warm", 20_000);
    private static final int MEASURED = Integer.getInteger("berth.cost.decisions", 20_000);
    private static final int JOBS = 1_000;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @Test
    void costPerDecision() throws Exception {
        System.out.printf("%8s  %-28s %12s %12s%n", "workers", "what changed", "cpu ns", "bytes");
        for (int workers : new int[] {1, 100, 10_000}) {
            for (boolean delta : new boolean[] {false, true}) {
                measure(workers, delta);
            }
        }
    }

    private static Bench withPolicies() {
        Bench bench = new Bench();
        bench.add(PolicyKind.MATCHING, "nothing", 1, Bench.placing("nothing", Bench.LEAVES_OUT));
        bench.add(PolicyKind.DISTRIBUTION, "first", 1, Bench.admitting("first", (demands, result) -> {
            // Admits the only unit, so that a matching strategy is called too.
            if (demands.candidate(0)) {
                result.admitMinimum(0);
            }
        }));
        bench.awaitState("nothing", "deciding");
        bench.awaitState("first", "deciding");
        return bench;
    }

    private void measure(int workers, boolean delta) throws Exception {
        try (Bench bench = withPolicies()) {
            PlacementPlanner planner = bench.planner();
            Bench.Input first = bench.input().unit(0, "a", 5, 5, 0);
            for (int worker = 0; worker < workers; worker++) {
                first.worker(worker, Bench.SIZE);
            }
            Bench.planned(planner, first.build());
            rounds(bench, planner, WARM, workers, delta);
            long[] before = used();
            rounds(bench, planner, MEASURED, workers, delta);
            long[] after = used();
            System.out.printf(
                    "%8d  %-28s %12d %12d%n",
                    workers,
                    delta ? "one worker" : "nothing",
                    (after[0] - before[0]) / MEASURED,
                    (after[1] - before[1]) / MEASURED);
            planner.close();
        }
    }

    private static void rounds(Bench bench, PlacementPlanner planner, int count, int workers, boolean delta)
            throws Exception {
        for (int round = 0; round < count; round++) {
            Bench.Input input = bench.input();
            if (delta) {
                input.worker(round % workers, Bench.SIZE);
            }
            PlanningInput built = input.build();
            Bench.planned(planner, built);
        }
    }

    /** CPU time in nanoseconds and allocated bytes of all live threads. */
    private long[] used() {
        long cpu = 0;
        long bytes = 0;
        for (long id : threads.getAllThreadIds()) {
            cpu += Math.max(0, threads.getThreadCpuTime(id));
            bytes += Math.max(0, threads.getThreadAllocatedBytes(id));
        }
        return new long[] {cpu, bytes};
    }

    @Test
    void threadsOfIdleJobs() throws Exception {
        try (Bench bench = withPolicies()) {
            bench.add(PolicyKind.SCALING, "reactive", 1, new ReactiveFactory());
            bench.awaitState("reactive", "deciding");
            Bench.planned(bench.planner(), bench.twoWorkersAndAJob());
            int before = threads.getThreadCount();
            List<AutoCloseable> jobs = new ArrayList<>();
            for (int job = 0; job < JOBS; job++) {
                jobs.add(bench.platform.openScaling(SequenceOwners.graph("job-" + job, Map.of()), () -> {}));
            }
            System.out.printf(
                    "threads: %d before, %d with %d jobs whose scaling is open%n",
                    before, threads.getThreadCount(), JOBS);
            for (AutoCloseable job : jobs) {
                job.close();
            }
        }
    }
}
