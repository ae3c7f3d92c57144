package io.berth.core.policies.decision;

import io.berth.core.api.job.SpecText;
import io.berth.core.api.policy.PlanOutcome.Reclaim;
import io.berth.core.api.policy.PlanOutcome.UnitReason;
import io.berth.core.api.policy.PlanningInput.GroupDemand;
import io.berth.core.api.policy.PlanningInput.UnitDemand;
import io.berth.core.api.time.TimeText;
import io.berth.core.policies.cache.AdmittedEntries;
import io.berth.core.policies.cache.UnitTable;
import io.berth.core.policies.cache.WorkerColumns;
import io.berth.core.policies.cache.WorkerSummary;
import io.berth.policy.rules.placement.PlacementResult;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.matching.AllocationsView;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What people see of a planning decision: its input, what was placed, and why not more. Confined to the main thread of
 * the planner.
 */
final class PlanLines {

    private final WorkerColumns workers;
    private final UnitTable units;
    private final Lines results = new Lines();

    PlanLines(WorkerColumns workers, UnitTable units) {
        this.workers = workers;
        this.units = units;
    }

    void clear() {
        results.clear();
    }

    static String round(AdmittedEntries entries, PlacementResult plan) {
        int admitted = 0;
        int placed = 0;
        for (int entry = 0; entry < entries.size(); entry++) {
            admitted += entries.count(entry);
            placed += plan.placed(entry);
        }
        return "taken, " + placed + " of " + admitted + " admitted slots placed"
                + (plan.openedCount() == 0 ? "" : " with " + plan.openedCount() + " new workers");
    }

    void taken(AdmittedEntries entries, PlacementResult plan) {
        for (int nth = 0; nth < plan.openedCount(); nth++) {
            if (results.takes()) {
                String name = name(plan, plan.firstNew() + nth);
                String spec = workers.kind(plan.openedSpec(nth));
                results.add(() -> "new worker " + name + " of spec " + spec);
            }
        }
        plan.eachReservation((entry, worker, count) -> {
            String name = name(plan, worker);
            ResourceProfile profile = entries.profileOf(entry);
            String group = entries.group(entry);
            JobId job = entries.job(entry);
            results.add(() -> name + ": room for " + count + " x " + profile + " is reserved for group " + group
                    + " of job " + job);
        });
        for (int run = 0; run < plan.runs(); run++) {
            if (!results.takes()) {
                results.more(plan.runs() - run - 1);
                return;
            }
            int entry = plan.entry(run);
            String name = name(plan, plan.worker(run));
            int count = plan.count(run);
            ResourceProfile profile = entries.profileOf(entry);
            String group = entries.group(entry);
            JobId job = entries.job(entry);
            results.add(() -> name + ": " + count + " x " + profile + " of group " + group + " of job " + job);
        }
    }

    void givenBack(AllocationsView allocations, int allocation, String reason) {
        AllocationId id = allocations.id(allocation);
        JobId job = allocations.job(allocation);
        String group = allocations.group(allocation);
        String name = workers.name(allocations.worker(allocation));
        results.add(() -> name + ": job " + job + " is asked to return slot " + id + " of group " + group
                + (reason.isEmpty() ? "" : ": " + reason));
    }

    void reclaimed(Reclaim reclaim) {
        UnitDemand demand = units.unit(reclaim.unit());
        String group = demand.groups().get(reclaim.group()).group();
        results.add(() -> "job " + demand.job() + " is asked to return " + reclaim.count() + " slots of group " + group
                + (reclaim.reason().isEmpty() ? "" : ": " + reclaim.reason()));
    }

    private String name(PlacementResult plan, int worker) {
        return worker < plan.firstNew() ? workers.name(worker) : WorkerColumns.nameOfNew(worker);
    }

    Lines results() {
        return results;
    }

    List<String> jobs() {
        Set<String> jobs = new LinkedHashSet<>();
        for (int unit : units.lacking()) {
            jobs.add(units.unit(unit).job().value());
        }
        return List.copyOf(jobs);
    }

    Lines inputs() {
        Lines inputs = new Lines();
        WorkerSummary there = workers.summary();
        inputs.add(there::toString);
        workers.kinds()
                .forEach(kind -> inputs.add(() -> "may start " + kind.left() + " workers of spec " + kind.backend()
                        + "/" + kind.spec() + " with " + kind.total()
                        + (kind.origin().costPerHour() == 0
                                ? ""
                                : ", each for " + SpecText.cost(kind.origin().costPerHour()) + " an hour")
                        + (kind.startMillis() == 0
                                ? ""
                                : ", which usually register after " + TimeText.of(kind.startMillis()))));
        for (int unit : units.lacking()) {
            UnitDemand demand = units.unit(unit);
            for (GroupDemand wanted : demand.groups()) {
                int wants = Math.max(wanted.minimum(), wanted.desired());
                if (wanted.allocated() < wants && inputs.takes()) {
                    inputs.add(() -> "job " + demand.job() + " unit " + demand.unit() + " group " + wanted.group()
                            + ": " + wants + " x " + wanted.profile() + ", minimum " + wanted.minimum() + ", has "
                            + wanted.allocated());
                }
            }
        }
        return inputs;
    }

    Lines reasons(List<UnitReason> unitReasons) {
        Lines reasons = new Lines();
        for (UnitReason one : unitReasons) {
            if (reasons.takes()) {
                UnitDemand demand = units.unit(one.unit());
                reasons.add(() -> "job " + demand.job() + " unit " + demand.unit() + ": "
                        + one.why().line());
            }
        }
        return reasons;
    }
}
