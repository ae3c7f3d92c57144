package io.berth.core.policies.cache;

import io.berth.core.api.job.PlacementConstraints;
import io.berth.core.api.job.PlacementConstraints.Spread;
import io.berth.core.api.job.WorkerLabels;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * On which workers slots may be: one set of workers for each different constraint of units that lack slots. Other labels
 * of a worker cost one look for each of them, a new constraint one look at each worker, and a decision without
 * constraints and taints nothing. It changes on the main thread of the planner only; policies read it in their calls.
 */
public final class Feasibility {

    /** Of an entry that may be on every worker. */
    public static final int ANYWHERE = -1;

    /** The number of no constraints, where workers or specs have taints. */
    private static final int NONE = 0;

    private static final int MIN_LIMIT = 1_024;

    private final Map<PlacementConstraints, Integer> numbers = new HashMap<>();
    private final List<PlacementConstraints> kinds = new ArrayList<>();
    private final List<BitSet> feasible = new ArrayList<>();
    private final List<BitSet> feasibleSpecs = new ArrayList<>();
    /** How many feasible workers have which value of the label over which slots are spread; empty for other kinds. */
    private final List<SortedMap<String, Integer>> values = new ArrayList<>();

    private List<WorkerLabels> specs = List.of();
    private boolean specsTainted;
    /** By index of the worker; those of workers that are gone are not read. */
    private WorkerLabels[] labels = new WorkerLabels[16];

    private final BitSet present = new BitSet();
    private final BitSet tainted = new BitSet();
    private int limit = MIN_LIMIT;

    Feasibility() {
        add(PlacementConstraints.NONE);
    }

    /**
     * Number of a constraint that is known, the same until {@link #clear}; {@link #ANYWHERE} if it excludes no worker.
     *
     * @throws IllegalArgumentException when it is not known
     */
    public int number(PlacementConstraints constraints) {
        if (constraints.isNone()) {
            return tainted.isEmpty() && !specsTainted ? ANYWHERE : NONE;
        }
        Integer number = numbers.get(constraints);
        if (number == null) {
            throw new IllegalArgumentException("no number is known of " + constraints);
        }
        return number;
    }

    /** Finds out where slots with the constraint may be, unless that is known. */
    void know(PlacementConstraints constraints) {
        // No constraints are always known, and most slots have none: they are not looked up.
        if (!constraints.isNone() && !numbers.containsKey(constraints)) {
            add(constraints);
        }
    }

    private void add(PlacementConstraints constraints) {
        BitSet workers = new BitSet();
        for (int worker = present.nextSetBit(0); worker >= 0; worker = present.nextSetBit(worker + 1)) {
            workers.set(worker, constraints.obstacle(labels[worker]).isEmpty());
        }
        int number = kinds.size();
        kinds.add(constraints);
        feasible.add(workers);
        values.add(new TreeMap<>());
        workers.stream().forEach(worker -> countValue(number, worker, 1));
        feasibleSpecs.add(specsOf(constraints));
        numbers.put(constraints, number);
    }

    /**
     * Whether there are so many that those of units that are gone should be forgotten, together with the sessions that
     * know their numbers.
     */
    boolean isFull() {
        return kinds.size() > limit;
    }

    /** Forgets all. {@link #filled} follows when those that are still needed are known again. */
    void clear() {
        numbers.clear();
        kinds.clear();
        feasible.clear();
        feasibleSpecs.clear();
        values.clear();
        add(PlacementConstraints.NONE);
    }

    /** Only those that are needed are known: it is full when there are twice as many. */
    void filled() {
        limit = Math.max(MIN_LIMIT, 2 * kinds.size());
    }

    private void countValue(int kind, int worker, int sign) {
        kinds.get(kind)
                .spread()
                .ifPresent(spread -> values.get(kind)
                        .merge(
                                labels[worker].labels().get(spread.label()),
                                sign,
                                (before, more) -> before + more == 0 ? null : before + more));
    }

    /**
     * How slots of a group are spread.
     *
     * @param number of constraints with a spread
     * @param slotsOn how many slots the group has on which worker, by its index
     */
    SpreadGroup spread(int number, SortedMap<Integer, Integer> slotsOn) {
        Spread spread = kinds.get(number).spread().orElseThrow();
        SortedMap<String, Integer> slots = new TreeMap<>();
        values.get(number).keySet().forEach(value -> slots.put(value, 0));
        BitSet ofSpecs = feasibleSpecs.get(number);
        ofSpecs.stream().forEach(spec -> slots.put(specs.get(spec).labels().get(spread.label()), 0));
        slotsOn.forEach((worker, count) -> {
            String value = worker < labels.length && present.get(worker)
                    ? labels[worker].labels().get(spread.label())
                    : null;
            if (value != null) {
                slots.computeIfPresent(value, (same, before) -> before + count);
            }
        });
        return new SpreadGroup(this, number, spread, slots, values.get(number).keySet());
    }

    /** Value of a label of a worker where a slot with the constraint may be; empty where it may not. */
    Optional<String> value(int number, int worker, String label) {
        return present.get(worker) && feasible(number, worker)
                ? Optional.ofNullable(labels[worker].labels().get(label))
                : Optional.empty();
    }

    Optional<String> valueOnSpec(int number, int spec, String label) {
        return feasibleOnSpec(number, spec)
                ? Optional.ofNullable(specs.get(spec).labels().get(label))
                : Optional.empty();
    }

    /** The labels and taints of new workers of each spec. */
    void specs(List<WorkerLabels> ofSpecs) {
        if (!ofSpecs.equals(specs)) {
            specs = List.copyOf(ofSpecs);
            specsTainted = specs.stream().anyMatch(spec -> !spec.taints().isEmpty());
            for (int kind = 0; kind < kinds.size(); kind++) {
                feasibleSpecs.set(kind, specsOf(kinds.get(kind)));
            }
        }
    }

    private BitSet specsOf(PlacementConstraints constraints) {
        BitSet allowed = new BitSet();
        for (int spec = 0; spec < specs.size(); spec++) {
            allowed.set(spec, constraints.obstacle(specs.get(spec)).isEmpty());
        }
        return allowed;
    }

    /** A worker was added, or has other labels. */
    void put(int worker, WorkerLabels itsLabels) {
        if (worker >= labels.length) {
            labels = Arrays.copyOf(labels, Math.max(worker + 1, labels.length * 2));
        }
        forgetValues(worker);
        labels[worker] = itsLabels;
        present.set(worker);
        tainted.set(worker, !itsLabels.taints().isEmpty());
        for (int kind = 0; kind < kinds.size(); kind++) {
            boolean allowed = kinds.get(kind).obstacle(itsLabels).isEmpty();
            feasible.get(kind).set(worker, allowed);
            if (allowed) {
                countValue(kind, worker, 1);
            }
        }
    }

    private void forgetValues(int worker) {
        for (int kind = 0; present.get(worker) && kind < kinds.size(); kind++) {
            if (feasible.get(kind).get(worker)) {
                countValue(kind, worker, -1);
            }
        }
    }

    void remove(int worker) {
        forgetValues(worker);
        present.clear(worker);
        tainted.clear(worker);
    }

    /** Whether a slot with the constraint may be on the worker. */
    public boolean feasible(int number, int worker) {
        return number == ANYWHERE || feasible.get(number).get(worker);
    }

    /** Whether a slot with the constraint may be on a new worker of the spec. */
    public boolean feasibleOnSpec(int number, int spec) {
        return number == ANYWHERE || feasibleSpecs.get(number).get(spec);
    }

    /** Why not, for people; empty when it may. */
    public String obstacle(int number, int worker) {
        return number == ANYWHERE
                ? ""
                : kinds.get(number).obstacle(labels[worker]).orElse("");
    }

    /** Whether the constraints prefer some workers. */
    public boolean prefers(int number) {
        return number != ANYWHERE && !kinds.get(number).prefer().isEmpty();
    }

    /** Sum of the weights of the preferences that the worker fulfills. */
    public int preference(int number, int worker) {
        return number == ANYWHERE ? 0 : kinds.get(number).preference(labels[worker]);
    }

    /** The same of new workers of the spec. */
    public int preferenceOnSpec(int number, int spec) {
        return number == ANYWHERE ? 0 : kinds.get(number).preference(specs.get(spec));
    }
}
