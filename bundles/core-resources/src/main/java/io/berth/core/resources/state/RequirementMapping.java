package io.berth.core.resources.state;

import io.berth.core.api.gateway.ResourceManagerGateway.GroupRequirement;
import io.berth.core.api.gateway.ResourceManagerGateway.UnitRequirement;
import io.berth.core.api.job.PlacementConstraints;
import io.berth.core.api.policy.LedgerHash;
import io.berth.core.api.policy.MatchingRule;
import io.berth.spi.ResourceProfile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Which slots of one job fulfill which of its requirements, counted both ways (FLIP-138, requirement tracking). A slot
 * fulfills the requirement that it was allocated for, if that one needs it, before any slot of another group does. Else it
 * fulfills another one of its unit with the same constraints that it matches by the rule of the pool: jobs schedule each
 * unit in slots of its own. It stays there while that one
 * needs it and its own does not. The job counts each slot for the group that it was allocated for (docs/decisions/0014), so
 * what is missing here is what the job misses, once it has declared how it uses its slots. A slot that matches none is
 * excess, and is matched again at each change.
 * Confined to the main thread.
 */
public final class RequirementMapping {

    /**
     * Slots of one kind are allocated for the same group and have the same size. Compared often, so hashes are kept.
     */
    public static final class Kind {

        private final GroupKey group;
        private final ResourceProfile profile;
        private final int hash;
        private final long ledgerPart;

        Kind(GroupKey group, ResourceProfile profile) {
            this.group = group;
            this.profile = profile;
            hash = 31 * group.hashCode() + profile.hashCode();
            ledgerPart = LedgerHash.part(profile);
        }

        public GroupKey group() {
            return group;
        }

        public ResourceProfile profile() {
            return profile;
        }

        /** Part of the profile in the hash of the ledger. */
        long ledgerPart() {
            return ledgerPart;
        }

        public boolean is(String unit, String groupName, ResourceProfile size) {
            return group.group().equals(groupName) && group.unit().equals(unit) && profile.equals(size);
        }

        @Override
        public boolean equals(Object other) {
            return this == other
                    || other instanceof Kind kind
                            && hash == kind.hash
                            && group.equals(kind.group)
                            && profile.equals(kind.profile);
        }

        @Override
        public int hashCode() {
            return hash;
        }

        @Override
        public String toString() {
            return profile + " for group " + group.group() + " of unit " + group.unit();
        }
    }

    /** What the requirements of one unit have in common. */
    private static final class Unit {

        private final String name;
        private boolean changed;
        private int slots;
        private int groups;
        private int groupsThatLack;
        private int groupsBelowMinimum;

        Unit(String name) {
            this.name = name;
        }

        private void count(Requirement requirement, int sign) {
            groups += sign;
            slots += sign * requirement.fulfilled;
            if (requirement.fulfilled < requirement.desired) {
                groupsThatLack += sign;
            }
            if (requirement.fulfilled < requirement.minimum) {
                groupsBelowMinimum += sign;
            }
        }
    }

    private static final class Requirement {

        private final GroupKey group;
        private final Unit unit;

        @SuppressWarnings("NullAway.Init")
        private ResourceProfile profile;

        private PlacementConstraints constraints = PlacementConstraints.NONE;
        /** Whether it is in the set of open ones. */
        private boolean listed;

        private int minimum;
        private int desired;
        private int fulfilled;
        /** How many of these slots were allocated for other groups. */
        private int fulfilledByOthers;
        /** Usually only one kind. */
        private final Map<Kind, Use> by = new LinkedHashMap<>(2);

        /** What changed last: consecutive runs of a plan are mostly of one kind. */
        private @Nullable Use last;

        Requirement(GroupKey group, Unit unit) {
            this.group = group;
            this.unit = unit;
        }

        private boolean isOpen() {
            return fulfilled < desired;
        }

        private void add(Use use, int change) {
            unit.count(this, -1);
            use.slots += change;
            fulfilled += change;
            fulfilledByOthers += use.isOwn ? 0 : change;
            unit.count(this, 1);
        }
    }

    /** How many slots of one kind fulfill one requirement. */
    private static final class Use {

        private final Kind kind;
        private final Requirement requirement;
        /** Whether they were allocated for this requirement. */
        private final boolean isOwn;

        private int slots;

        Use(Kind kind, Requirement requirement) {
            this.kind = kind;
            this.requirement = requirement;
            this.isOwn = kind.group().equals(requirement.group);
        }
    }

    private static final Comparator<Unit> BY_NAME = Comparator.comparing(unit -> unit.name);

    private final SortedMap<GroupKey, Requirement> requirements = new TreeMap<>();
    private final Map<String, Unit> byUnit = new HashMap<>();
    private final SortedSet<GroupKey> open = new TreeSet<>();
    private final Map<Kind, SortedMap<GroupKey, Use>> fulfilling = new LinkedHashMap<>();
    private final Map<Kind, Integer> excess = new LinkedHashMap<>();
    private final List<Unit> changedUnits = new ArrayList<>();
    private MatchingRule rule;
    /** Whether any requirement has constraints. */
    private boolean constrained;
    /** How many slots fulfill the requirement of another group. */
    private int servingOthers;
    /** Whether a slot took the place of one of another group, which is excess now. */
    private boolean hasReplaced;
    /** What was found last. */
    private @Nullable Requirement last;

    RequirementMapping(MatchingRule rule) {
        this.rule = rule;
    }

    /** Applies another rule: every slot is matched again. */
    void rule(MatchingRule changed) {
        rule = changed;
        requirements.values().forEach(requirement -> release(requirement, requirement.fulfilled));
        assignExcess();
    }

    /** Replaces all requirements. */
    void require(List<UnitRequirement> units) {
        constrained = units.stream()
                .anyMatch(unit -> unit.groups().stream()
                        .anyMatch(group -> !group.constraints().isNone()));
        SortedMap<GroupKey, GroupRequirement> declared = new TreeMap<>();
        units.forEach(unit ->
                unit.groups().forEach(group -> declared.put(new GroupKey(unit.unit(), group.group()), group)));
        for (Requirement requirement : List.copyOf(requirements.values())) {
            GroupRequirement now = declared.get(requirement.group);
            if (now == null
                    || !now.profile().equals(requirement.profile)
                    || !now.constraints().equals(requirement.constraints)) {
                release(requirement, requirement.fulfilled);
                requirements.remove(requirement.group);
                last = null;
                open.remove(requirement.group);
                requirement.unit.count(requirement, -1);
                if (requirement.unit.groups == 0) {
                    byUnit.remove(requirement.group.unit());
                }
            }
        }
        declared.forEach((group, now) -> {
            Requirement requirement = requirements.get(group);
            if (requirement == null) {
                requirement = new Requirement(group, byUnit.computeIfAbsent(group.unit(), Unit::new));
                requirements.put(group, requirement);
            } else {
                requirement.unit.count(requirement, -1);
            }
            requirement.profile = now.profile();
            requirement.constraints = now.constraints();
            requirement.minimum = now.minimum();
            requirement.desired = now.desired();
            requirement.unit.count(requirement, 1);
            release(requirement, requirement.fulfilled - requirement.desired);
            updateOpen(requirement);
        });
        takeOwn();
        assignExcess();
    }

    /** Adds slots of a kind, with the same result as adding them one by one. */
    void acquired(Kind kind, int count) {
        int left = count;
        while (left > 0) {
            int assigned = assign(kind, left);
            if (assigned == 0) {
                excess.merge(kind, left, Integer::sum);
                return;
            }
            left -= assigned;
            if (hasReplaced) {
                assignExcess();
            }
        }
    }

    /**
     * Removes a slot.
     *
     * @throws IllegalStateException if there is none of the kind
     */
    void lost(Kind kind) {
        if (excess.containsKey(kind)) {
            subtract(excess, kind, 1);
            return;
        }
        SortedMap<GroupKey, Use> uses = fulfilling.get(kind);
        if (uses == null) {
            throw new IllegalStateException("no slot of " + kind + " exists that could be removed");
        }
        // A slot that was allocated for another group goes first: its group is likelier to receive one of its own.
        GroupKey used = uses.firstKey();
        if (uses.size() > 1 && used.equals(kind.group())) {
            used = uses.tailMap(used).keySet().stream().skip(1).findFirst().orElseThrow();
        }
        take(Objects.requireNonNull(requirements.get(used)), Objects.requireNonNull(uses.get(used)), 1);
        takeOwn();
        assignExcess();
    }

    /** How many slots fulfill the requirement of a group, at most as many as it desires. */
    int fulfilled(GroupKey group) {
        Requirement requirement = find(group);
        return requirement == null ? 0 : requirement.fulfilled;
    }

    private @Nullable Requirement find(GroupKey group) {
        if (last == null || !last.group.equals(group)) {
            last = requirements.get(group);
        }
        return last;
    }

    /** Whether a group of the unit has fewer slots than it desires. */
    boolean lacks(String unit) {
        Unit counted = byUnit.get(unit);
        return counted != null && counted.groupsThatLack > 0;
    }

    /** Whether a group of the unit has fewer slots than its minimum. */
    boolean lacksMinimum(String unit) {
        Unit counted = byUnit.get(unit);
        return counted != null && counted.groupsBelowMinimum > 0;
    }

    /** Whether slots fulfill a requirement of the unit. */
    boolean hasSlots(String unit) {
        Unit counted = byUnit.get(unit);
        return counted != null && counted.slots > 0;
    }

    /** How many slots each group still lacks. */
    SortedMap<GroupKey, Integer> missing() {
        SortedMap<GroupKey, Integer> missing = new TreeMap<>();
        open.forEach(group -> {
            Requirement requirement = Objects.requireNonNull(requirements.get(group));
            missing.put(group, requirement.desired - requirement.fulfilled);
        });
        return missing;
    }

    /** All slots, whether they fulfill a requirement or not. */
    Map<Kind, Integer> acquired() {
        Map<Kind, Integer> acquired = new LinkedHashMap<>();
        fulfilling.forEach((kind, uses) -> uses.values().forEach(use -> acquired.merge(kind, use.slots, Integer::sum)));
        excess.forEach((kind, count) -> acquired.merge(kind, count, Integer::sum));
        return acquired;
    }

    /** Slots that fulfill no requirement. */
    Map<Kind, Integer> excess() {
        return new LinkedHashMap<>(excess);
    }

    /** How many slots of a kind fulfill the requirement of each group. */
    SortedMap<GroupKey, Integer> fulfilledBy(Kind kind) {
        SortedMap<GroupKey, Integer> counts = new TreeMap<>();
        fulfilling.getOrDefault(kind, new TreeMap<>()).forEach((group, use) -> counts.put(group, use.slots));
        return counts;
    }

    boolean isEmpty() {
        return requirements.isEmpty() && fulfilling.isEmpty() && excess.isEmpty();
    }

    /** Calls back for each unit whose fulfillment changed since the last call, in their order. */
    void eachChangedUnit(Consumer<String> unit) {
        changedUnits.sort(BY_NAME);
        for (Unit changed : changedUnits) {
            changed.changed = false;
            unit.accept(changed.name);
        }
        changedUnits.clear();
    }

    private boolean fulfills(Kind kind, Requirement requirement) {
        boolean own = kind.group().equals(requirement.group);
        if (!own && !isPlacedAs(kind, requirement)) {
            return false;
        }
        if (requirement.profile.isUnknown()) {
            // The ResourceManager does not know whether a slot of another group is a default slot.
            return own || rule == MatchingRule.LOOSE;
        }
        return rule == MatchingRule.EXACT
                ? kind.profile().equals(requirement.profile)
                : kind.profile().covers(requirement.profile);
    }

    /** Whether slots of a kind are for the unit of another group's requirement, and were placed with its constraints. */
    private boolean isPlacedAs(Kind kind, Requirement requirement) {
        if (!kind.group().unit().equals(requirement.group.unit())) {
            return false;
        }
        if (!constrained) {
            return true;
        }
        Requirement placedFor = requirements.get(kind.group());
        return requirement.constraints.equals(placedFor == null ? PlacementConstraints.NONE : placedFor.constraints);
    }

    /** Assigns slots of a kind to one requirement. Returns how many; 0 if no requirement needs any. */
    private int assign(Kind kind, int most) {
        Requirement own = find(kind.group());
        if (own != null && own.isOpen() && fulfills(kind, own)) {
            return give(own, kind, most);
        }
        if (own != null && own.fulfilledByOthers > 0 && fulfills(kind, own)) {
            int count = Math.min(most, own.fulfilledByOthers);
            release(own, count);
            hasReplaced = true;
            return give(own, kind, count);
        }
        Requirement fitting = null;
        for (GroupKey group : open) {
            Requirement requirement = Objects.requireNonNull(requirements.get(group));
            if (kind.profile().equals(requirement.profile) && isPlacedAs(kind, requirement)) {
                return give(requirement, kind, most);
            }
            if (fitting == null && fulfills(kind, requirement)) {
                fitting = requirement;
            }
        }
        return fitting == null ? 0 : give(fitting, kind, most);
    }

    private void assignExcess() {
        do {
            hasReplaced = false;
            if (excess.isEmpty()) {
                return;
            }
            for (Kind kind : new ArrayList<>(excess.keySet())) {
                while (mayTakeSlots() && excess.containsKey(kind)) {
                    int assigned = assign(kind, excess.get(kind));
                    if (assigned == 0) {
                        break;
                    }
                    subtract(excess, kind, assigned);
                }
            }
        } while (hasReplaced);
    }

    /** Whether a requirement is open, or fulfilled by slots of other groups. */
    private boolean mayTakeSlots() {
        return !open.isEmpty() || servingOthers > 0;
    }

    /** Open requirements take back the slots that were allocated for them and fulfill others. */
    private void takeOwn() {
        boolean again = servingOthers > 0;
        while (again) {
            again = false;
            for (Kind kind : List.copyOf(fulfilling.keySet())) {
                Requirement own = requirements.get(kind.group());
                if (own != null && own.isOpen() && fulfills(kind, own)) {
                    again |= takeOwn(own, kind);
                }
            }
        }
    }

    private boolean takeOwn(Requirement own, Kind kind) {
        boolean taken = false;
        for (Use use :
                List.copyOf(fulfilling.getOrDefault(kind, new TreeMap<>()).values())) {
            if (!use.isOwn && own.isOpen()) {
                int count = give(own, kind, use.slots);
                take(use.requirement, use, count);
                taken = true;
            }
        }
        return taken;
    }

    private int give(Requirement requirement, Kind kind, int most) {
        int count = Math.min(most, requirement.desired - requirement.fulfilled);
        Use use = requirement.last;
        if (use == null || use.kind != kind) {
            use = requirement.by.computeIfAbsent(kind, absent -> {
                Use first = new Use(absent, requirement);
                fulfilling.computeIfAbsent(absent, key -> new TreeMap<>()).put(requirement.group, first);
                return first;
            });
            requirement.last = use;
        }
        requirement.add(use, count);
        servingOthers += use.isOwn ? 0 : count;
        updateOpen(requirement);
        return count;
    }

    /** Moves slots from a requirement to the excess: first those that were allocated for other groups. */
    private void release(Requirement requirement, int count) {
        int left = count;
        List<Use> order = new ArrayList<>(requirement.by.values());
        order.sort((one, other) -> Boolean.compare(one.isOwn, other.isOwn));
        for (Use use : order) {
            int released = Math.min(left, use.slots);
            if (released > 0) {
                take(requirement, use, released);
                excess.merge(use.kind, released, Integer::sum);
                left -= released;
            }
        }
    }

    private void take(Requirement requirement, Use use, int count) {
        requirement.add(use, -count);
        servingOthers -= use.isOwn ? 0 : count;
        if (use.slots == 0) {
            requirement.by.remove(use.kind);
            requirement.last = null;
            SortedMap<GroupKey, Use> uses = Objects.requireNonNull(fulfilling.get(use.kind));
            uses.remove(requirement.group);
            if (uses.isEmpty()) {
                fulfilling.remove(use.kind);
            }
        }
        updateOpen(requirement);
    }

    private void updateOpen(Requirement requirement) {
        if (!requirement.unit.changed) {
            requirement.unit.changed = true;
            changedUnits.add(requirement.unit);
        }
        if (requirement.listed != requirement.isOpen()) {
            requirement.listed = !requirement.listed;
            if (requirement.listed) {
                open.add(requirement.group);
            } else {
                open.remove(requirement.group);
            }
        }
    }

    private static <K> void subtract(Map<K, Integer> counts, K key, int by) {
        counts.merge(key, -by, (count, change) -> count + change == 0 ? null : count + change);
    }
}
