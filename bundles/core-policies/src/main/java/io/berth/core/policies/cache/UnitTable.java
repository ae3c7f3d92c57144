package io.berth.core.policies.cache;

import io.berth.core.api.job.PlacementConstraints;
import io.berth.core.api.policy.PlanningInput.GroupDemand;
import io.berth.core.api.policy.PlanningInput.UnitChange;
import io.berth.core.api.policy.PlanningInput.UnitDemand;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.distribution.DemandsView;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The demands as the planner caches them. Changes only between calls of a policy. An overlay shows what the rounds of
 * the current decision placed and could not place. Confined to the main thread of the planner.
 */
public final class UnitTable implements DemandsView {

    private static final long NOT_WAITING = Long.MIN_VALUE;

    private static final class Overlay {
        private final int[] placed;
        private final boolean[] capped;
        private boolean blocked;
        private boolean heldToMinimum;

        private Overlay(int groups) {
            placed = new int[groups];
            capped = new boolean[groups];
        }
    }

    private final WorkerColumns workers;
    private UnitDemand[] rows = new UnitDemand[16];
    private int limit;
    private long[] arrived = new long[16];
    /** Since when a unit lacks part of its minimum; {@link #NOT_WAITING} while it has it. */
    private long[] waiting = new long[16];

    private long state;
    private DecisionTime now = new DecisionTime(0, 0);
    private BitSet changed = new BitSet();
    private final BitSet lacking = new BitSet();
    private final BitSet laidOver = new BitSet();
    private Overlay[] overlays = new Overlay[16];

    /** @param workers of the same pool */
    public UnitTable(WorkerColumns workers) {
        this.workers = workers;
    }

    /** @return whether dimensions were added */
    public boolean apply(long stateNumber, DecisionTime time, List<UnitChange> changes) {
        boolean grown = false;
        state = stateNumber;
        now = time;
        for (UnitChange change : changes) {
            int index = change.index();
            if (index >= rows.length) {
                rows = Arrays.copyOf(rows, Math.max(index + 1, rows.length * 2));
                arrived = Arrays.copyOf(arrived, rows.length);
                waiting = Arrays.copyOf(waiting, rows.length);
                overlays = Arrays.copyOf(overlays, rows.length);
            }
            keepTimes(index, change.unit());
            rows[index] = change.unit().orElse(null);
            if (change.unit().isPresent()) {
                limit = Math.max(limit, index + 1);
                for (GroupDemand group : rows[index].groups()) {
                    grown |= workers.require(group.profile());
                }
            }
            lacking.set(index, change.unit().isPresent() && lacks(rows[index]));
            changed.set(index);
        }
        while (limit > 0 && rows[limit - 1] == null) {
            limit--;
        }
        return grown;
    }

    private void keepTimes(int index, Optional<UnitDemand> unit) {
        UnitDemand before = rows[index];
        if (unit.isEmpty()) {
            return;
        }
        UnitDemand after = unit.get();
        boolean same = before != null
                && before.job().equals(after.job())
                && before.unit().equals(after.unit());
        if (!same) {
            arrived[index] = now.millis();
            waiting[index] = NOT_WAITING;
        }
        boolean waits = after.groups().stream().anyMatch(group -> group.allocated() < group.minimum());
        if (!waits) {
            waiting[index] = NOT_WAITING;
        } else if (waiting[index] == NOT_WAITING) {
            waiting[index] = now.millis();
        }
    }

    private static boolean lacks(UnitDemand unit) {
        return unit.groups().stream().anyMatch(group -> group.allocated() < Math.max(group.desired(), group.minimum()));
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
        return laidOver.stream()
                .filter(unit -> overlays[unit].heldToMinimum && hasMinimum(unit))
                .boxed()
                .toList();
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
        return waiting[unit] == NOT_WAITING ? OptionalLong.empty() : OptionalLong.of(waiting[unit]);
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
        return row(unit).queue();
    }

    @Override
    public int priority(int unit) {
        return row(unit).priority();
    }

    @Override
    public Optional<String> label(int unit, String key) {
        return Optional.ofNullable(row(unit).labels().get(key));
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

    private UnitDemand row(int unit) {
        if (!present(unit)) {
            throw new IllegalArgumentException("unit " + unit + " is not present; the limit is " + limit);
        }
        return rows[unit];
    }
}
