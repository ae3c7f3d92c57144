package io.berth.testkit;

import io.berth.spi.ResourceProfile;
import io.berth.spi.distribution.QueuesView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A tree of queues. What they use and need follows from the units of the view that it belongs to. */
public final class ArrayQueuesView implements QueuesView {

    private record Queue(
            String name,
            int parent,
            double weight,
            ResourceProfile guaranteed,
            ResourceProfile limit,
            Map<Integer, Double> usedSeconds) {}

    /** By resource. */
    private record Sums(long[] used, long[] pending) {

        private static Sums none(int dimensions) {
            return new Sums(new long[dimensions], new long[dimensions]);
        }

        private void add(Sums more, int sign) {
            for (int dimension = 0; dimension < used.length; dimension++) {
                used[dimension] += sign * more.used[dimension];
                pending[dimension] += sign * more.pending[dimension];
            }
        }
    }

    private record Counted(int queue, Sums sums) {}

    private final ArrayDemandsView demands;
    private final List<Queue> queues = new ArrayList<>();
    private final Map<String, Map<Integer, Double>> submitters = new HashMap<>();
    private int revision;
    /** What queues use and need, of the units that did not change since. */
    private final List<Sums> sums = new ArrayList<>();
    /** What each unit added to the sums. */
    private final Map<Integer, Counted> counted = new HashMap<>();
    /** Units that changed, in the order of their first change. */
    private final Set<Integer> changed = new LinkedHashSet<>();

    ArrayQueuesView(ArrayDemandsView demands) {
        this.demands = demands;
        add("root", -1, 1, ResourceProfile.ZERO, ResourceProfile.UNKNOWN);
    }

    /** Adds a queue without guarantee and limit below one that is there. */
    public ArrayQueuesView queue(String name, String parent, double weight) {
        return queue(name, parent, weight, ResourceProfile.ZERO, ResourceProfile.UNKNOWN);
    }

    /** @param limit {@link ResourceProfile#UNKNOWN}: none */
    public ArrayQueuesView queue(
            String name, String parent, double weight, ResourceProfile guaranteed, ResourceProfile limit) {
        return add(name, find(parent), weight, guaranteed, limit);
    }

    private ArrayQueuesView add(
            String name, int parent, double weight, ResourceProfile guaranteed, ResourceProfile limit) {
        queues.add(new Queue(name, parent, weight, guaranteed, limit, new HashMap<>()));
        sums.add(Sums.none(demands.dimensions()));
        // Units may have named the queue before it was there.
        demands.allChanged();
        revision++;
        return this;
    }

    /** Sets what a queue used over time. */
    public ArrayQueuesView usedSeconds(String queue, int dimension, double amount) {
        queues.get(find(queue)).usedSeconds().put(dimension, amount);
        return this;
    }

    /** Sets what a submitter used over time. */
    public ArrayQueuesView submitterUsedSeconds(String submitter, int dimension, double amount) {
        submitters.computeIfAbsent(submitter, first -> new HashMap<>()).put(dimension, amount);
        return this;
    }

    @Override
    public int size() {
        return queues.size();
    }

    @Override
    public int revision() {
        return revision;
    }

    @Override
    public int find(String name) {
        for (int queue = 0; queue < queues.size(); queue++) {
            if (queues.get(queue).name().equals(name)) {
                return queue;
            }
        }
        return 0;
    }

    @Override
    public String name(int queue) {
        return queues.get(queue).name();
    }

    @Override
    public int parent(int queue) {
        return queues.get(queue).parent();
    }

    @Override
    public double weight(int queue) {
        return queues.get(queue).weight();
    }

    @Override
    public long guaranteed(int queue, int dimension) {
        return ArrayDemandsView.amount(queues.get(queue).guaranteed(), dimension);
    }

    @Override
    public long limit(int queue, int dimension) {
        ResourceProfile limit = queues.get(queue).limit();
        return limit.isUnknown() ? Long.MAX_VALUE : ArrayDemandsView.amount(limit, dimension);
    }

    @Override
    public long used(int queue, int dimension) {
        count();
        return sums.get(queue).used()[dimension];
    }

    @Override
    public long pending(int queue, int dimension) {
        count();
        return sums.get(queue).pending()[dimension];
    }

    /** The unit was added, was removed, or uses or needs something else. */
    void changed(int unit) {
        changed.add(unit);
    }

    /** Policies ask for each queue in each call: a look at all units would be what such a call costs. */
    private void count() {
        for (int unit : changed) {
            Counted before = counted.remove(unit);
            if (before != null) {
                add(before, -1);
            }
            if (demands.present(unit)) {
                Counted now = new Counted(find(demands.queue(unit)), of(unit));
                counted.put(unit, now);
                add(now, 1);
            }
        }
        changed.clear();
    }

    private void add(Counted one, int sign) {
        for (int at = one.queue(); at >= 0; at = parent(at)) {
            sums.get(at).add(one.sums(), sign);
        }
    }

    private Sums of(int unit) {
        Sums of = Sums.none(demands.dimensions());
        for (int group = 0; group < demands.groups(unit); group++) {
            int missing = Math.max(0, demands.desired(unit, group) - demands.allocated(unit, group));
            for (int dimension = 0; dimension < of.used().length; dimension++) {
                long amount = demands.amount(unit, group, dimension);
                of.used()[dimension] += demands.allocated(unit, group) * amount;
                of.pending()[dimension] += missing * amount;
            }
        }
        return of;
    }

    @Override
    public double usedSeconds(int queue, int dimension) {
        return queues.get(queue).usedSeconds().getOrDefault(dimension, 0.0);
    }

    @Override
    public double usedSeconds(String submitter, int dimension) {
        return submitters.getOrDefault(submitter, Map.of()).getOrDefault(dimension, 0.0);
    }
}
