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
    }

    private final DemandsView demands;
    private final UnitLacks lacks;
    private final Map<Wish, Desired> desired = new LinkedHashMap<>();
    private final List<Planned> reclaims;
    private final BitSet returning;
    private final String claim;
    private final IntFunction<String> reason;

    /**
     * @param reclaims what the first round reclaimed
     * @param returning the units that are asked, or were a short while ago
     * @param claim why the slots are due, for people
     * @param reason of what is reclaimed, by unit
     */
    DesiredPlan(
            DemandsView demands,
            UnitLacks lacks,
            List<Wish> wishes,
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
        for (Wish wish : wishes) {
            desired.computeIfAbsent(wish, one -> new Desired(demands.allocated(one.unit(), one.group()))).count++;
        }
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
        long[] slot = new long[demands.dimensions()];
        desired.forEach((wish, one) -> {
            int has = demands.allocated(wish.unit(), wish.group());
            int rest = Math.min(one.count, one.had + one.count - has);
            int lacking = demands.candidate(wish.unit()) ? demands.desired(wish.unit(), wish.group()) - has : 0;
            lacks.slot(wish.unit(), wish.group(), slot);
            long[] all = new long[slot.length];
            int count = Math.max(0, Math.min(rest, lacking));
            Amounts.add(all, count, slot);
            if (count > 0 && first.isAllowed(wish.unit(), all)) {
                first.admitAbove(wish.unit(), wish.group(), count);
            }
            Amounts.add(kept, Math.max(0, rest), slot);
        });
        first.room().setAside(kept, "slots are reclaimed: " + claim);
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
