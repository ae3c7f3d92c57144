package io.berth.core.resources.planning;

import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.policy.PlanningInput.SpecColumn;
import io.berth.core.resources.explanation.SlotNeed;
import io.berth.core.resources.state.ClusterSums;
import io.berth.core.resources.state.FreeRoom;
import io.berth.core.resources.state.SlotEntry;
import io.berth.core.resources.state.UnitEntry;
import io.berth.core.resources.state.UnitGroup;
import io.berth.core.resources.state.WorkerEntry;
import io.berth.spi.ResourceProfile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which slots must be returned so that a unit of a pool reaches its minimum. One is made for each look at a pool, with
 * the same workers that may be started: what is free when all slots are returned is found once, so that most units are
 * refused without a look at each job that could return some. Confined to the main thread.
 */
final class ReturnSearch {

    /** Needs that few workers fulfill come first, and large slots before small ones. */
    private static final Comparator<SlotNeed> HARDEST_FIRST = Comparator.<SlotNeed, Boolean>comparing(
                    need -> need.constraints().isNone())
            .thenComparing(
                    Comparator.<SlotNeed>comparingLong(need -> need.profile().cpuMillis())
                            .reversed())
            .thenComparing(Comparator.<SlotNeed>comparingLong(need -> ClusterSums.memory(need.profile()))
                    .reversed());

    /** Slots that one unit has, and can return. */
    record Holder(UnitEntry unit, List<SlotEntry> slots) {}

    /** Free resources of a worker, or of each of several that may be started. */
    private record Piece(ResourceProfile free, ResourceProfile defaultSlot, WorkerLabels labels, int count) {

        private Piece with(ResourceProfile less, int of) {
            return new Piece(less, defaultSlot, labels, of);
        }

        /** How many slots fit into each. */
        private long fits(SlotNeed need) {
            return need.constraints().obstacle(labels).isPresent() ? 0 : FreeRoom.quotient(free, slot(need));
        }

        private ResourceProfile slot(SlotNeed need) {
            return need.profile().isUnknown() ? defaultSlot : need.profile();
        }
    }

    private final List<Holder> holders;
    /** By index of the worker; those that may be started have negative indexes. */
    private final Map<Integer, Piece> free = new LinkedHashMap<>();

    private final Map<Integer, Piece> freeWithAll;
    /** How many slots fit at most if all are returned, by what each needs. */
    private final Map<SlotNeed, Long> most = new HashMap<>();
    /** What units without slots lack that does not fit even if all are returned. */
    private final Set<Map<SlotNeed, Integer>> unservable = new HashSet<>();

    /**
     * @param workers the usable workers of the pool
     * @param startable how many workers of each spec may be started if all are started
     * @param holders on usable workers of the pool; the first are asked first
     */
    ReturnSearch(List<WorkerEntry> workers, List<SpecColumn> startable, List<Holder> holders) {
        this.holders = holders;
        for (WorkerEntry worker : workers) {
            if (!worker.unused().equals(ResourceProfile.ZERO)) {
                free.put(worker.index, new Piece(worker.unused(), worker.defaultSlot(), worker.labels(), 1));
            }
        }
        int next = -1;
        for (SpecColumn spec : startable) {
            if (spec.left() > 0) {
                free.put(next--, new Piece(spec.total(), spec.defaultSlot(), spec.labels(), spec.left()));
            }
        }
        freeWithAll = new LinkedHashMap<>(free);
        holders.forEach(holder -> giveBack(holder, freeWithAll));
    }

    private static void giveBack(Holder holder, Map<Integer, Piece> room) {
        for (SlotEntry slot : holder.slots()) {
            room.merge(
                    slot.worker.index,
                    new Piece(slot.kind().profile(), slot.worker.defaultSlot(), slot.worker.labels(), 1),
                    (piece, returned) -> piece.with(piece.free().plus(returned.free()), 1));
        }
    }

    /**
     * What must be returned so that the unit fits, its own spare slots first, then as few holders as possible; empty if
     * nothing helps.
     */
    List<Holder> returnsFor(UnitEntry unit) {
        Map<SlotNeed, Integer> lack = lack(unit);
        if (!mayFit(lack)) {
            return List.of();
        }
        List<Holder> order = new ArrayList<>();
        Map<Integer, Piece> all = freeWithAll;
        boolean holds = false;
        for (Holder holder : holders) {
            if (holder.unit() != unit) {
                order.add(holder);
            } else {
                holds = true;
                List<SlotEntry> spare = aboveMinimum(holder);
                order.add(0, new Holder(unit, spare));
                all = without(holder, spare);
            }
        }
        order.removeIf(holder -> holder.slots().isEmpty());
        if (!holds && unservable.contains(lack)) {
            return List.of();
        }
        if (order.isEmpty() || !fits(lack, all)) {
            if (!holds) {
                unservable.add(lack);
            }
            return List.of();
        }
        // With so many it fits. More never make it worse, but for rare mixes of needs; the result always fits.
        int enough = order.size();
        int tooFew = 0;
        while (enough - tooFew > 1) {
            int half = (enough + tooFew) / 2;
            Map<Integer, Piece> room = new LinkedHashMap<>(free);
            order.subList(0, half).forEach(holder -> giveBack(holder, room));
            if (fits(lack, room)) {
                enough = half;
            } else {
                tooFew = half;
            }
        }
        return List.copyOf(order.subList(0, enough));
    }

    /** What a unit lacks of its minimum, by what one slot needs. */
    private static Map<SlotNeed, Integer> lack(UnitEntry unit) {
        Map<SlotNeed, Integer> lack = new LinkedHashMap<>();
        for (UnitGroup group : unit.groups()) {
            int missing = group.requirement().minimum() - unit.allocated(group);
            if (missing > 0) {
                lack.merge(SlotNeed.of(group.requirement()), missing, Integer::sum);
            }
        }
        return lack;
    }

    /** Whether each need by itself fits if all is returned. */
    private boolean mayFit(Map<SlotNeed, Integer> lack) {
        return lack.entrySet().stream()
                .allMatch(need -> most.computeIfAbsent(
                                need.getKey(),
                                one -> freeWithAll.values().stream()
                                        .mapToLong(
                                                piece -> Math.min(piece.fits(one) * piece.count(), Integer.MAX_VALUE))
                                        .sum())
                        >= need.getValue());
    }

    /** Slots above the minimum of some groups, while others lack some. */
    private static List<SlotEntry> aboveMinimum(Holder holder) {
        Map<String, Integer> left = new HashMap<>();
        for (UnitGroup group : holder.unit().groups()) {
            int above = holder.unit().allocated(group) - group.requirement().minimum();
            left.put(group.key().group(), above);
        }
        List<SlotEntry> spare = new ArrayList<>();
        for (SlotEntry slot : holder.slots()) {
            if (left.merge(slot.kind().group().group(), -1, Integer::sum) >= 0) {
                spare.add(slot);
            }
        }
        return spare;
    }

    /** What is free if all slots are returned but those that the holder keeps. */
    private Map<Integer, Piece> without(Holder holder, List<SlotEntry> spare) {
        Map<Integer, Piece> room = new LinkedHashMap<>(freeWithAll);
        Set<SlotEntry> returned = new HashSet<>(spare);
        for (SlotEntry slot : holder.slots()) {
            if (!returned.contains(slot)) {
                room.computeIfPresent(
                        slot.worker.index,
                        (index, piece) ->
                                piece.with(piece.free().minus(slot.kind().profile()), 1));
            }
        }
        return room;
    }

    private static boolean fits(Map<SlotNeed, Integer> lack, Map<Integer, Piece> room) {
        List<Piece> pieces = new ArrayList<>(room.values());
        List<SlotNeed> needs = new ArrayList<>(lack.keySet());
        needs.sort(HARDEST_FIRST);
        for (SlotNeed need : needs) {
            int missing = lack.getOrDefault(need, 0);
            for (int index = 0; index < pieces.size() && missing > 0; index++) {
                missing -= take(pieces, index, need, missing);
            }
            if (missing > 0) {
                return false;
            }
        }
        return true;
    }

    /** Takes up to so many slots of a piece, and leaves the rest of it in its place. Returns how many. */
    private static int take(List<Piece> pieces, int index, SlotNeed need, int wanted) {
        Piece piece = pieces.get(index);
        long each = piece.fits(need);
        if (each == 0) {
            return 0;
        }
        ResourceProfile slot = piece.slot(need);
        int taken = (int) Math.min(wanted, each * piece.count());
        int full = (int) (taken / each);
        int rest = (int) (taken % each);
        List<Piece> left = new ArrayList<>();
        if (full > 0) {
            left.add(piece.with(piece.free().minus(slot.times((int) each)), full));
        }
        if (rest > 0) {
            left.add(piece.with(piece.free().minus(slot.times(rest)), 1));
        }
        int untouched = piece.count() - full - (rest > 0 ? 1 : 0);
        if (untouched > 0) {
            left.add(piece.with(piece.free(), untouched));
        }
        pieces.set(index, left.get(0));
        pieces.addAll(index + 1, left.subList(1, left.size()));
        return taken;
    }
}
