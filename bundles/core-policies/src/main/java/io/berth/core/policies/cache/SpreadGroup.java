package io.berth.core.policies.cache;

import io.berth.core.api.job.PlacementConstraints.Spread;
import io.berth.spi.matching.SpreadView;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;

/**
 * How the slots of one group are spread, as one round sees it. Constant once the strategy sees it; reads the labels of
 * workers from the cache.
 */
public final class SpreadGroup implements SpreadView {

    private final Feasibility feasibility;
    private final int constraints;
    private final Spread spread;
    private final String[] values;
    private final int[] slots;
    private final BitSet withWorkers = new BitSet();
    private final Map<String, Integer> domains = new HashMap<>();

    /**
     * @param constraints number of the constraints
     * @param slotsOf how many slots the group has in each domain
     * @param valuesOfWorkers the domains that have workers
     */
    SpreadGroup(
            Feasibility feasibility,
            int constraints,
            Spread spread,
            SortedMap<String, Integer> slotsOf,
            Set<String> valuesOfWorkers) {
        this.feasibility = feasibility;
        this.constraints = constraints;
        this.spread = spread;
        this.values = slotsOf.keySet().toArray(String[]::new);
        this.slots = new int[values.length];
        for (int domain = 0; domain < values.length; domain++) {
            slots[domain] = slotsOf.getOrDefault(values[domain], 0);
            withWorkers.set(domain, valuesOfWorkers.contains(values[domain]));
            domains.put(values[domain], domain);
        }
    }

    @Override
    public String label() {
        return spread.label();
    }

    @Override
    public int maxSkew() {
        return spread.maxSkew();
    }

    @Override
    public int domains() {
        return values.length;
    }

    @Override
    public String value(int domain) {
        return values[domain];
    }

    @Override
    public boolean hasWorkers(int domain) {
        if (domain >= values.length) {
            throw new IndexOutOfBoundsException("domain " + domain + " of " + values.length);
        }
        return withWorkers.get(domain);
    }

    @Override
    public int slots(int domain) {
        return slots[domain];
    }

    @Override
    public int domain(int worker) {
        return domain(feasibility.value(constraints, worker, spread.label()));
    }

    @Override
    public int domainOnSpec(int spec) {
        return domain(feasibility.valueOnSpec(constraints, spec, spread.label()));
    }

    private int domain(Optional<String> value) {
        return value.map(of -> domains.getOrDefault(of, -1)).orElse(-1);
    }
}
