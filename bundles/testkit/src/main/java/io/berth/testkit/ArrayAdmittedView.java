package io.berth.testkit;

import io.berth.policy.rules.labels.LabelRules;
import io.berth.policy.rules.placement.CheckedEntries;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.matching.SpreadView;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Admitted demands, in the order of the {@code add} calls. */
public final class ArrayAdmittedView implements CheckedEntries {

    /** What a constraint says about one label. */
    public static final class LabelRule {

        private enum Operator {
            IN,
            NOT_IN,
            EXISTS,
            GREATER
        }

        private final String key;
        private final Operator operator;
        private final List<String> values;

        private LabelRule(String key, Operator operator, List<String> values) {
            this.key = key;
            this.operator = operator;
            this.values = values;
        }

        /** The label has one of the values. */
        public static LabelRule in(String key, String... values) {
            return new LabelRule(key, Operator.IN, List.of(values));
        }

        /** The worker has no such label, or it has none of the values. */
        public static LabelRule notIn(String key, String... values) {
            return new LabelRule(key, Operator.NOT_IN, List.of(values));
        }

        /** The worker has the label. */
        public static LabelRule exists(String key) {
            return new LabelRule(key, Operator.EXISTS, List.of());
        }

        /** The label is a number that is greater. */
        public static LabelRule greater(String key, long than) {
            return new LabelRule(key, Operator.GREATER, List.of(Long.toString(than)));
        }

        boolean fulfilledBy(SortedMap<String, String> labels) {
            String value = labels.get(key);
            return switch (operator) {
                case IN -> LabelRules.in(value, values);
                case NOT_IN -> LabelRules.notIn(value, values);
                case EXISTS -> value != null;
                case GREATER -> LabelRules.greater(value, values.get(0));
            };
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof LabelRule rule
                    && rule.key.equals(key)
                    && rule.operator == operator
                    && rule.values.equals(values);
        }

        @Override
        public int hashCode() {
            return Objects.hash(key, operator, values);
        }
    }

    private record Entry(
            JobId job,
            String group,
            ResourceProfile profile,
            int count,
            int gang,
            LabelConstraints constraints,
            int priority,
            int rank) {

        private Entry with(LabelConstraints others) {
            return new Entry(job, group, profile, count, gang, others, priority, rank);
        }

        private Entry inGroup(String other) {
            return new Entry(job, other, profile, count, gang, constraints, priority, rank);
        }

        private Entry with(int otherPriority, int otherRank) {
            return new Entry(job, group, profile, count, gang, constraints, otherPriority, otherRank);
        }
    }

    private record Described(String unit, String queue, Map<String, String> labels) {}

    private static final Described PLAIN = new Described("all", "default", Map.of());

    /** Entries of one kind have the same profile and constraints. */
    private record Kind(ResourceProfile profile, LabelConstraints constraints) {}

    private final ArrayWorkersView workers;
    private final ArrayAllocationsView allocations;
    /** Slots that a group has, by worker. */
    private final Map<String, SortedMap<Integer, Integer>> slotsOn = new HashMap<>();

    private final Map<String, ArraySpreadView> spreads = new HashMap<>();
    /** What is known of the job of an entry beside its demand. */
    private final Map<Integer, Described> described = new HashMap<>();
    /** Entry and worker. */
    private final Set<List<Integer>> ran = new HashSet<>();

    private final List<Entry> entries = new ArrayList<>();
    private final List<Kind> kinds = new ArrayList<>();

    /** @param workers whose default slots an unknown profile takes */
    public ArrayAdmittedView(ArrayWorkersView workers) {
        this.workers = workers;
        this.allocations = new ArrayAllocationsView(workers);
    }

    /** Adds slots that are placed one by one. */
    public ArrayAdmittedView add(String job, ResourceProfile profile, int count) {
        return add(job, profile, count, -1);
    }

    /** Adds slots of a gang. The entries of one gang must be added one after another. */
    public ArrayAdmittedView add(String job, ResourceProfile profile, int count, int gang) {
        Optional<Entry> before = entries.isEmpty() ? Optional.empty() : Optional.of(entries.get(entries.size() - 1));
        int rank = before.map(one -> gang >= 0 && one.gang() == gang ? one.rank() : one.rank() + 1)
                .orElse(0);
        entries.add(new Entry(
                new JobId(job), "group-" + entries.size(), profile, count, gang, LabelConstraints.NONE, 0, rank));
        return this;
    }

    /** The last entry is of this unit of its job; at first it is {@code all}. */
    public ArrayAdmittedView ofUnit(String unit) {
        return describe(new Described(unit, described().queue(), described().labels()));
    }

    /** The job of the last entry was submitted to this queue; at first it is {@code default}. */
    public ArrayAdmittedView inQueue(String queue) {
        return describe(new Described(described().unit(), queue, described().labels()));
    }

    /** The job of the last entry has a label. */
    public ArrayAdmittedView labeled(String key, String value) {
        Map<String, String> labels = new HashMap<>(described().labels());
        labels.put(key, value);
        return describe(new Described(described().unit(), described().queue(), labels));
    }

    private Described described() {
        return described(size() - 1);
    }

    private Described described(int entry) {
        return described.getOrDefault(entry, PLAIN);
    }

    private ArrayAdmittedView describe(Described last) {
        described.put(size() - 1, last);
        return this;
    }

    /** The last entry may only be on workers with this label. */
    public ArrayAdmittedView requiring(String key, String value) {
        return requiring(LabelRule.in(key, value));
    }

    /** The last entry may only be on workers whose labels fulfill the rule. */
    public ArrayAdmittedView requiring(LabelRule rule) {
        return last(last().requiring(rule));
    }

    /** The last entry may also be on workers with this taint, whatever its value. */
    public ArrayAdmittedView tolerating(String key) {
        return last(last().tolerating(key, ""));
    }

    /** The last entry may also be on workers with this value of the taint. */
    public ArrayAdmittedView tolerating(String key, String value) {
        return last(last().tolerating(key, value));
    }

    /** The last entry should be on workers with this label. */
    public ArrayAdmittedView preferring(String key, String value, int weight) {
        return preferring(LabelRule.in(key, value), weight);
    }

    /** The last entry should be on workers whose labels fulfill the rule. */
    public ArrayAdmittedView preferring(LabelRule rule, int weight) {
        return last(last().preferring(rule, weight));
    }

    /**
     * Slots of the group of the last entry are spread over the values of a label. Call it after the other constraints.
     *
     * @param maxSkew how many more slots than the value with the fewest a value may have, at least 1
     */
    public ArrayAdmittedView spreadOver(String label, int maxSkew) {
        return last(last().spreadOver(label, maxSkew));
    }

    /** The group of the last entry has so many slots on a worker. */
    public ArrayAdmittedView havingSlotsOn(int worker, int slots) {
        slotsOn.computeIfAbsent(group(size() - 1), first -> new TreeMap<>()).merge(worker, slots, Integer::sum);
        return this;
    }

    /** The last entry is of the group of the one before it, and has its constraints. */
    public ArrayAdmittedView sameGroup() {
        int at = entries.size() - 1;
        entries.set(at, entries.get(at).inGroup(entries.get(at - 1).group()));
        return last(entries.get(at - 1).constraints());
    }

    /** The job of the last entry has this priority. */
    public ArrayAdmittedView withPriority(int priority) {
        int at = entries.size() - 1;
        entries.set(at, entries.get(at).with(priority, entries.get(at).rank()));
        return this;
    }

    /** The last entry has the rank of the one before it. Not for a gang of several entries. */
    public ArrayAdmittedView sameRank() {
        int at = entries.size() - 1;
        entries.set(
                at,
                entries.get(at)
                        .with(entries.get(at).priority(), entries.get(at - 1).rank()));
        return this;
    }

    private LabelConstraints last() {
        return entries.get(entries.size() - 1).constraints();
    }

    private ArrayAdmittedView last(LabelConstraints constraints) {
        int at = entries.size() - 1;
        entries.set(at, entries.get(at).with(constraints));
        return this;
    }

    ResourceProfile profileOf(int entry) {
        return entries.get(entry).profile();
    }

    @Override
    public int size() {
        return entries.size();
    }

    @Override
    public JobId job(int entry) {
        return entries.get(entry).job();
    }

    @Override
    public String unit(int entry) {
        return described(entry).unit();
    }

    @Override
    public String queue(int entry) {
        return described(entry).queue();
    }

    @Override
    public int priority(int entry) {
        return entries.get(entry).priority();
    }

    @Override
    public Optional<String> label(int entry, String key) {
        return Optional.ofNullable(described(entry).labels().get(key));
    }

    @Override
    public String group(int entry) {
        return entries.get(entry).group();
    }

    @Override
    public int count(int entry) {
        return entries.get(entry).count();
    }

    @Override
    public int gang(int entry) {
        return entries.get(entry).gang();
    }

    @Override
    public int rank(int entry) {
        return entries.get(entry).rank();
    }

    @Override
    public int profile(int entry) {
        Entry of = entries.get(entry);
        Kind kind = new Kind(of.profile(), of.constraints());
        if (!kinds.contains(kind)) {
            kinds.add(kind);
        }
        return kinds.indexOf(kind);
    }

    @Override
    public int profiles() {
        for (int entry = 0; entry < size(); entry++) {
            profile(entry);
        }
        return kinds.size();
    }

    @Override
    public String profileName(int entry) {
        return profileOf(entry).toString();
    }

    @Override
    public long[] known(int entry) {
        if (profileOf(entry).isUnknown()) {
            return new long[0];
        }
        long[] amounts = new long[workers.dimensions()];
        for (int dimension = 0; dimension < amounts.length; dimension++) {
            amounts[dimension] = amount(entry, dimension);
        }
        return amounts;
    }

    @Override
    public long needOf(int profile, int worker, int dimension) {
        return workers.need(kinds.get(profile).profile(), worker, dimension);
    }

    @Override
    public long needOfOnSpec(int profile, int spec, int dimension) {
        return workers.needOnSpec(kinds.get(profile).profile(), spec, dimension);
    }

    @Override
    public boolean constrained() {
        return IntStream.range(0, size()).anyMatch(entry -> constraints(entry) >= 0);
    }

    @Override
    public boolean feasibleOf(int profile, int worker) {
        return workers.feasible(kinds.get(profile).constraints(), worker);
    }

    @Override
    public boolean feasibleOfOnSpec(int profile, int spec) {
        return workers.feasibleOnSpec(kinds.get(profile).constraints(), spec);
    }

    @Override
    public String obstacle(int entry, int worker) {
        return feasible(entry, worker) ? "" : "its labels and taints do not fit the constraints";
    }

    @Override
    public List<SpreadView> spreads() {
        return IntStream.range(0, size())
                .mapToObj(this::spread)
                .flatMap(Optional::stream)
                .distinct()
                .toList();
    }

    @Override
    public int spreadIndex(int entry) {
        return spread(entry).map(spreads()::indexOf).orElse(-1);
    }

    @Override
    public int constraints(int entry) {
        return workers.number(entries.get(entry).constraints());
    }

    @Override
    public boolean feasible(int entry, int worker) {
        return workers.feasible(entries.get(entry).constraints(), worker);
    }

    @Override
    public boolean feasibleOnSpec(int entry, int spec) {
        return workers.feasibleOnSpec(entries.get(entry).constraints(), spec);
    }

    @Override
    public Optional<SpreadView> spread(int entry) {
        Entry of = entries.get(entry);
        return of.constraints().spread().isEmpty()
                ? Optional.empty()
                : Optional.of(spreads.computeIfAbsent(
                        of.group(),
                        group -> new ArraySpreadView(
                                workers, of.constraints(), slotsOn.getOrDefault(group, Collections.emptySortedMap()))));
    }

    @Override
    public boolean prefers(int entry) {
        return entries.get(entry).constraints().prefers();
    }

    @Override
    public int preference(int entry, int worker) {
        return workers.preference(entries.get(entry).constraints(), worker);
    }

    @Override
    public int preferenceOnSpec(int entry, int spec) {
        return workers.preferenceOnSpec(entries.get(entry).constraints(), spec);
    }

    @Override
    public long amount(int entry, int dimension) {
        ResourceProfile profile = profileOf(entry);
        return profile.isUnknown() ? -1 : workers.amount(profile, dimension);
    }

    @Override
    public long need(int entry, int worker, int dimension) {
        return workers.need(profileOf(entry), worker, dimension);
    }

    @Override
    public long needOnSpec(int entry, int spec, int dimension) {
        return workers.needOnSpec(profileOf(entry), spec, dimension);
    }

    /** The group of the last entry had slots on the worker before. */
    public ArrayAdmittedView ranOn(int worker) {
        ran.add(List.of(entries.size() - 1, worker));
        return this;
    }

    @Override
    public boolean ranOn(int entry, int worker) {
        return ran.contains(List.of(entry, worker));
    }

    @Override
    public ArrayAllocationsView allocations() {
        return allocations;
    }
}
