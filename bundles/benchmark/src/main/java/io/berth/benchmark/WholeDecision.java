package io.berth.benchmark;

import io.berth.core.api.policy.PlanOutcome.Planned;
import io.berth.core.api.policy.PlanningInput;
import io.berth.core.api.policy.PlanningInput.GroupDemand;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * All requests of a workload placed on its idle workers in one decision: the demands told, admitted, placed, validated
 * and recorded. Before each run the demands are withdrawn, all workers are told anew, and one slot that is planned
 * somewhere hands them to the strategy; so a strategy that keeps an index begins with one of idle workers.
 */
final class WholeDecision implements Measuring.Subject {

    private final Workload workload;
    private final Pool pool;
    private final List<List<GroupDemand>> demands = new ArrayList<>();
    private final List<GroupDemand> oneSlot;
    private PlanningInput next;
    private Planned last;

    WholeDecision(Workload workload, Pool pool) {
        this.workload = workload;
        this.pool = pool;
        int[][] counts = workload.counts();
        for (int[] ofJob : counts) {
            List<GroupDemand> groups = new ArrayList<>();
            for (int profile = 0; profile < ofJob.length; profile++) {
                if (ofJob[profile] > 0) {
                    groups.add(new GroupDemand(
                            "group-" + profile, workload.profile(profile), 0, ofJob[profile], 0));
                }
            }
            demands.add(groups);
        }
        oneSlot = List.of(new GroupDemand("group", workload.profile(0), 0, 1, 0));
    }

    @Override
    public void restore() {
        for (int worker = 0; worker < workload.workers(); worker++) {
            pool.worker(worker, workload.worker(), workload.worker(), workload.defaultSlot());
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
    int unplaced() {
        int[] placed = {0};
        Plans.forEach(last, (unit, group, worker, count) -> placed[0] += count);
        return workload.requests() - placed[0];
    }

    int workersUsed() {
        BitSet used = new BitSet();
        Plans.forEach(last, (unit, group, worker, count) -> used.set(worker));
        return used.cardinality();
    }
}
