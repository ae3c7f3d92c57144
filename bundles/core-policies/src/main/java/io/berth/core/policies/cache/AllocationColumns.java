package io.berth.core.policies.cache;

import io.berth.core.api.policy.PlanningInput.GroupDemand;
import io.berth.core.api.policy.PlanningInput.SlotChange;
import io.berth.core.api.policy.PlanningInput.SlotChanges;
import io.berth.core.api.policy.PlanningInput.SlotColumn;
import io.berth.core.api.policy.PlanningInput.UnitDemand;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.spi.matching.AllocationsView;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The slots that jobs have, as the planner caches them; empty while no policy looks at them. Changes only between calls
 * of a policy. Confined to the main thread of the planner.
 */
public final class AllocationColumns implements AllocationsView {

    private record Row(AllocationId id, SlotColumn slot) {}

    private final WorkerColumns workers;
    private final UnitTable units;
    private final Map<AllocationId, Integer> indexes = new HashMap<>();
    private final BitSet used = new BitSet();
    /** No index below is free. */
    private int firstFree;

    private Row[] rows = new Row[16];

    /** @param units of the same pool, as are the {@code workers} */
    public AllocationColumns(WorkerColumns workers, UnitTable units) {
        this.workers = workers;
        this.units = units;
    }

    /** @return whether dimensions were added */
    public boolean apply(SlotChanges changes) {
        if (changes.listing() != SlotChanges.Listing.CHANGED && !indexes.isEmpty()) {
            keepOnly(changes);
        }
        boolean grown = false;
        for (SlotChange change : changes.changes()) {
            if (change.slot().isPresent()) {
                put(new Row(change.allocation(), change.slot().get()));
                grown |= workers.require(change.slot().get().profile());
            } else {
                remove(change.allocation());
            }
        }
        return grown;
    }

    /** The slots, for {@link PoolState}. */
    List<PoolState.AllocationRow> rows() {
        return used.stream()
                .mapToObj(index -> new PoolState.AllocationRow(index, rows[index].id(), rows[index].slot()))
                .toList();
    }

    /** Takes over slots; only when nothing was applied before. */
    void restore(List<PoolState.AllocationRow> from) {
        for (PoolState.AllocationRow row : from) {
            indexes.put(row.allocation(), row.index());
            if (row.index() >= rows.length) {
                rows = Arrays.copyOf(rows, Math.max(row.index() + 1, rows.length * 2));
            }
            rows[row.index()] = new Row(row.allocation(), row.slot());
            used.set(row.index());
        }
    }

    private void keepOnly(SlotChanges all) {
        Set<AllocationId> listed =
                all.changes().stream().map(SlotChange::allocation).collect(Collectors.toSet());
        List.copyOf(indexes.keySet()).stream()
                .filter(known -> !listed.contains(known))
                .forEach(this::remove);
    }

    private void put(Row row) {
        int index = indexes.computeIfAbsent(row.id(), added -> firstFree = used.nextClearBit(firstFree));
        if (index >= rows.length) {
            rows = Arrays.copyOf(rows, rows.length * 2);
        }
        rows[index] = row;
        used.set(index);
    }

    private void remove(AllocationId id) {
        Integer index = indexes.remove(id);
        if (index != null) {
            rows[index] = null;
            used.clear(index);
            firstFree = Math.min(firstFree, index);
        }
    }

    @Override
    public int limit() {
        return used.length();
    }

    @Override
    public boolean present(int allocation) {
        return allocation >= 0 && used.get(allocation);
    }

    @Override
    public AllocationId id(int allocation) {
        return row(allocation).id();
    }

    @Override
    public JobId job(int allocation) {
        return slot(allocation).job();
    }

    @Override
    public String unit(int allocation) {
        return slot(allocation).unit();
    }

    @Override
    public String group(int allocation) {
        return slot(allocation).group();
    }

    @Override
    public int worker(int allocation) {
        return slot(allocation).worker();
    }

    @Override
    public long since(int allocation) {
        return slot(allocation).sinceMillis();
    }

    @Override
    public OptionalLong lastRescaleMillis(int allocation) {
        return unitOf(slot(allocation)).map(UnitDemand::lastRescaleMillis).orElseGet(OptionalLong::empty);
    }

    @Override
    public long amount(int allocation, int dimension) {
        return workers.amount(slot(allocation).profile(), dimension);
    }

    @Override
    public int aboveMinimum(int allocation) {
        return groupOf(slot(allocation))
                .map(group -> group.allocated() - group.minimum())
                .orElse(0);
    }

    @Override
    public boolean returnable(int allocation) {
        SlotColumn slot = slot(allocation);
        return unitOf(slot).filter(UnitDemand::returnable).isPresent()
                && groupOf(slot).isPresent();
    }

    /** Empty when the unit is no longer declared. */
    private Optional<UnitDemand> unitOf(SlotColumn slot) {
        return units.find(slot.job(), slot.unit());
    }

    /** Empty when the group is no longer required. */
    private Optional<GroupDemand> groupOf(SlotColumn slot) {
        for (GroupDemand group : unitOf(slot).map(UnitDemand::groups).orElse(List.of())) {
            if (group.group().equals(slot.group())) {
                return Optional.of(group);
            }
        }
        return Optional.empty();
    }

    private SlotColumn slot(int allocation) {
        return row(allocation).slot();
    }

    private Row row(int allocation) {
        if (!present(allocation)) {
            throw new IllegalArgumentException("allocation " + allocation + " is not present; the limit is " + limit());
        }
        return rows[allocation];
    }
}
