package io.berth.core.policies.cache;

import io.berth.core.api.job.SchedulingAttributes;
import io.berth.core.api.policy.PlacementRuns;
import io.berth.core.api.policy.PlanningInput.UnitDemand;
import io.berth.policy.rules.placement.CheckedEntries;
import io.berth.policy.rules.placement.PlacementResult;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.matching.AllocationsView;
import io.berth.spi.matching.SpreadView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/** What one round admitted, in order of precedence. Constant once the strategy sees it. */
public final class AdmittedEntries implements CheckedEntries {

    private static final long[] UNKNOWN = {};

    /** Slots with other constraints have another number, although they have the same profile. */
    private record Constrained(ResourceProfile profile, int constraints) {}

    private record UnitGroup(int unit, int group) {}

    private final WorkerColumns workers;
    private final AllocationColumns allocations;
    private final Map<ResourceProfile, Integer> profileIds = new LinkedHashMap<>();
    private final List<ResourceProfile> profiles = new ArrayList<>();
    private final Map<Constrained, Integer> constrainedIds = new HashMap<>();
    private long[][] needs = new long[16][];
    /** Number of the constraints, by number of the profile. */
    private int[] constraints = new int[16];

    private boolean constrained;
    private UnitDemand[] demands = new UnitDemand[16];
    private int[] units = new int[16];
    private int[] groups = new int[16];
    private int[] counts = new int[16];
    private int[] gangs = new int[16];
    private int[] profile = new int[16];
    private int[] ranks = new int[16];
    /** Index of the spread of the group; -1 when its slots are not spread. */
    private int[] spreadOf = new int[16];

    private final List<SpreadGroup> spreads = new ArrayList<>();
    private final Map<UnitGroup, Integer> spreadIds = new HashMap<>();
    private int size;
    private int lastGang = -1;
    private int lastRank = -1;

    public AdmittedEntries(WorkerColumns workers, AllocationColumns allocations) {
        this.workers = workers;
        this.allocations = allocations;
    }

    public void newGang() {
        lastGang++;
    }

    /** What is added from now on has a larger rank. */
    public void newRank() {
        lastRank++;
    }

    /** Adds slots that are not spread. */
    public void add(int unit, int group, UnitDemand demand, int where, int count, boolean minimum) {
        add(unit, group, demand, where, count, minimum, Collections.emptySortedMap());
    }

    /**
     * @param where number of the constraints
     * @param slotsOn how many slots the group has on which worker, if they are spread
     */
    public void add(
            int unit,
            int group,
            UnitDemand demand,
            int where,
            int count,
            boolean minimum,
            SortedMap<Integer, Integer> slotsOn) {
        if (size == units.length) {
            demands = Arrays.copyOf(demands, size * 2);
            units = Arrays.copyOf(units, size * 2);
            groups = Arrays.copyOf(groups, size * 2);
            counts = Arrays.copyOf(counts, size * 2);
            gangs = Arrays.copyOf(gangs, size * 2);
            ranks = Arrays.copyOf(ranks, size * 2);
            profile = Arrays.copyOf(profile, size * 2);
            spreadOf = Arrays.copyOf(spreadOf, size * 2);
        }
        demands[size] = demand;
        units[size] = unit;
        groups[size] = group;
        counts[size] = count;
        gangs[size] = minimum ? lastGang : -1;
        ranks[size] = Math.max(0, lastRank);
        ResourceProfile need = demand.groups().get(group).profile();
        profile[size] = number(need, where);
        spreadOf[size] = -1;
        if (demand.groups().get(group).constraints().spread().isPresent()) {
            spreadOf[size] = spreadIds.computeIfAbsent(new UnitGroup(unit, group), added -> {
                spreads.add(workers.feasibility().spread(where, slotsOn));
                return spreads.size() - 1;
            });
        }
        size++;
    }

    private int number(ResourceProfile need, int where) {
        if (where != Feasibility.ANYWHERE) {
            return constrainedIds.computeIfAbsent(new Constrained(need, where), added -> newProfile(need, where));
        }
        Integer known = profileIds.get(need);
        if (known == null) {
            known = newProfile(need, where);
            profileIds.put(need, known);
        }
        return known;
    }

    private int newProfile(ResourceProfile added, int where) {
        profiles.add(added);
        int id = profiles.size() - 1;
        if (id == needs.length) {
            needs = Arrays.copyOf(needs, id * 2);
            constraints = Arrays.copyOf(constraints, id * 2);
        }
        needs[id] = added.isUnknown() ? UNKNOWN : workers.amounts(added);
        constraints[id] = where;
        constrained |= where != Feasibility.ANYWHERE;
        return id;
    }

    @Override
    public boolean constrained() {
        return constrained;
    }

    @Override
    public List<SpreadGroup> spreads() {
        return spreads;
    }

    @Override
    public int spreadIndex(int entry) {
        return spreadOf[entry];
    }

    @Override
    public boolean feasibleOf(int profileId, int worker) {
        return workers.feasibility().feasible(constraints[profileId], worker);
    }

    @Override
    public boolean feasibleOfOnSpec(int profileId, int spec) {
        return workers.feasibility().feasibleOnSpec(constraints[profileId], spec);
    }

    /** Adds the entries to the placements, with what a plan places for them. */
    public void addTo(PlacementRuns.Builder placements, PlacementResult plan) {
        int first = -1;
        for (int entry = 0; entry < size; entry++) {
            int added = placements.entry(units[entry], groups[entry], gangs[entry] >= 0);
            first = first < 0 ? added : first;
        }
        int firstEntry = first;
        plan.addTo((entry, worker, count, runs, slots) ->
                placements.addAll(firstEntry, entry, worker, count, runs, slots));
    }

    public int unitIndex(int entry) {
        return units[entry];
    }

    public int groupIndex(int entry) {
        return groups[entry];
    }

    @Override
    public int profiles() {
        return profiles.size();
    }

    public ResourceProfile profileOf(int entry) {
        return profiles.get(profile[entry]);
    }

    @Override
    public String profileName(int entry) {
        return profileOf(entry).toString();
    }

    @Override
    public String obstacle(int entry, int worker) {
        return workers.feasibility().obstacle(constraints(entry), worker);
    }

    @Override
    public long[] known(int entry) {
        return needs[profile[entry]];
    }

    @Override
    public long needOf(int profileId, int worker, int dimension) {
        long[] known = needs[profileId];
        return known.length == 0 ? workers.slot(worker, dimension) : known[dimension];
    }

    @Override
    public long needOfOnSpec(int profileId, int spec, int dimension) {
        long[] known = needs[profileId];
        return known.length == 0 ? workers.specSlot(spec, dimension) : known[dimension];
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public JobId job(int entry) {
        return demands[require(entry)].job();
    }

    @Override
    public String unit(int entry) {
        return demands[require(entry)].unit();
    }

    @Override
    public String queue(int entry) {
        return attributes(entry).queue();
    }

    @Override
    public int priority(int entry) {
        return attributes(entry).priority();
    }

    @Override
    public Optional<String> label(int entry, String key) {
        return Optional.ofNullable(attributes(entry).labels().get(key));
    }

    @Override
    public String group(int entry) {
        return demands[require(entry)].groups().get(groups[entry]).group();
    }

    @Override
    public int count(int entry) {
        return counts[require(entry)];
    }

    @Override
    public int gang(int entry) {
        return gangs[require(entry)];
    }

    @Override
    public int rank(int entry) {
        return ranks[require(entry)];
    }

    @Override
    public int profile(int entry) {
        return profile[require(entry)];
    }

    @Override
    public int constraints(int entry) {
        return constraints[profile(entry)];
    }

    @Override
    public boolean feasible(int entry, int worker) {
        return feasibleOf(profile(entry), worker);
    }

    @Override
    public boolean feasibleOnSpec(int entry, int spec) {
        return feasibleOfOnSpec(profile(entry), spec);
    }

    @Override
    public Optional<SpreadView> spread(int entry) {
        int index = spreadOf[require(entry)];
        return index < 0 ? Optional.empty() : Optional.of(spreads.get(index));
    }

    @Override
    public boolean prefers(int entry) {
        return workers.feasibility().prefers(constraints(entry));
    }

    @Override
    public int preference(int entry, int worker) {
        return workers.feasibility().preference(constraints(entry), worker);
    }

    @Override
    public int preferenceOnSpec(int entry, int spec) {
        return workers.feasibility().preferenceOnSpec(constraints(entry), spec);
    }

    @Override
    public long amount(int entry, int dimension) {
        long[] known = needs[profile(entry)];
        return known.length == 0 ? -1 : known[dimension];
    }

    @Override
    public long need(int entry, int worker, int dimension) {
        return needOf(profile(entry), worker, dimension);
    }

    @Override
    public long needOnSpec(int entry, int spec, int dimension) {
        return needOfOnSpec(profile(entry), spec, dimension);
    }

    @Override
    public boolean ranOn(int entry, int worker) {
        return demands[require(entry)]
                .groups()
                .get(groups[entry])
                .formerWorkers()
                .contains(workers.id(worker));
    }

    @Override
    public AllocationsView allocations() {
        return allocations;
    }

    private SchedulingAttributes attributes(int entry) {
        return demands[require(entry)].attributes();
    }

    private int require(int entry) {
        if (entry < 0 || entry >= size) {
            throw new IndexOutOfBoundsException("entry " + entry + " of " + size);
        }
        return entry;
    }
}
