package io.berth.benchmark.admission;

import io.berth.core.api.job.SchedulingAttributes;
import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.policy.PlanningInput;
import io.berth.core.api.policy.PlanningInput.GroupDemand;
import io.berth.core.api.policy.PlanningInput.Origin;
import io.berth.core.api.policy.PlanningInput.UnitChange;
import io.berth.core.api.policy.PlanningInput.UnitDemand;
import io.berth.core.api.policy.PlanningInput.WorkerChange;
import io.berth.core.api.policy.PlanningInput.WorkerColumn;
import io.berth.core.policies.cache.DecisionTime;
import io.berth.core.policies.cache.UnitTable;
import io.berth.core.policies.cache.WorkerColumns;
import io.berth.core.policies.pools.PoolSettings;
import io.berth.core.policies.pools.QueueTree;
import io.berth.core.policies.pools.QueueTree.Queue;
import io.berth.core.policies.validation.AdmissionResult;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import io.berth.spi.distribution.DemandsView;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The units of a pool as the policy host keeps them. Each requires one slot and desires two; the pool has room for those
 * that run and for one more. They belong to ten submitters and have three priorities, and every second one has an expected
 * run time. With each change, a unit that waits is gone, another one waits in its place, and a millisecond has passed.
 */
final class UnitPool {

    private static final ResourceProfile SLOT = ResourceProfile.of(1_000, 1L << 30);
    private static final int SLOTS = 2;
    private static final int SUBMITTERS = 10;
    private static final int PRIORITIES = 3;
    private static final int MAX_RUN_MINUTES = 600;
    private static final long MINUTE_MILLIS = 60_000;
    private static final SortedMap<String, String> NO_LABELS = Collections.emptySortedMap();

    private final WorkerColumns workers = new WorkerColumns();
    private final UnitTable units = new UnitTable(workers);
    private final PoolSettings settings;
    private final int queues;
    private final int running;
    private final int waiting;
    private long submitted;
    private long state;
    private long changes;

    /**
     * @param running units that have all slots that they desire
     * @param waiting units that have none, at least 1
     * @param queues to which they belong in turn; 0: only the root
     */
    UnitPool(int running, int waiting, int queues) {
        this.running = running;
        this.waiting = waiting;
        this.queues = queues;
        ResourceProfile total = SLOT.times(SLOTS * (running + 1));
        PoolSettings usual = PoolSettings.DEFAULT;
        settings = queues == 0
                ? usual
                : new PoolSettings(
                        tree(queues, total.cpuMillis()), usual.halfLifeMillis(), usual.definition(), usual.policies());
        List<UnitChange> all = new ArrayList<>();
        for (int index = 0; index < running + waiting; index++) {
            all.add(new UnitChange(index, Optional.of(unit(index < running ? SLOTS : 0))));
        }
        apply(
                List.of(new WorkerChange(
                        0,
                        Optional.of(new WorkerColumn(
                                new WorkerId("worker"),
                                false,
                                total,
                                SLOT.times(SLOTS),
                                SLOT,
                                Origin.of("benchmark"),
                                WorkerLabels.NONE)))),
                all);
        units.takeChanged();
    }

    /** Two levels, with about as many queues below each as there are of them; half of the pool is guaranteed. */
    private static QueueTree tree(int leaves, long cpuMillis) {
        List<Queue> tree = new ArrayList<>(QueueTree.NONE.queues());
        int parents = (int) Math.ceil(Math.sqrt(leaves));
        long ofLeaf = cpuMillis / 2 / leaves;
        for (int parent = 0; parent < parents; parent++) {
            int below = (leaves - parent + parents - 1) / parents;
            tree.add(queue("parent-" + parent, 0, parent, below * ofLeaf));
        }
        for (int leaf = 0; leaf < leaves; leaf++) {
            tree.add(queue("queue-" + leaf, 1 + leaf % parents, leaf, ofLeaf));
        }
        return new QueueTree(tree);
    }

    private static Queue queue(String name, int parent, int nth, long guaranteedCpu) {
        return new Queue(
                name,
                parent,
                1.0 + nth % PRIORITIES,
                new TreeMap<>(Map.of("cpu", guaranteedCpu)),
                new TreeMap<>(),
                new TreeSet<>());
    }

    private UnitDemand unit(int allocated) {
        long nth = submitted++;
        return new UnitDemand(
                new JobId("job-" + nth),
                "all",
                nth,
                new SchedulingAttributes(
                        "default",
                        queues == 0 ? "default" : "queue-" + nth % queues,
                        "submitter-" + nth % SUBMITTERS,
                        (int) (nth % PRIORITIES),
                        nth % 2 == 0 ? MINUTE_MILLIS * (1 + nth % MAX_RUN_MINUTES) : 0,
                        0,
                        NO_LABELS),
                List.of(new GroupDemand("group", SLOT, 1, SLOTS, allocated)));
    }

    private void apply(List<WorkerChange> changedWorkers, List<UnitChange> changedUnits) {
        long millis = MINUTE_MILLIS + changes;
        units.apply(
                settings,
                new DecisionTime(millis, millis),
                new PlanningInput(++state, changedWorkers, changedUnits, List.of()));
    }

    /** What a policy sees. */
    DemandsView view() {
        return units;
    }

    /** Replaces the next unit that waits, and returns the indexes for the policy. */
    int[] change() {
        int index = running + (int) (changes++ % waiting);
        apply(List.of(), List.of(new UnitChange(index, Optional.of(unit(0)))));
        return units.takeChanged();
    }

    /** For the answer to one call. */
    AdmissionResult result() {
        return new AdmissionResult(units, workers);
    }
}
