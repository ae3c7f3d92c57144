package io.berth.core.policies.cache;

import io.berth.core.api.job.SchedulingAttributes;
import io.berth.core.api.operations.PolicyOperations.QueueDetails;
import io.berth.core.api.policy.PlanningInput.GroupDemand;
import io.berth.core.api.policy.PlanningInput.UnitDemand;
import io.berth.core.policies.pools.PastUse;
import io.berth.core.policies.pools.PastUse.Use;
import io.berth.core.policies.pools.PoolSettings;
import io.berth.core.policies.pools.QueueTree.Queue;
import io.berth.spi.ResourceProfile;
import io.berth.spi.distribution.QueuesView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntToLongFunction;
import java.util.function.Supplier;

/**
 * The queues of a pool and what their units use. Each changed unit costs one step for each level of its queue. What
 * rounds of the current decision placed is shown, but does not count as used over time. Confined to the main thread of
 * the planner; policies read it in their calls.
 */
public final class QueueTable implements QueuesView {

    /** Who are remembered when they use nothing, and recorded. */
    private static final int MAX_SUBMITTERS = 5_000;

    /** What units of one queue lack. */
    private static final class Pending {
        private long[] amounts;
        private long unknownSlots;

        Pending(int dimensions) {
            amounts = new long[dimensions];
        }
    }

    private final WorkerColumns workers;
    private PoolSettings settings = PoolSettings.DEFAULT;
    private int revision;
    private int dimensions;
    private boolean begun;
    private long nowMillis;
    private final List<DecayingUse> used = new ArrayList<>();
    private final List<Pending> pending = new ArrayList<>();
    private final Map<String, DecayingUse> submitters = new HashMap<>();
    /** The past of queues that are not configured now, for the case that they are again. */
    private final Map<String, DecayingUse> former = new HashMap<>();
    /** What this decision placed, by queue. */
    private final List<long[]> placed = new ArrayList<>();

    private boolean anyPlaced;

    QueueTable(WorkerColumns workers) {
        this.workers = workers;
        open();
    }

    /** The past of all, for {@link PoolState}. */
    PoolState.Queues state() {
        SortedMap<String, PoolState.Used> ofQueues = new TreeMap<>();
        for (int queue = 0; queue < used.size(); queue++) {
            ofQueues.put(name(queue), used.get(queue).used());
        }
        SortedMap<String, PoolState.Used> ofSubmitters = new TreeMap<>();
        submitters.forEach((name, use) -> ofSubmitters.put(name, use.used()));
        SortedMap<String, PoolState.Used> ofFormer = new TreeMap<>();
        former.forEach((name, use) -> ofFormer.put(name, use.used()));
        return new PoolState.Queues(settings, revision, begun, nowMillis, ofQueues, ofSubmitters, ofFormer);
    }

    /** Takes over the past, without the units; they are added at the moment that is returned. */
    DecisionTime restore(PoolState.Queues from) {
        settings = from.settings();
        revision = from.revision();
        begun = from.begun();
        // Before all of the past, so that adding units does not advance it.
        nowMillis = Long.MIN_VALUE;
        open();
        for (int queue = 0; queue < used.size(); queue++) {
            PoolState.Used past = from.queues().get(name(queue));
            if (past != null) {
                used.set(queue, new DecayingUse(past, dimensions));
            }
        }
        from.submitters().forEach((name, past) -> submitters.put(name, new DecayingUse(past, dimensions)));
        from.former().forEach((name, past) -> former.put(name, new DecayingUse(past, dimensions)));
        return new DecisionTime(nowMillis, 0);
    }

    /** The units of a restored state were added. */
    void restored(PoolState.Queues from) {
        nowMillis = from.nowMillis();
        begun = from.begun();
    }

    private void open() {
        dimensions = workers.dimensions();
        used.clear();
        pending.clear();
        placed.clear();
        for (int queue = 0; queue < tree().size(); queue++) {
            used.add(new DecayingUse(dimensions, nowMillis));
            pending.add(new Pending(dimensions));
            placed.add(new long[dimensions]);
        }
    }

    private List<Queue> tree() {
        return settings.queues().queues();
    }

    /**
     * The time of the changes that follow.
     *
     * @param units that are there now
     */
    void begin(long millis, Supplier<List<UnitDemand>> units) {
        nowMillis = millis;
        if (!begun) {
            begun = true;
            open();
        }
        if (dimensions != workers.dimensions()) {
            resize(units.get());
        }
    }

    /**
     * Other settings. Queues keep the past of the queue of their name.
     *
     * @param units that are there now
     */
    void configure(PoolSettings changed, Supplier<List<UnitDemand>> units) {
        if (changed == settings) {
            return;
        }
        if (changed.equals(settings)) {
            // The next time it is the same object.
            settings = changed;
            return;
        }
        advanceAll();
        for (int queue = 0; queue < tree().size(); queue++) {
            used.get(queue).clear(workers);
            former.put(name(queue), used.get(queue));
        }
        settings = changed;
        revision++;
        open();
        for (int queue = 0; queue < tree().size(); queue++) {
            Optional.ofNullable(former.remove(name(queue))).ifPresent(used.get(queue)::continueWith);
        }
        forget();
        submitters.values().forEach(use -> use.clear(workers));
        units.get().forEach(unit -> add(unit, 1));
    }

    private void advanceAll() {
        used.forEach(this::advanced);
        submitters.values().forEach(this::advanced);
        former.values().forEach(this::advanced);
    }

    private void forget() {
        submitters.values().removeIf(DecayingUse::isForgotten);
        former.values().removeIf(DecayingUse::isForgotten);
        if (former.size() > PoolSettings.MAX_QUEUES) {
            former.clear();
        }
    }

    /** The dimensions have changed. */
    void resize(Iterable<UnitDemand> units) {
        dimensions = workers.dimensions();
        advanceAll();
        used.forEach(use -> use.clear(workers));
        former.values().forEach(use -> use.clear(workers));
        submitters.values().forEach(use -> use.clear(workers));
        pending.replaceAll(before -> new Pending(dimensions));
        placed.replaceAll(before -> new long[dimensions]);
        units.forEach(unit -> add(unit, 1));
    }

    private void add(UnitDemand unit, int sign) {
        add(unit.attributes(), unit.groups(), sign);
    }

    /**
     * Groups of a unit changed.
     *
     * @param sign 1: they are there, and so is the unit; -1: not anymore
     */
    void add(SchedulingAttributes attributes, List<GroupDemand> groups, int sign) {
        for (int queue = find(attributes.queue()); queue >= 0; queue = parent(queue)) {
            advanced(used.get(queue)).add(workers, groups, sign);
            add(pending.get(queue), groups, sign);
        }
        String submitter = attributes.submitter();
        if (!submitter.isEmpty()) {
            submitter(submitter).add(workers, groups, sign);
        }
    }

    private DecayingUse submitter(String name) {
        return advanced(submitters.computeIfAbsent(name, first -> new DecayingUse(dimensions, nowMillis)));
    }

    private DecayingUse advanced(DecayingUse use) {
        use.advance(workers, nowMillis, settings.halfLifeMillis());
        return use;
    }

    private void add(Pending lack, List<GroupDemand> groups, int sign) {
        for (GroupDemand group : groups) {
            long slots = (long) sign * Math.max(0, Math.max(group.minimum(), group.desired()) - group.allocated());
            if (slots == 0) {
                continue;
            }
            if (group.profile().isUnknown()) {
                lack.unknownSlots += slots;
            } else {
                for (int dimension = 0; dimension < lack.amounts.length; dimension++) {
                    lack.amounts[dimension] += slots * workers.amount(group.profile(), dimension);
                }
            }
        }
    }

    /** Whether anybody is told apart. */
    boolean isUsed() {
        return settings.queues().isConfigured() || !submitters.isEmpty();
    }

    /** What was used up to now; continues in {@link #restore}. Of many submitters those are forgotten who used least. */
    PastUse past(long wallMillis) {
        advanceAll();
        forget();
        SortedSet<String> others = new TreeSet<>();
        used.forEach(use -> others.addAll(use.notOffered()));
        former.values().forEach(use -> others.addAll(use.notOffered()));
        submitters.values().forEach(use -> others.addAll(use.notOffered()));
        List<String> after = List.copyOf(others);
        List<String> names = new ArrayList<>();
        for (int dimension = 0; dimension < dimensions; dimension++) {
            names.add(workers.dimension(dimension));
        }
        names.addAll(after);
        SortedMap<String, Use> ofQueues = new TreeMap<>();
        for (int queue = 0; queue < used.size(); queue++) {
            ofQueues.put(name(queue), used.get(queue).record(workers, after));
        }
        former.forEach((name, use) -> ofQueues.put(name, use.record(workers, after)));
        SortedMap<String, Use> ofSubmitters = new TreeMap<>();
        submitters.forEach((name, use) -> ofSubmitters.put(name, use.record(workers, after)));
        PastUse record = new PastUse(wallMillis, names, ofQueues, ofSubmitters).withSubmitters(MAX_SUBMITTERS);
        if (record.submitters().size() < submitters.size()) {
            submitters
                    .entrySet()
                    .removeIf(entry ->
                            entry.getValue().isIdle() && !record.submitters().containsKey(entry.getKey()));
        }
        return record;
    }

    /** The queues for people. */
    List<QueueDetails> details() {
        Map<Integer, SortedMap<String, Long>> usedNow = new HashMap<>();
        Map<Integer, SortedMap<String, Long>> lacking = new HashMap<>();
        Map<Integer, SortedMap<String, Long>> over = new HashMap<>();
        for (int number = 0; number < size(); number++) {
            int queue = number;
            usedNow.put(queue, amounts(dimension -> used(queue, dimension)));
            lacking.put(queue, amounts(dimension -> pending(queue, dimension)));
            over.put(queue, amounts(dimension -> Math.round(usedSeconds(queue, dimension))));
        }
        return settings.queues().details(usedNow, lacking, over);
    }

    private SortedMap<String, Long> amounts(IntToLongFunction amount) {
        SortedMap<String, Long> amounts = new TreeMap<>();
        for (int dimension = 0; dimension < dimensions; dimension++) {
            long value = amount.applyAsLong(dimension);
            if (value > 0) {
                amounts.put(workers.dimension(dimension), value);
            }
        }
        return amounts;
    }

    /**
     * Adds what was used before this planner began.
     *
     * @param begunMillis wall-clock time at which it began
     * @param wallMillis now
     */
    void restore(PastUse record, long begunMillis, long wallMillis) {
        record.queues().forEach((name, use) -> restore(queueOrFormer(name), record, use, begunMillis, wallMillis));
        record.submitters().forEach((name, use) -> restore(submitter(name), record, use, begunMillis, wallMillis));
    }

    private DecayingUse queueOrFormer(String name) {
        return settings.queues()
                .find(name)
                .map(used::get)
                .orElseGet(() -> former.computeIfAbsent(name, first -> new DecayingUse(dimensions, nowMillis)));
    }

    private void restore(DecayingUse into, PastUse record, Use use, long begunMillis, long wallMillis) {
        advanced(into)
                .restore(
                        workers,
                        record.dimensions(),
                        use,
                        begunMillis - record.wallMillis(),
                        wallMillis - record.wallMillis(),
                        settings.halfLifeMillis());
    }

    /** Shows slots as placed until {@link #clearOverlay}. */
    void overlay(UnitDemand unit, int group, int count) {
        ResourceProfile profile = unit.groups().get(group).profile();
        anyPlaced = true;
        // Without queues, all is of the root.
        int first = tree().size() == 1 ? 0 : find(unit.attributes().queue());
        for (int queue = first; queue >= 0; queue = parent(queue)) {
            long[] amounts = placed.get(queue);
            for (int dimension = 0; dimension < amounts.length; dimension++) {
                amounts[dimension] += count
                        * (profile.isUnknown() ? workers.meanSlot(dimension) : workers.amount(profile, dimension));
            }
        }
    }

    void clearOverlay() {
        if (anyPlaced) {
            placed.forEach(amounts -> Arrays.fill(amounts, 0));
            anyPlaced = false;
        }
    }

    private long placed(int queue, int dimension) {
        return placed.get(queue)[dimension];
    }

    @Override
    public int size() {
        return tree().size();
    }

    @Override
    public int revision() {
        return revision;
    }

    @Override
    public int find(String name) {
        return settings.queues().find(name).orElse(0);
    }

    @Override
    public String name(int queue) {
        return tree().get(queue).name();
    }

    @Override
    public int parent(int queue) {
        return tree().get(queue).parent();
    }

    @Override
    public double weight(int queue) {
        return tree().get(queue).weight();
    }

    @Override
    public long guaranteed(int queue, int dimension) {
        return tree().get(queue).guaranteed().getOrDefault(workers.dimension(dimension), 0L);
    }

    @Override
    public long limit(int queue, int dimension) {
        return tree().get(queue).limit().getOrDefault(workers.dimension(dimension), Long.MAX_VALUE);
    }

    @Override
    public long used(int queue, int dimension) {
        return used.get(queue).used(workers, dimension) + placed(queue, dimension);
    }

    @Override
    public long pending(int queue, int dimension) {
        Pending lack = pending.get(queue);
        long unknown = lack.unknownSlots == 0 ? 0 : lack.unknownSlots * workers.meanSlot(dimension);
        return Math.max(0, lack.amounts[dimension] + unknown - placed(queue, dimension));
    }

    @Override
    public double usedSeconds(int queue, int dimension) {
        return past(used.get(queue), dimension);
    }

    private double past(DecayingUse use, int dimension) {
        return use.past(workers, nowMillis, settings.halfLifeMillis(), dimension);
    }

    @Override
    public double usedSeconds(String submitter, int dimension) {
        DecayingUse use = submitters.get(submitter);
        return use == null ? 0 : past(use, dimension);
    }
}
