package io.berth.distribution.capacity;

import io.berth.distribution.capacity.DesiredSlots.Wish;
import io.berth.policy.support.distribution.Amounts;
import io.berth.policy.support.distribution.Reclaims.Planned;
import io.berth.policy.support.distribution.TreeAdmission;
import io.berth.policy.support.distribution.UnitLacks;
import io.berth.spi.distribution.AdmissionBuilder;
import io.berth.spi.distribution.DemandsView;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * Slots that units of a queue desire, for which others return slots, during one decision. Later rounds of it do not show
 * what found no room, although the room is to be kept until enough has come back.
 */
final class DesiredPlan {

    private static final class Desired {
        private final int had;
        private int count;

        private Desired(int had) {
            this.had = had;
        }

        /** How many of the slots have not been placed. */
        private int rest(int has) {
            return Math.max(0, Math.min(count, had + count - has));
        }
    }

    private final DemandsView demands;
    private final UnitLacks lacks;
    private final Map<Wish, Desired> desired;
    /** Slots that others desire who come before, and for which there is room. */
    private final Map<Wish, Desired> before;

    private final List<Planned> reclaims;
    private final BitSet returning;
    private final String claim;
    private final IntFunction<String> reason;

    /**
     * @param before slots that others desire who come before, and for which there is room
     * @param reclaims what the first round reclaimed
     * @param returning the units that are asked, or were a short while ago
     * @param claim why the slots are due, for people
     * @param reason of what is reclaimed, by unit
     */
    DesiredPlan(
            DemandsView demands,
            UnitLacks lacks,
            List<Wish> wishes,
            List<Wish> before,
            List<Planned> reclaims,
            BitSet returning,
            String claim,
            IntFunction<String> reason) {
        this.demands = demands;
        this.lacks = lacks;
        this.reclaims = reclaims;
        this.returning = (BitSet) returning.clone();
        this.claim = claim;
        this.reason = reason;
        this.desired = counted(wishes);
        this.before = counted(before);
    }

    private Map<Wish, Desired> counted(List<Wish> wishes) {
        Map<Wish, Desired> counted = new LinkedHashMap<>();
        for (Wish wish : wishes) {
            counted.computeIfAbsent(wish, one -> new Desired(demands.allocated(one.unit(), one.group()))).count++;
        }
        return counted;
    }

    /** Reclaims the same as the first round: the host may make the whole decision again. */
    void reclaimAgain(AdmissionBuilder result) {
        for (Planned one : reclaims) {
            int count = Math.min(one.count(), lacks.aboveMinimum(one.unit(), one.group()));
            if (count > 0) {
                result.reclaim(one.unit(), one.group(), count, reason.apply(one.unit()));
            }
        }
    }

    /** Admits what is desired, and keeps the room for what has not been placed. */
    void admit(TreeAdmission.First first) {
        long[] kept = new long[demands.dimensions()];
        desired.forEach((wish, one) -> {
            int rest = one.rest(demands.allocated(wish.unit(), wish.group()));
            int count = Math.min(rest, lacking(wish));
            if (!first.isAllowed(wish.unit(), slots(wish, Math.max(1, count)))) {
                return;
            }
            if (count > 0) {
                first.admitAbove(wish.unit(), wish.group(), count);
            }
            Amounts.add(kept, 1, slots(wish, rest));
        });
        long[] needed = new long[kept.length];
        before.forEach((wish, one) -> {
            int rest = one.rest(demands.allocated(wish.unit(), wish.group()));
            Amounts.add(needed, 1, slots(wish, Math.min(rest, lacking(wish))));
        });
        first.room().setAside(kept, needed, "slots are reclaimed: " + claim);
    }

    /** How many slots the group may be admitted in this round. */
    private int lacking(Wish wish) {
        return demands.candidate(wish.unit())
                ? Math.max(0, demands.desired(wish.unit(), wish.group()) - demands.allocated(wish.unit(), wish.group()))
                : 0;
    }

    private long[] slots(Wish wish, int count) {
        long[] slot = new long[demands.dimensions()];
        lacks.slot(wish.unit(), wish.group(), slot);
        long[] all = new long[slot.length];
        Amounts.add(all, count, slot);
        return all;
    }

    /** The units that are asked for slots, or were a short while ago: they get no more. */
    BitSet returning() {
        return returning;
    }

    /** Why the slots are due, for people. */
    String claim() {
        return claim;
    }
}
