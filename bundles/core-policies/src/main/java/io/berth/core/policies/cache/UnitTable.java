package io.berth.core.policies.cache;

import io.berth.core.api.job.PlacementConstraints;
import io.berth.core.api.operations.PolicyOperations.QueueDetails;
import io.berth.core.api.policy.PlanningInput;
import io.berth.core.api.policy.PlanningInput.GroupDemand;
import io.berth.core.api.policy.PlanningInput.UnitChange;
import io.berth.core.api.policy.PlanningInput.UnitDemand;
import io.berth.core.policies.pools.PastUse;
import io.berth.core.policies.pools.PoolSettings;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.distribution.DemandsView;
import io.berth.spi.distribution.QueuesView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The demands as the planner caches them. Changes only between calls of a policy. An overlay shows what the rounds of
 * the current decision placed and could not place. Confined to the main thread of the planner.
 */
public final class UnitTable implements DemandsView {

    private static final class Overlay {
        private final int[] placed;
        private final boolean[] capped;
        private boolean blocked;
        private boolean heldToMinimum;
        /** By group, how many slots were placed on which worker; only of groups whose slots are spread. */
        private final SortedMap<Integer, SortedMap<Integer, Integer>> placedOn = new TreeMap<>();

        private Overlay(int groups) {
            placed = new int[groups];
            capped = new boolean[groups];
        }
    }

    private record UnitName(JobId job, String unit) {}

    private final WorkerColumns workers;
    private final AllocationColumns allocations;
    private final QueueTable queues;
    private final Map<UnitName, Integer> byName = new HashMap<>();
    private UnitDemand[] rows = new UnitDemand[16];
    private int limit;
    private long[] arrived = new long[16];
    /** Which units have their minimum, and since when each has it, or lacks part of it. */
    private final BitSet whole = new BitSet();

    private long[] since = new long[16];
    /** How many groups of each unit lack slots, lack part of their minimum, and have constraints. */
    private int[] lackingGroups = new int[16];

    private int[] groupsBelowMinimum = new int[16];
    private int[] constrainedGroups = new int[16];

    private long state;
    private DecisionTime now = new DecisionTime(0, 0);
    private BitSet changed = new BitSet();
    private final BitSet lacking = new BitSet();
    private final BitSet laidOver = new BitSet();
    private Overlay[] overlays = new Overlay[16];

    /** @param workers of the same pool */
    public UnitTable(WorkerColumns workers) {
        this.workers = workers;
        this.allocations = new AllocationColumns(workers, this);
        this.queues = new QueueTable(workers);
    }

    /** Configures the queues, at a moment. */
    public void configure(PoolSettings settings, DecisionTime moment) {
        queues.begin(moment.millis(), this::all);
        queues.configure(settings, this::all);
    }

    /** Whether there are queues or submitters whose use is told apart. */
    public boolean countsUse() {
        return queues.isUsed();
    }

    /** What queues and submitters used up to a moment; empty when there are none. */
    public Optional<PastUse> pastUse(DecisionTime moment) {
        queues.begin(moment.millis(), this::all);
        return countsUse() ? Optional.of(queues.past(moment.wallMillis())) : Optional.empty();
    }

    /** The queues for people, at a moment. */
    public List<QueueDetails> queueDetails(DecisionTime moment) {
        queues.begin(moment.millis(), this::all);
        return queues.details();
    }

    /**
     * Adds what was used before the planner began.
     *
     * @param begunMillis wall-clock time at which it began
     */
    public void restore(PastUse record, long begunMillis, DecisionTime moment) {
        queues.begin(moment.millis(), this::all);
        queues.restore(record, begunMillis, moment.wallMillis());
    }

    /** What is known between decisions. */
    public PoolState state(List<PoolState.LeftOut> leftOut) {
        List<PoolState.UnitRow> present = new ArrayList<>();
        for (int index = 0; index < limit; index++) {
            if (rows[index] != null) {
                present.add(new PoolState.UnitRow(index, arrived[index], since[index], whole.get(index), rows[index]));
            }
        }
        return new PoolState(
                state,
                workers.dimensionNames(),
                workers.notOffered(),
                workers.rows(),
                workers.kinds(),
                present,
                allocations.rows(),
                queues.state(),
                leftOut);
    }

    /** Takes over a state, together with the workers; only when nothing was applied before. */
    public void restore(PoolState from) {
        workers.restore(from);
        allocations.restore(from.allocations());
        apply(
                from.stateNumber(),
                queues.restore(from.queues()),
                from.units().stream()
                        .map(row -> new UnitChange(row.index(), Optional.of(row.unit())))
                        .toList());
        queues.restored(from.queues());
        for (PoolState.UnitRow row : from.units()) {
            arrived[row.index()] = row.arrivedMillis();
            since[row.index()] = row.sinceMillis();
            whole.set(row.index(), row.hasMinimum());
        }
    }

    private List<UnitDemand> all() {
        return Arrays.stream(rows, 0, limit).filter(Objects::nonNull).toList();
    }

    /** The slots that the units have. */
    public AllocationColumns allocations() {
        return allocations;
    }

    /**
     * Applies an input to the units, their slots and the workers.
     *
     * @return whether sessions must be opened again, because dimensions were added or constraints have other numbers
     */
    public boolean apply(PoolSettings settings, DecisionTime time, PlanningInput input) {
        configure(settings, time);
        Feasibility feasibility = workers.feasibility();
        boolean grown = feasibility.isFull();
        if (grown) {
            feasibility.clear();
            lacking.stream().forEach(unit -> know(rows[unit]));
            feasibility.filled();
        }
        grown |= workers.apply(input.stateNumber(), time, input.workers(), input.specs());
        grown |= allocations.apply(input.slots());
        grown |= apply(input.stateNumber(), time, input.units());
        return grown;
    }

    /** @return whether dimensions were added */
    public boolean apply(long stateNumber, DecisionTime time, List<UnitChange> changes) {
        boolean grown = false;
        state = stateNumber;
        now = time;
        queues.begin(time.millis(), this::all);
        for (UnitChange change : changes) {
            int index = change.index();
            if (index >= rows.length) {
                grow(index);
            }
            grown |= apply(index, change.unit());
            changed.set(index);
        }
        while (limit > 0 && rows[limit - 1] == null) {
            limit--;
        }
        return grown;
    }

    /** A policy may admit the unit: in its call, where its slots may be is only read. */
    private void know(UnitDemand unit) {
        for (GroupDemand group : unit.groups()) {
            workers.feasibility().know(group.constraints());
        }
    }

    private void grow(int index) {
        rows = Arrays.copyOf(rows, Math.max(index + 1, rows.length * 2));
        arrived = Arrays.copyOf(arrived, rows.length);
        since = Arrays.copyOf(since, rows.length);
        overlays = Arrays.copyOf(overlays, rows.length);
        lackingGroups = Arrays.copyOf(lackingGroups, rows.length);
        groupsBelowMinimum = Arrays.copyOf(groupsBelowMinimum, rows.length);
        constrainedGroups = Arrays.copyOf(constrainedGroups, rows.length);
    }

    /** @return whether dimensions were added */
    private boolean apply(int index, Optional<UnitDemand> unit) {
        Optional<UnitDemand> before = Optional.ofNullable(rows[index]);
        ChangedGroups groups = ChangedGroups.of(before, unit);
        boolean wider = false;
        for (GroupDemand group : groups.came()) {
            wider |= workers.require(group.profile());
            count(index, group, 1);
        }
        groups.gone().forEach(group -> count(index, group, -1));
        rows[index] = unit.orElse(null);
        before.filter(gone -> !isSame(gone, unit)).ifPresent(gone -> byName.remove(nameOf(gone), index));
        if (unit.isPresent()) {
            limit = Math.max(limit, index + 1);
            keepTimes(index, unit.get(), before.isPresent() && isSame(before.get(), unit));
        }
        if (wider) {
            queues.resize(all());
        } else {
            before.ifPresent(gone -> queues.add(gone.attributes(), groups.gone(), -1));
            unit.ifPresent(came -> queues.add(came.attributes(), groups.came(), 1));
        }
        boolean isLacking = lackingGroups[index] > 0;
        lacking.set(index, isLacking);
        if (isLacking && constrainedGroups[index] > 0) {
            know(rows[index]);
        }
        return wider;
    }

    private void count(int index, GroupDemand group, int sign) {
        lackingGroups[index] += group.allocated() < Math.max(group.desired(), group.minimum()) ? sign : 0;
        groupsBelowMinimum[index] += group.allocated() < group.minimum() ? sign : 0;
        constrainedGroups[index] += group.constraints().isNone() ? 0 : sign;
    }

    private static boolean isSame(UnitDemand before, Optional<UnitDemand> unit) {
        return unit.filter(after ->
                        before.job().equals(after.job()) && before.unit().equals(after.unit()))
                .isPresent();
    }

    private void keepTimes(int index, UnitDemand unit, boolean same) {
        if (!same) {
            byName.put(nameOf(unit), index);
            arrived[index] = now.millis();
        }
        boolean hasMinimum = groupsBelowMinimum[index] == 0;
        if (!same || hasMinimum != whole.get(index)) {
            since[index] = now.millis();
        }
        whole.set(index, hasMinimum);
    }

    private static UnitName nameOf(UnitDemand unit) {
        return new UnitName(unit.job(), unit.unit());
    }

    /** The unit of a job, without what rounds of this decision placed. */
    Optional<UnitDemand> find(JobId job, String unit) {
        return Optional.ofNullable(byName.get(new UnitName(job, unit))).map(index -> rows[index]);
    }

    /** The units that lack slots, by index. */
    public int[] lacking() {
        return lacking.stream().toArray();
    }

    public boolean nothingLacks() {
        return lacking.isEmpty();
    }

    public int[] takeChanged() {
        int[] indexes = changed.stream().toArray();
        changed = new BitSet();
        return indexes;
    }

    public UnitDemand unit(int index) {
        return rows[index];
    }

    /** Shows slots as placed until {@link #clearOverlay}. */
    public void overlay(int unit, int group, int count) {
        overlay(unit).placed[group] += count;
        queues.overlay(rows[unit], group, count);
    }

    /** Shows where slots of a group that is spread were placed. */
    public void overlayOn(int unit, int group, int worker, int count) {
        if (constraints(unit, group).spread().isPresent()) {
            overlay(unit)
                    .placedOn
                    .computeIfAbsent(group, first -> new TreeMap<>())
                    .merge(worker, count, Integer::sum);
        }
    }

    /** How many slots a group that is spread has on which worker, with those that rounds of this decision placed. */
    public SortedMap<Integer, Integer> slotsOn(int unit, int group) {
        SortedMap<Integer, Integer> before = row(unit).groups().get(group).slotsOn();
        Overlay overlay = overlays[unit];
        if (overlay == null || !overlay.placedOn.containsKey(group)) {
            return before;
        }
        SortedMap<Integer, Integer> all = new TreeMap<>(before);
        overlay.placedOn.get(group).forEach((worker, count) -> all.merge(worker, count, Integer::sum));
        return all;
    }

    /** The minimum found no room: the unit does not compete in further rounds of this decision. */
    public void block(int unit) {
        overlay(unit).blocked = true;
    }

    /** Shows the unit as if it desired only its minimum, or ends that. */
    public void holdToMinimum(int unit, boolean held) {
        overlay(unit).heldToMinimum = held;
    }

    /** Holds all units to their minimum that lack part of it. */
    public void holdLackingToMinimum() {
        lacking.stream().filter(unit -> !hasMinimum(unit)).forEach(unit -> holdToMinimum(unit, true));
    }

    /** Units that are held to their minimum and now have it. */
    public List<Integer> heldWithMinimum() {
        List<Integer> held = new ArrayList<>();
        for (int unit = laidOver.nextSetBit(0); unit >= 0; unit = laidOver.nextSetBit(unit + 1)) {
            if (overlays[unit].heldToMinimum && hasMinimum(unit)) {
                held.add(unit);
            }
        }
        return held;
    }

    private boolean hasMinimum(int unit) {
        for (int group = 0; group < groups(unit); group++) {
            if (allocated(unit, group) < minimum(unit, group)) {
                return false;
            }
        }
        return true;
    }

    /** The group found no more room: shows it as if no slot were missing. */
    public void cap(int unit, int group) {
        overlay(unit).capped[group] = true;
    }

    private Overlay overlay(int unit) {
        changed.set(unit);
        if (overlays[unit] == null) {
            overlays[unit] = new Overlay(rows[unit].groups().size());
            laidOver.set(unit);
        }
        return overlays[unit];
    }

    /** Slots that rounds of this decision placed. */
    public int placed(int unit, int group) {
        Overlay overlay = overlays[unit];
        return overlay == null ? 0 : overlay.placed[group];
    }

    public void clearOverlay() {
        for (int unit = laidOver.nextSetBit(0); unit >= 0; unit = laidOver.nextSetBit(unit + 1)) {
            overlays[unit] = null;
            changed.set(unit);
        }
        laidOver.clear();
        queues.clearOverlay();
    }

    @Override
    public long stateNumber() {
        return state;
    }

    @Override
    public long now() {
        return now.millis();
    }

    @Override
    public long wallTime() {
        return now.wallMillis();
    }

    @Override
    public long arrived(int unit) {
        row(unit);
        return arrived[unit];
    }

    @Override
    public OptionalLong waitingSince(int unit) {
        row(unit);
        return whole.get(unit) ? OptionalLong.empty() : OptionalLong.of(since[unit]);
    }

    @Override
    public OptionalLong runningSince(int unit) {
        row(unit);
        return whole.get(unit) ? OptionalLong.of(since[unit]) : OptionalLong.empty();
    }

    @Override
    public int limit() {
        return limit;
    }

    @Override
    public boolean present(int unit) {
        return unit >= 0 && unit < limit && rows[unit] != null;
    }

    @Override
    public boolean candidate(int unit) {
        if (!present(unit)) {
            return false;
        }
        Overlay overlay = overlays[unit];
        return overlay == null || !overlay.blocked;
    }

    @Override
    public boolean returnable(int unit) {
        return row(unit).returnable();
    }

    @Override
    public int dimensions() {
        return workers.dimensions();
    }

    @Override
    public String dimension(int dimension) {
        return workers.dimension(dimension);
    }

    @Override
    public long capacity(int dimension) {
        return workers.capacity(dimension);
    }

    @Override
    public long free(int dimension) {
        return workers.free(dimension);
    }

    @Override
    public long startable(int dimension) {
        return workers.startable(dimension);
    }

    @Override
    public long amount(int unit, int group, int dimension) {
        ResourceProfile profile = profile(unit, group);
        return profile.isUnknown() ? workers.meanSlot(dimension) : workers.amount(profile, dimension);
    }

    @Override
    public JobId job(int unit) {
        return row(unit).job();
    }

    @Override
    public String name(int unit) {
        return row(unit).unit();
    }

    @Override
    public long submissionIndex(int unit) {
        return row(unit).submissionIndex();
    }

    @Override
    public String queue(int unit) {
        return row(unit).attributes().queue();
    }

    @Override
    public QueuesView queues() {
        return queues;
    }

    @Override
    public Optional<String> submitter(int unit) {
        String submitter = row(unit).attributes().submitter();
        return submitter.isEmpty() ? Optional.empty() : Optional.of(submitter);
    }

    @Override
    public OptionalLong expectedRuntime(int unit) {
        long millis = row(unit).attributes().expectedRuntimeMillis();
        return millis == 0 ? OptionalLong.empty() : OptionalLong.of(millis);
    }

    @Override
    public int runtimeLearnedFrom(int unit) {
        return row(unit).attributes().runtimeLearnedFrom();
    }

    @Override
    public int priority(int unit) {
        return row(unit).attributes().priority();
    }

    @Override
    public Optional<String> label(int unit, String key) {
        return Optional.ofNullable(row(unit).attributes().labels().get(key));
    }

    @Override
    public int groups(int unit) {
        return row(unit).groups().size();
    }

    @Override
    public String groupName(int unit, int group) {
        return row(unit).groups().get(group).group();
    }

    @Override
    public ResourceProfile profile(int unit, int group) {
        return row(unit).groups().get(group).profile();
    }

    @Override
    public int minimum(int unit, int group) {
        return row(unit).groups().get(group).minimum();
    }

    @Override
    public int desired(int unit, int group) {
        GroupDemand demand = row(unit).groups().get(group);
        Overlay overlay = overlays[unit];
        int wanted = Math.max(demand.minimum(), demand.desired());
        if (overlay != null && overlay.heldToMinimum) {
            wanted = demand.minimum();
        }
        return overlay != null && overlay.capped[group] ? Math.min(wanted, allocated(unit, group)) : wanted;
    }

    public PlacementConstraints constraints(int unit, int group) {
        return row(unit).groups().get(group).constraints();
    }

    @Override
    public int allocated(int unit, int group) {
        return row(unit).groups().get(group).allocated() + placed(unit, group);
    }

    @Override
    public int returning(int unit, int group) {
        return row(unit).groups().get(group).returning();
    }

    private UnitDemand row(int unit) {
        if (!present(unit)) {
            throw new IllegalArgumentException("unit " + unit + " is not present; the limit is " + limit);
        }
        return rows[unit];
    }
}
