package io.berth.benchmark.workload;

import io.berth.core.api.job.PlacementConstraints;
import io.berth.core.api.job.PlacementConstraints.LabelRule;
import io.berth.core.api.job.PlacementConstraints.Operator;
import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.policy.PlanningInput.GroupDemand;
import io.berth.spi.ResourceProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The same workload with classes of constraints: each worker has a label with one of N values, and each group may be on
 * all workers but those of one value. So every class of constraints allows nearly all workers, and the slots fit as
 * they do without constraints.
 *
 * @param classes number of values, at least 2
 */
public record ConstrainedInstance(Instance of, int classes) implements Instance {

    private static final String LABEL = "class";

    private static String value(int number) {
        return "c" + number;
    }

    @Override
    public WorkerLabels labels(int worker) {
        return WorkerLabels.of(new TreeMap<>(Map.of(LABEL, value(worker % classes))));
    }

    @Override
    public List<List<GroupDemand>> demands() {
        List<List<GroupDemand>> all = new ArrayList<>();
        int number = 0;
        for (List<GroupDemand> ofJob : of.demands()) {
            List<GroupDemand> groups = new ArrayList<>();
            for (GroupDemand group : ofJob) {
                LabelRule rule = new LabelRule(LABEL, Operator.NOT_IN, List.of(value(number++ % classes)));
                groups.add(new GroupDemand(
                        group.group(),
                        group.profile(),
                        group.minimum(),
                        group.desired(),
                        group.allocated(),
                        new PlacementConstraints(List.of(rule), List.of(), new TreeMap<>())));
            }
            all.add(groups);
        }
        return all;
    }

    @Override
    public int workers() {
        return of.workers();
    }

    @Override
    public ResourceProfile worker(int worker) {
        return of.worker(worker);
    }

    @Override
    public ResourceProfile defaultSlot(int worker) {
        return of.defaultSlot(worker);
    }

    @Override
    public int requests() {
        return of.requests();
    }

    @Override
    public int lowerBound() {
        return of.lowerBound();
    }
}
