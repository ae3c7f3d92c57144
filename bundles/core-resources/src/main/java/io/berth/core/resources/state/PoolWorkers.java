package io.berth.core.resources.state;

import io.berth.core.api.policy.PlanningInput.WorkerChange;
import io.berth.spi.ResourceProfile;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * The workers of one pool: their sums, and which of them changed since the last input of the planner of the pool. A
 * worker that left the pool is a change too. Confined to the main thread; the registry updates it.
 */
public final class PoolWorkers {

    private final String name;
    private final WorkerRegistry registry;
    private final ClusterSums sums = new ClusterSums();
    private final BitSet planned = new BitSet();
    private final BitSet dirty = new BitSet();
    private boolean awaited;

    PoolWorkers(String name, WorkerRegistry registry) {
        this.name = name;
        this.registry = registry;
    }

    /** Name of the pool. */
    public String name() {
        return name;
    }

    public ClusterSums sums() {
        return sums;
    }

    public boolean hasChanges() {
        return !dirty.isEmpty();
    }

    /** What changed since the last call. */
    public List<WorkerChange> takeChanges(long stateNumber) {
        List<WorkerChange> changes = new ArrayList<>(dirty.cardinality());
        for (int index = dirty.nextSetBit(0); index >= 0; index = dirty.nextSetBit(index + 1)) {
            changes.add(new WorkerChange(
                    index,
                    registry.at(index)
                            .filter(worker -> worker.pool() == this)
                            .flatMap(worker -> worker.publish(stateNumber))));
        }
        dirty.clear();
        return changes;
    }

    /** The planner was replaced: every worker is a change. */
    public void restart() {
        registry.each(worker -> {
            if (worker.pool() == this) {
                worker.unpublish();
                dirty.set(worker.index);
            }
        });
    }

    /** A new plan replaces the last one. */
    public void clearPlans() {
        for (int index = planned.nextSetBit(0); index >= 0; index = planned.nextSetBit(index + 1)) {
            registry.at(index).ifPresent(worker -> registry.planned(worker, 0, ResourceProfile.ZERO));
        }
    }

    /** Whether a worker that slots are planned on has registered since the last call. */
    public boolean takeAwaited() {
        boolean was = awaited;
        awaited = false;
        return was;
    }

    void awaited() {
        awaited = true;
    }

    /** The next input contains the index, whether a worker of the pool has it or not. */
    public void changed(int index) {
        dirty.set(index);
    }

    void planned(int index, boolean any) {
        planned.set(index, any);
    }

    @Override
    public String toString() {
        return "pool " + name;
    }
}
