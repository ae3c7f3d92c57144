package io.berth.testkit;

import io.berth.spi.matching.SpreadView;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;

/** How slots of one group are spread, read from the workers of a view. */
final class ArraySpreadView implements SpreadView {

    private final ArrayWorkersView workers;
    private final LabelConstraints constraints;
    private final List<String> values;
    private final SortedSet<String> ofWorkers = new TreeSet<>();
    private final int[] slots;

    /** @param slotsOn how many slots the group has on which worker */
    ArraySpreadView(ArrayWorkersView workers, LabelConstraints constraints, SortedMap<Integer, Integer> slotsOn) {
        this.workers = workers;
        this.constraints = constraints;
        for (int worker = 0; worker < workers.limit(); worker++) {
            if (isFeasible(worker)) {
                ofWorkers.add(workers.labels(worker).get(label()));
            }
        }
        SortedSet<String> all = new TreeSet<>(ofWorkers);
        for (int spec = 0; spec < workers.specs(); spec++) {
            if (workers.feasibleOnSpec(constraints, spec)) {
                all.add(workers.specLabels(spec).get(label()));
            }
        }
        values = new ArrayList<>(all);
        slots = new int[values.size()];
        slotsOn.forEach((worker, count) -> {
            if (domain(worker) >= 0) {
                slots[domain(worker)] += count;
            }
        });
    }

    private boolean isFeasible(int worker) {
        return worker < workers.limit() && workers.present(worker) && workers.feasible(constraints, worker);
    }

    @Override
    public String label() {
        return constraints.spread().orElseThrow().label();
    }

    @Override
    public int maxSkew() {
        return constraints.spread().orElseThrow().maxSkew();
    }

    @Override
    public int domains() {
        return values.size();
    }

    @Override
    public String value(int domain) {
        return values.get(domain);
    }

    @Override
    public boolean hasWorkers(int domain) {
        return ofWorkers.contains(value(domain));
    }

    @Override
    public int slots(int domain) {
        return slots[domain];
    }

    @Override
    public int domain(int worker) {
        return isFeasible(worker) ? values.indexOf(workers.labels(worker).get(label())) : -1;
    }

    @Override
    public int domainOnSpec(int spec) {
        return workers.feasibleOnSpec(constraints, spec)
                ? values.indexOf(workers.specLabels(spec).get(label()))
                : -1;
    }
}
