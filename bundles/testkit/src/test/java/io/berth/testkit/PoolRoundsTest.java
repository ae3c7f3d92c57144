package io.berth.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.spi.ResourceProfile;
import io.berth.spi.matching.AdmittedView;
import io.berth.spi.matching.AllocationsView;
import io.berth.spi.matching.PlacementBuilder;
import io.berth.spi.matching.PlacementSession;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The rounds tell a strategy that becomes content from one that does not. */
class PoolRoundsTest {

    private static final int MAX_ROUNDS = 100;

    /** Moves one slot per call from the last workers to the first ones, where there is room. */
    private record Packing(ArrayWorkersView workers) implements PlacementSession {

        @Override
        public void place(AdmittedView admitted, PlacementBuilder plan) {
            placeFirstFit(workers, admitted, plan);
            AllocationsView allocations = admitted.allocations();
            for (int slot = 0; admitted.size() == 0 && slot < allocations.limit(); slot++) {
                int worker = allocations.worker(slot);
                if (allocations.aboveMinimum(slot) > 0 && hasRoomBefore(worker)) {
                    plan.giveBack(slot, "moves to the first workers");
                    return;
                }
            }
        }

        private boolean hasRoomBefore(int worker) {
            for (int before = 0; before < worker; before++) {
                if (workers.free(before, 0) >= 1_000) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public void delta(int[] changed) {}

        @Override
        public void close() {}
    }

    /** Asks for some slot again and again. */
    private record Restless(ArrayWorkersView workers) implements PlacementSession {

        @Override
        public void place(AdmittedView admitted, PlacementBuilder plan) {
            placeFirstFit(workers, admitted, plan);
            for (int slot = 0; slot < admitted.allocations().limit(); slot++) {
                if (admitted.allocations().aboveMinimum(slot) > 0) {
                    plan.giveBack(slot, "why not");
                    return;
                }
            }
        }

        @Override
        public void delta(int[] changed) {}

        @Override
        public void close() {}
    }

    /** Each entry in its order, on the first workers; a gang completely or not at all. */
    private static void placeFirstFit(ArrayWorkersView workers, AdmittedView admitted, PlacementBuilder plan) {
        long[] left = new long[workers.limit()];
        for (int worker = 0; worker < left.length; worker++) {
            left[worker] = workers.free(worker, 0) / 1_000;
        }
        for (int entry = 0; entry < admitted.size(); entry++) {
            long room = 0;
            for (long slots : left) {
                room += slots;
            }
            if (admitted.gang(entry) >= 0 && room < admitted.count(entry)) {
                continue;
            }
            int missing = admitted.count(entry);
            for (int worker = 0; worker < left.length && missing > 0; worker++) {
                int count = (int) Math.min(missing, left[worker]);
                if (count > 0) {
                    plan.place(entry, worker, count);
                    left[worker] -= count;
                    missing -= count;
                }
            }
        }
    }

    private static int rounds(Random random, boolean restless) {
        PoolRounds.GiveBacks pool = new PoolRounds.GiveBacks(random);
        PlacementSession session = restless ? new Restless(pool.workers()) : new Packing(pool.workers());
        return pool.busyRounds(session, MAX_ROUNDS);
    }

    @Test
    void aStrategyThatPacksBecomesContent() {
        int most = 0;
        for (int seed = 0; seed < 100; seed++) {
            most = Math.max(most, rounds(new Random(seed), false));
        }
        assertThat(most).isBetween(2, MAX_ROUNDS - 1);
    }

    @Test
    void oneThatAlwaysWantsSomethingDoesNot() {
        int most = 0;
        for (int seed = 0; seed < 10; seed++) {
            most = Math.max(most, rounds(new Random(seed), true));
        }
        assertThat(most).isEqualTo(MAX_ROUNDS);
    }

    @Test
    void aProposalBelowTheMinimumBreaksTheRules() {
        ArrayWorkersView workers = new ArrayWorkersView();
        ArrayAdmittedView admitted = new ArrayAdmittedView(workers);
        ResourceProfile slot = ResourceProfile.of(1, 1);
        admitted.allocations().add("a", "default", slot, 0, 2, 0).minimum("a", "default", 1);
        RecordedPlacement plan = new RecordedPlacement(workers);
        plan.giveBack(0, "once");
        PlacementRules.check(workers, admitted, plan);
        plan.giveBack(1, "twice");
        assertThatThrownBy(() -> PlacementRules.check(workers, admitted, plan)).isInstanceOf(AssertionError.class);
    }
}
