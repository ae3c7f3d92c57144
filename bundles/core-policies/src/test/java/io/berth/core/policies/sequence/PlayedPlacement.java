package io.berth.core.policies.sequence;

import io.berth.spi.matching.AdmittedView;
import io.berth.spi.matching.AllocationsView;
import io.berth.spi.matching.PlacementBuilder;
import io.berth.spi.matching.WorkersView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One placement of a played strategy: by the rules, or with one of them broken. */
final class PlayedPlacement {

    private static final int SLOT = 1_000;
    private static final int NOWHERE = -1;

    /** Entries that are placed together. */
    private record Item(int from, int to) {}

    private final Play play;
    private final long generation;
    private final WorkersView workers;
    private final AdmittedView admitted;
    private final PlacementBuilder plan;
    private final Answer answer;
    /** Slots that are left, by worker. */
    private final int[] room;
    /** Slots with room reserved, by entry. */
    private final int[] reserved;
    /** A worker with slots of the entry. */
    private final int[] placedOn;

    /** Entries for which workers are excluded. */
    private final BitSet excluding = new BitSet();

    private final BitSet givenBack = new BitSet();

    PlayedPlacement(Play play, long instance, WorkersView workers, AdmittedView admitted, PlacementBuilder plan) {
        this.play = play;
        this.generation = play.generation(instance);
        this.workers = workers;
        this.admitted = admitted;
        this.plan = plan;
        this.answer = play.answer();
        this.room = new int[workers.limit()];
        for (int worker = 0; worker < room.length; worker++) {
            room[worker] = workers.present(worker) ? (int) (workers.free(worker, 0) / SLOT) : 0;
        }
        this.reserved = new int[admitted.size()];
        this.placedOn = new int[admitted.size()];
        Arrays.fill(placedOn, NOWHERE);
        answer.sees(workers.stateNumber());
        for (int entry = 0; entry < admitted.size(); entry++) {
            answer.shown(
                    admitted.job(entry).value(),
                    admitted.group(entry),
                    admitted.count(entry),
                    isMinimum(entry),
                    admitted.rank(entry));
        }
    }

    private boolean isMinimum(int entry) {
        return admitted.gang(entry) >= 0;
    }

    /** @param usesSlots whether the strategy is shown the slots that jobs have */
    void byTheRules(boolean usesSlots) {
        items().forEach(this::place);
        if (usesSlots) {
            giveBack();
        }
        Played.review(play, plan::reviewAfter);
    }

    /** In the order of the ranks. Of one rank, sometimes the last one first. */
    private List<Item> items() {
        List<Item> items = new ArrayList<>();
        int first = 0;
        int from = 0;
        while (from < admitted.size()) {
            int to = from + 1;
            while (isMinimum(from) && to < admitted.size() && admitted.gang(to) == admitted.gang(from)) {
                to++;
            }
            items.add(new Item(from, to));
            if (to == admitted.size() || admitted.rank(to) > admitted.rank(from)) {
                List<Item> ofRank = items.subList(first, items.size());
                if (ofRank.size() > 1 && play.draw(2) == 0) {
                    Collections.reverse(ofRank);
                }
                first = items.size();
            }
            from = to;
        }
        return items;
    }

    private void place(Item item) {
        BitSet without = play.draw(6) == 0 ? exclude(item) : new BitSet();
        int asked = 0;
        for (int entry = item.from(); entry < item.to(); entry++) {
            asked += admitted.count(entry);
        }
        int sum = 0;
        for (int worker = without.nextClearBit(0); worker < room.length; worker = without.nextClearBit(worker + 1)) {
            sum += room[worker];
        }
        int left = asked <= sum ? asked : isMinimum(item.from()) ? 0 : sum;
        for (int entry = item.from(); entry < item.to(); entry++) {
            left -= fill(entry, Math.min(left, admitted.count(entry)), without, false);
        }
        if (asked > sum) {
            plan.unplaced(item.from(), "left out by generation " + generation + ".");
            if (isMinimum(item.from()) && play.draw(2) == 0) {
                for (int entry = item.from(); entry < item.to(); entry++) {
                    fill(entry, admitted.count(entry), without, true);
                }
            }
        }
    }

    private BitSet exclude(Item item) {
        BitSet without = new BitSet();
        for (int worker = 0; worker < room.length; worker++) {
            without.set(worker, workers.present(worker) && play.draw(3) == 0);
        }
        String reason = "excluded by generation " + generation + ".";
        for (int entry = item.from(); entry < item.to() && !without.isEmpty(); entry++) {
            int excluded = entry;
            without.stream().forEach(worker -> plan.exclude(excluded, worker, reason));
            answer.excluded(entry, without, reason);
            excluding.set(entry);
        }
        return without;
    }

    /**
     * Takes room on the workers in turn, beginning with one that depends on the generation.
     *
     * @param reserves whether the room is only reserved
     * @return for how many slots
     */
    private int fill(int entry, int count, BitSet without, boolean reserves) {
        int missing = count;
        for (int nth = 0; nth < room.length && missing > 0; nth++) {
            int worker = (int) ((nth + generation) % room.length);
            int here = without.get(worker) ? 0 : Math.min(missing, room[worker]);
            if (here > 0) {
                if (reserves) {
                    plan.reserve(entry, worker, here);
                    answer.reserved(entry, worker, here);
                    reserved[entry] += here;
                } else {
                    plan.place(entry, worker, here);
                    answer.placed(entry, worker, here);
                    placedOn[entry] = worker;
                }
                room[worker] -= here;
                missing -= here;
            }
        }
        return count - missing;
    }

    private void giveBack() {
        AllocationsView slots = admitted.allocations();
        Map<String, Integer> named = new HashMap<>();
        for (int slot = 0; slot < slots.limit(); slot++) {
            if (slots.present(slot) && play.draw(4) == 0) {
                int count = named.merge(group(slots, slot), 1, Integer::sum);
                int above = slots.aboveMinimum(slot);
                if (above < 0 || count <= above) {
                    giveBack(slots, slot);
                }
            }
        }
    }

    private static String group(AllocationsView slots, int slot) {
        return slots.job(slot).value() + "/" + slots.group(slot);
    }

    private void giveBack(AllocationsView slots, int slot) {
        String reason = "given back by generation " + generation + ".";
        plan.giveBack(slot, reason);
        answer.gaveBack(slots.id(slot), reason);
        givenBack.set(slot);
    }

    /** As {@link #byTheRules}, except that one rule is broken. */
    void withOneRuleBroken(boolean usesSlots) {
        int rule = usesSlots && play.draw(2) == 0 ? 12 + play.draw(4) : play.draw(18);
        switch (rule) {
            case 0 -> plan.place(0, 10_000, 1);
            case 1 -> plan.place(NOWHERE, 0, 1);
            case 2 -> plan.place(0, 0, 0);
            default -> {
                byTheRules(usesSlots);
                if (!breaks(rule, admitted.allocations())) {
                    plan.reserve(admitted.size(), 0, 1);
                }
            }
        }
    }

    /** @return whether the rule could be broken */
    private boolean breaks(int rule, AllocationsView slots) {
        int worker = mostRoom();
        return switch (rule) {
            case 3 -> worker >= 0 && placesMore(worker);
            case 4 -> worker >= 0 && reserves(entry(false, false), worker, 1);
            case 5 -> worker >= 0 && reserves(entry(true, false), worker, 0);
            case 6 -> reserves(entry(true, false), room.length + 3, 1);
            case 7 -> worker >= 0 && reserves(entry(true, true), worker, 1);
            case 8 -> worker >= 0 && reservesTooMuch(worker);
            case 9 -> excludes(admitted.size() - 1, room.length + 3, "not there");
            case 10 -> worker >= 0 && excludes(admitted.size() - 1, worker, " ");
            case 11 -> excludesWhatItUses(true) || excludesWhatItUses(false);
            case 12 -> {
                plan.giveBack(slots.limit() + play.draw(2), "not there");
                yield true;
            }
            case 13 -> givesBackTwice(slots);
            case 14 -> givesBackWithoutReason(slots);
            case 15 -> givesBackTooMuch(slots);
            default -> {
                Played.badReview(play, plan::reviewAfter);
                yield true;
            }
        };
    }

    /** The present worker with the most room; {@link #NOWHERE} when there is none. */
    private int mostRoom() {
        int best = NOWHERE;
        for (int worker = 0; worker < room.length; worker++) {
            if (workers.present(worker) && (best < 0 || room[worker] > room[best])) {
                best = worker;
            }
        }
        return best;
    }

    /** @return the first such entry; {@link #NOWHERE} when there is none */
    private int entry(boolean minimum, boolean placed) {
        for (int entry = 0; entry < placedOn.length; entry++) {
            if (isMinimum(entry) == minimum && (!placed || placedOn[entry] >= 0)) {
                return entry;
            }
        }
        return NOWHERE;
    }

    /** Places one more slot of an entry than is admitted. */
    private boolean placesMore(int worker) {
        int entry = entry(true, true);
        if (entry >= 0) {
            plan.place(entry, worker, 1);
        }
        return entry >= 0;
    }

    private boolean reserves(int entry, int worker, int count) {
        if (entry >= 0) {
            plan.reserve(entry, worker, count);
        }
        return entry >= 0;
    }

    /** Reserves one slot more than the worker has room for, and no more than is requested. */
    private boolean reservesTooMuch(int worker) {
        for (int entry = 0; entry < placedOn.length; entry++) {
            if (isMinimum(entry)
                    && placedOn[entry] < 0
                    && reserved[entry] + room[worker] < admitted.count(entry)
                    && !excluding.get(entry)) {
                return reserves(entry, worker, room[worker] + 1);
            }
        }
        return false;
    }

    private boolean excludes(int entry, int worker, String reason) {
        if (entry >= 0) {
            plan.exclude(entry, worker, reason);
        }
        return entry >= 0;
    }

    private boolean excludesWhatItUses(boolean minimum) {
        int entry = entry(minimum, true);
        return entry >= 0 && excludes(entry, placedOn[entry], "no more");
    }

    private boolean givesBackTwice(AllocationsView slots) {
        for (int slot = 0; slot < slots.limit(); slot++) {
            if (slots.present(slot) && (slots.aboveMinimum(slot) < 0 || slots.aboveMinimum(slot) > 1)) {
                plan.giveBack(slot, "once");
                plan.giveBack(slot, "twice");
                return true;
            }
        }
        return false;
    }

    private boolean givesBackWithoutReason(AllocationsView slots) {
        for (int slot = 0; slot < slots.limit(); slot++) {
            if (slots.present(slot) && !givenBack.get(slot)) {
                plan.giveBack(slot, "");
                return true;
            }
        }
        return false;
    }

    /** Gives back all slots of a group that has a minimum. */
    private boolean givesBackTooMuch(AllocationsView slots) {
        Map<String, Integer> of = new HashMap<>();
        for (int slot = 0; slot < slots.limit(); slot++) {
            if (slots.present(slot)) {
                of.merge(group(slots, slot), 1, Integer::sum);
            }
        }
        for (int first = 0; first < slots.limit(); first++) {
            if (slots.present(first) && slots.returnable(first) && slots.aboveMinimum(first) >= 0) {
                String group = group(slots, first);
                if (of.get(group) > slots.aboveMinimum(first)) {
                    for (int slot = 0; slot < slots.limit(); slot++) {
                        if (slots.present(slot)
                                && !givenBack.get(slot)
                                && group(slots, slot).equals(group)) {
                            plan.giveBack(slot, "all of them");
                        }
                    }
                    return true;
                }
            }
        }
        return false;
    }
}
