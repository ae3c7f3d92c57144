package io.berth.benchmark.decision;

import io.berth.benchmark.measure.Measuring;
import io.berth.benchmark.workload.Instance;
import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.policy.PlanOutcome.Planned;
import io.berth.core.api.policy.PlanningInput;
import io.berth.core.api.policy.PlanningInput.GroupDemand;
import io.berth.spi.ResourceProfile;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Places all requests of an instance on its idle workers in one decision: the demands are declared, admitted, placed,
 * validated and recorded. Before each run, the demands are withdrawn, all workers are described again, and a plan for
 * one slot passes them to the strategy. So a strategy that keeps an index starts with an index of idle workers.
 */
public final class WholeDecision implements Measuring.Subject {

    private final Instance instance;
    private final Pool pool;
    private final List<List<GroupDemand>> demands;
    private final List<GroupDemand> oneSlot;
    private final List<WorkerLabels> labels;

    @SuppressWarnings("NullAway.Init")
    private PlanningInput next;

    @SuppressWarnings("NullAway.Init")
    private Planned last;

    public WholeDecision(Instance instance, Pool pool) {
        this.instance = instance;
        this.pool = pool;
        this.demands = instance.demands();
        labels = IntStream.range(0, instance.workers())
                .mapToObj(instance::labels)
                .toList();
        oneSlot = List.of(new GroupDemand(
                "group",
                demands.stream().flatMap(List::stream).findFirst().orElseThrow().profile(),
                0,
                1,
                0));
    }

    @Override
    public void restore() {
        for (int worker = 0; worker < instance.workers(); worker++) {
            ResourceProfile total = instance.worker(worker);
            pool.worker(worker, total, total, instance.defaultSlot(worker), labels.get(worker));
        }
        for (int job = 0; job < demands.size(); job++) {
            pool.noUnit(job);
        }
        pool.unit(demands.size(), oneSlot);
        pool.plan(pool.input());
        pool.noUnit(demands.size());
        for (int job = 0; job < demands.size(); job++) {
            if (!demands.get(job).isEmpty()) {
                pool.unit(job, demands.get(job));
            }
        }
        next = pool.input();
    }

    @Override
    public void run() {
        last = pool.plan(next);
    }

    /** How many requests the last run left without a worker. */
    public int unplaced() {
        int[] placed = {0};
        Plans.forEach(last, (unit, group, worker, count) -> placed[0] += count);
        return instance.requests() - placed[0];
    }

    public int workersUsed() {
        BitSet used = new BitSet();
        Plans.forEach(last, (unit, group, worker, count) -> used.set(worker));
        return used.cardinality();
    }
}
