package io.berth.benchmark;

import io.berth.core.api.job.SchedulingAttributes;
import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.policy.PlanningInput.GroupDemand;
import io.berth.core.api.policy.PlanningInput.Origin;
import io.berth.core.api.policy.PlanningInput.UnitDemand;
import io.berth.core.api.policy.PlanningInput.WorkerChange;
import io.berth.core.api.policy.PlanningInput.WorkerColumn;
import io.berth.core.policies.cache.AdmittedEntries;
import io.berth.core.policies.cache.AllocationColumns;
import io.berth.core.policies.cache.DecisionTime;
import io.berth.core.policies.cache.Feasibility;
import io.berth.core.policies.cache.UnitTable;
import io.berth.core.policies.cache.WorkerColumns;
import io.berth.policy.rules.placement.PlacementResult;
import io.berth.spi.JobId;
import io.berth.spi.WorkerId;
import io.berth.spi.matching.PlacementSession;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The planner's state of a workload: the workers as columns, the demands as entries, and a session of a strategy. */
final class Mirror implements AutoCloseable {

    final SharedWorkload workload;
    final WorkerColumns workers = new WorkerColumns();
    /** All slots of all jobs, job after job, each as a separate entry. */
    final AllocationColumns allocations = new UnitTable(workers).allocations();

    final AdmittedEntries all = new AdmittedEntries(workers, allocations);

    final PlacementSession session;
    private final List<WorkerChange> idle = new ArrayList<>();
    private final List<AdmittedEntries> one = new ArrayList<>();
    /** By number of the job. */
    private final List<UnitDemand> demands = new ArrayList<>();

    private final long[][] amounts;
    private long state;

    /** All workers are idle. */
    Mirror(SharedWorkload workload, String strategy) {
        this.workload = workload;
        for (int worker = 0; worker < workload.workers(); worker++) {
            idle.add(new WorkerChange(
                    worker,
                    Optional.of(new WorkerColumn(
                            new WorkerId("worker-" + worker),
                            false,
                            workload.worker(),
                            workload.worker(),
                            workload.defaultSlot(),
                            Origin.of("benchmark"),
                            WorkerLabels.NONE))));
        }
        workers.apply(++state, new DecisionTime(0, 0), idle, List.of());
        workers.takeChanged();
        List<GroupDemand> groups = new ArrayList<>();
        for (int profile = 0; profile < workload.profiles(); profile++) {
            groups.add(new GroupDemand("group-" + profile, workload.profile(profile), 0, 0, 0));
        }
        for (int job = 0; job < workload.jobs(); job++) {
            demands.add(new UnitDemand(new JobId("job-" + job), "all", job, SchedulingAttributes.DEFAULT, groups));
        }
        amounts = new long[workload.profiles()][];
        for (int profile = 0; profile < amounts.length; profile++) {
            amounts[profile] = workers.amounts(workload.profile(profile));
            AdmittedEntries single = new AdmittedEntries(workers, allocations);
            add(single, 0, profile, 1);
            one.add(single);
        }
        for (int job = 0; job < workload.jobs(); job++) {
            for (int profile = 0; profile < amounts.length; profile++) {
                if (workload.count(job, profile) > 0) {
                    add(all, job, profile, workload.count(job, profile));
                }
            }
        }
        session = SharedWorkload.session(strategy, workers);
    }

    private void add(AdmittedEntries entries, int job, int profile, int count) {
        entries.newRank();
        entries.add(job, profile, demands.get(job), Feasibility.ANYWHERE, count, false);
    }

    /** One slot of a profile. */
    AdmittedEntries one(int profile) {
        return one.get(profile);
    }

    /** Profile of an entry of {@link #all}. */
    int profileOf(int entry) {
        return all.groupIndex(entry);
    }

    /** Makes all workers idle again, and notifies the session. */
    void empty() {
        workers.clearOverlay();
        workers.apply(++state, new DecisionTime(0, 0), idle, List.of());
        session.delta(workers.takeChanged());
    }

    /** Slots of a profile take more of a worker; a negative number ends slots. */
    void occupy(int worker, int profile, int slots) {
        for (int dimension = 0; dimension < amounts[profile].length; dimension++) {
            if (amounts[profile][dimension] != 0) {
                workers.overlay(worker, dimension, amounts[profile][dimension] * slots);
            }
        }
    }

    /** Calls the session. A plan that the host would reject at once ends the benchmark. */
    PlacementResult place(AdmittedEntries entries) {
        PlacementResult plan = new PlacementResult(workers, entries);
        plan.rules().begin();
        session.place(entries, plan);
        plan.rules().end();
        plan.rules().violation().ifPresent(broken -> {
            throw new IllegalStateException(broken);
        });
        return plan;
    }

    @Override
    public void close() {
        session.close();
    }
}
