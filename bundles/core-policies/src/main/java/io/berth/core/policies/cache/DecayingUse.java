package io.berth.core.policies.cache;

import io.berth.core.api.policy.PlanningInput.GroupDemand;
import io.berth.core.policies.pools.PastUse.Use;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What is used now, and what was used over time: amount times seconds, of which half is forgotten after each half-life.
 * A slot of the unknown profile counts as the mean default slot of the moment. Confined to the main thread of the
 * planner.
 */
final class DecayingUse {

    private static final double LN_2 = Math.log(2);
    /** Jobs are taken to have used the same for as long after a record; another one is made before. */
    private static final long MAX_UNSEEN_MILLIS = 600_000;
    /** Less counts as nothing. */
    private static final double FORGOTTEN = 1;

    private long[] amounts;
    private long unknownSlots;
    private int units;
    private double[] past;
    /** The past of resources that no worker has offered yet, by name. */
    private final SortedMap<String, Double> notOffered = new TreeMap<>();

    private long atMillis;

    DecayingUse(int dimensions, long nowMillis) {
        amounts = new long[dimensions];
        past = new double[dimensions];
        atMillis = nowMillis;
    }

    /** Continues with a past. */
    DecayingUse(PoolState.Used from, int dimensions) {
        this(dimensions, from.atMillis());
        for (int dimension = 0; dimension < from.past().size(); dimension++) {
            past[dimension] = from.past().get(dimension);
        }
        notOffered.putAll(from.notOffered());
    }

    PoolState.Used used() {
        return new PoolState.Used(atMillis, Arrays.stream(past).boxed().toList(), notOffered);
    }

    /**
     * The slots of groups of a unit are used from now on. {@link #advance} comes first.
     *
     * @param sign 1; -1: they are no longer used
     */
    void add(WorkerColumns workers, List<GroupDemand> groups, int sign) {
        units += sign;
        for (GroupDemand group : groups) {
            long slots = (long) sign * group.allocated();
            if (slots == 0) {
                continue;
            }
            if (group.profile().isUnknown()) {
                unknownSlots += slots;
            } else {
                for (int dimension = 0; dimension < amounts.length; dimension++) {
                    amounts[dimension] += slots * workers.amount(group.profile(), dimension);
                }
            }
        }
    }

    /**
     * Continues with what was used before.
     *
     * @param names the resources of the record
     * @param unseenMillis how long it went on
     * @param elapsedMillis how old the record is
     */
    void restore(
            WorkerColumns workers,
            List<String> names,
            Use record,
            long unseenMillis,
            long elapsedMillis,
            long halfLifeMillis) {
        long counted = Math.min(Math.max(0, unseenMillis), MAX_UNSEEN_MILLIS);
        for (int at = 0; at < names.size(); at++) {
            double used = after(record.past()[at], record.now()[at], counted, halfLifeMillis);
            add(workers, names.get(at), after(used, 0, elapsedMillis - counted, halfLifeMillis));
        }
    }

    /** Takes over the past of a use that was advanced to the same moment. */
    void continueWith(DecayingUse before) {
        for (int dimension = 0; dimension < before.past.length; dimension++) {
            past[dimension] += before.past[dimension];
        }
        before.notOffered.forEach((name, amount) -> notOffered.merge(name, amount, Double::sum));
    }

    private void add(WorkerColumns workers, String name, double amount) {
        for (int dimension = 0; dimension < past.length; dimension++) {
            if (workers.dimension(dimension).equals(name)) {
                past[dimension] += amount;
                return;
            }
        }
        if (amount > 0) {
            notOffered.merge(name, amount, Double::sum);
        }
    }

    private static double after(double amountSeconds, long amount, long elapsedMillis, long halfLifeMillis) {
        double kept = Math.exp(-LN_2 * Math.max(0, elapsedMillis) / halfLifeMillis);
        return amountSeconds * kept + amount * (1 - kept) * halfLifeMillis / 1_000 / LN_2;
    }

    /** Counts what was used up to now. */
    void advance(WorkerColumns workers, long nowMillis, long halfLifeMillis) {
        if (nowMillis > atMillis) {
            for (int dimension = 0; dimension < past.length; dimension++) {
                past[dimension] = past(workers, nowMillis, halfLifeMillis, dimension);
            }
            long elapsed = nowMillis - atMillis;
            notOffered.replaceAll((name, amount) -> after(amount, 0, elapsed, halfLifeMillis));
            notOffered.values().removeIf(amount -> amount < FORGOTTEN);
            atMillis = nowMillis;
        }
    }

    /** What was used up to a moment. Changes nothing, so that policies may ask on their threads. */
    double past(WorkerColumns workers, long nowMillis, long halfLifeMillis, int dimension) {
        return after(past[dimension], used(workers, dimension), nowMillis - atMillis, halfLifeMillis);
    }

    long used(WorkerColumns workers, int dimension) {
        return amounts[dimension] + (unknownSlots == 0 ? 0 : unknownSlots * workers.meanSlot(dimension));
    }

    /** Resources of the past that no worker has offered yet. */
    Set<String> notOffered() {
        return notOffered.keySet();
    }

    /**
     * What was used up to the last {@link #advance}.
     *
     * @param others resources after those of the workers
     */
    Use record(WorkerColumns workers, List<String> others) {
        Use record = new Use(Arrays.copyOf(past, past.length + others.size()), new long[past.length + others.size()]);
        for (int dimension = 0; dimension < past.length; dimension++) {
            record.now()[dimension] = used(workers, dimension);
        }
        for (int other = 0; other < others.size(); other++) {
            record.past()[past.length + other] = notOffered.getOrDefault(others.get(other), 0.0);
        }
        return record;
    }

    /** Forgets what is used now, but not the past; the workers may offer more resources. */
    void clear(WorkerColumns workers) {
        amounts = new long[workers.dimensions()];
        past = Arrays.copyOf(past, workers.dimensions());
        unknownSlots = 0;
        units = 0;
        SortedMap<String, Double> before = new TreeMap<>(notOffered);
        notOffered.clear();
        before.forEach((name, amount) -> add(workers, name, amount));
    }

    /** Whether there is no unit that could use anything. */
    boolean isIdle() {
        return units == 0;
    }

    /** Whether nothing is left to remember. */
    boolean isForgotten() {
        return isIdle()
                && Arrays.stream(past).allMatch(amount -> amount < FORGOTTEN)
                && notOffered.values().stream().allMatch(amount -> amount < FORGOTTEN);
    }
}
