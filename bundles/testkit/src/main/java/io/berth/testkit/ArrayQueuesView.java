package io.berth.testkit;

import io.berth.spi.ResourceProfile;
import io.berth.spi.distribution.QueuesView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A tree of queues. What they use and need follows from the units of the view that it belongs to. */
public final class ArrayQueuesView implements QueuesView {

    private record Queue(
            String name,
            int parent,
            double weight,
            ResourceProfile guaranteed,
            ResourceProfile limit,
            Map<Integer, Double> usedSeconds) {}

    private final ArrayDemandsView demands;
    private final List<Queue> queues = new ArrayList<>();
    private final Map<String, Map<Integer, Double>> submitters = new HashMap<>();
    private int revision;
    /** What queues use, by queue and resource, after so many changes. */
    private long[][] sums = new long[0][];

    private long summedAt = -1;

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
        if (summedAt != demands.changes() || sums.length != queues.size()) {
            sum();
        }
        return sums[queue][dimension];
    }

    /** Policies ask for each queue in each call: a look at all units for each is slow. */
    private void sum() {
        summedAt = demands.changes();
        sums = new long[queues.size()][demands.dimensions()];
        for (int unit = 0; unit < demands.limit(); unit++) {
            for (int at = demands.present(unit) ? find(demands.queue(unit)) : -1; at >= 0; at = parent(at)) {
                for (int dimension = 0; dimension < sums[at].length; dimension++) {
                    sums[at][dimension] += demands.used(unit, dimension);
                }
            }
        }
    }

    @Override
    public long pending(int queue, int dimension) {
        long pending = 0;
        for (int unit = 0; unit < demands.limit(); unit++) {
            for (int group = 0; isIn(unit, queue) && group < demands.groups(unit); group++) {
                int missing = Math.max(0, demands.desired(unit, group) - demands.allocated(unit, group));
                pending += missing * demands.amount(unit, group, dimension);
            }
        }
        return pending;
    }

    private boolean isIn(int unit, int queue) {
        if (!demands.present(unit)) {
            return false;
        }
        int at = find(demands.queue(unit));
        while (at > queue) {
            at = parent(at);
        }
        return at == queue;
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
