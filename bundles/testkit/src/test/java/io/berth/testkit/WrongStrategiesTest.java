package io.berth.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.ResourceProfile;
import io.berth.spi.matching.AdmittedView;
import io.berth.spi.matching.AssignmentSession;
import io.berth.spi.matching.MatchingStrategy;
import io.berth.spi.matching.MatchingStrategyFactory;
import io.berth.spi.matching.PlacementBuilder;
import io.berth.spi.matching.PlacementSession;
import io.berth.spi.matching.WorkersView;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Each contract of a matching strategy fails for a strategy that breaks it, and only then. */
class WrongStrategiesTest {

    private interface Placing {
        void place(WorkersView workers, AdmittedView admitted, PlacementBuilder plan);
    }

    private static MatchingStrategyContract contract(Placing placing) {
        return contract(placing, false);
    }

    private static MatchingStrategyContract contract(Placing placing, boolean usesAllocations) {
        return () -> new MatchingStrategyFactory() {
            @Override
            public PolicyDescription describe() {
                return new PolicyDescription("wrong", "breaks a contract");
            }

            @Override
            public MatchingStrategy create(PolicyConfiguration configuration, PolicyContext context) {
                return strategy(placing, usesAllocations);
            }
        };
    }

    private static MatchingStrategy strategy(Placing placing, boolean usesAllocations) {
        return new MatchingStrategy() {
            @Override
            public PlacementSession openPlacement(WorkersView workers) {
                return session(placing, workers);
            }

            @Override
            public AssignmentSession openAssignment() {
                throw new UnsupportedOperationException();
            }

            @Override
            public boolean usesAllocations() {
                return usesAllocations;
            }
        };
    }

    private static PlacementSession session(Placing placing, WorkersView workers) {
        return new PlacementSession() {
            @Override
            public void delta(int[] changed) {}

            @Override
            public void place(AdmittedView admitted, PlacementBuilder plan) {
                placing.place(workers, admitted, plan);
            }

            @Override
            public void close() {}
        };
    }

    /** Slots that fit what is left of each worker, for entries of one profile. */
    private static int[] rooms(WorkersView workers, AdmittedView admitted) {
        int[] rooms = new int[workers.limit()];
        for (int worker = 0; worker < rooms.length; worker++) {
            rooms[worker] = (int) (workers.free(worker, 0) / admitted.need(0, worker, 0));
        }
        return rooms;
    }

    private static int sum(int[] rooms) {
        int sum = 0;
        for (int room : rooms) {
            sum += room;
        }
        return sum;
    }

    private interface Taking {
        void take(int worker, int count);
    }

    private static void take(int[] rooms, int wanted, Taking taking) {
        int missing = wanted;
        for (int worker = 0; worker < rooms.length && missing > 0; worker++) {
            int count = Math.min(missing, rooms[worker]);
            if (count > 0) {
                rooms[worker] -= count;
                missing -= count;
                taking.take(worker, count);
            }
        }
    }

    /** First fit that reserves room for the gang, which is the first entry, up to a size. */
    private static void reserving(WorkersView workers, AdmittedView admitted, PlacementBuilder plan, int most) {
        int[] rooms = rooms(workers, admitted);
        for (int entry = 0; entry < admitted.size(); entry++) {
            int of = entry;
            int wanted = admitted.count(entry);
            if (admitted.gang(entry) < 0 || sum(rooms) >= wanted) {
                take(rooms, wanted, (worker, count) -> plan.place(of, worker, count));
            } else if (wanted <= most) {
                take(rooms, wanted, (worker, count) -> plan.reserve(of, worker, count));
            }
        }
    }

    @Test
    void roomMayBeReservedUntilAGangStartsButNotForever() {
        assertThatCode(
                        contract((workers, admitted, plan) -> reserving(workers, admitted, plan, 32))
                                ::reservesRoomOnlyForALimitedTime)
                .doesNotThrowAnyException();
        assertThatThrownBy(
                        contract((workers, admitted, plan) -> reserving(workers, admitted, plan, 1_000))
                                ::reservesRoomOnlyForALimitedTime)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("in which it reserves room for one gang");
    }

    @Test
    void aReviewMayBeWishedForButNotAllTheTime() {
        assertThatThrownBy(
                        contract((workers, admitted, plan) -> plan.reviewAfter(10))::asksToBeCalledAgainOnlyNowAndThen)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("mean time in milliseconds after which it asks to be called again");
        assertThatCode(contract((workers, admitted, plan) -> {
                    if (workers.now() < 30_000) {
                        plan.reviewAfter(30_000 - workers.now());
                    }
                })::asksToBeCalledAgainOnlyNowAndThen)
                .doesNotThrowAnyException();
        assertThatCode(
                        contract((workers, admitted, plan) -> plan.reviewAfter(60_000))
                                ::asksToBeCalledAgainOnlyNowAndThen)
                .doesNotThrowAnyException();
    }

    @Test
    void aResultIsUsedInTheCallAndOnItsThread() {
        AtomicReference<Optional<PlacementBuilder>> before = new AtomicReference<>(Optional.empty());
        MatchingStrategyContract late = contract((workers, admitted, plan) ->
                before.getAndSet(Optional.of(plan)).ifPresent(ended -> ended.unplaced(0, "later")));
        assertThatThrownBy(late::knowsTheSameInALargePoolThatKeepsChanging)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("uses its result after the call");
        MatchingStrategyContract elsewhere = contract((workers, admitted, plan) ->
                CompletableFuture.runAsync(() -> plan.reviewAfter(60_000)).join());
        assertThatThrownBy(elsewhere::conservesCapacityPlacesGangsCompletelyAndRespectsPrecedence)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("uses its result from another thread");
    }

    @Test
    void anAssignmentIsUsedInTheCallAndOnItsThread() {
        ArrayAssignmentView elsewhere = assignment();
        CompletableFuture.runAsync(() -> elsewhere.assign(0, 0)).join();
        assertThat(elsewhere.violation()).hasValue("uses its result from another thread");
        ArrayAssignmentView late = assignment();
        late.assign(0, 0);
        late.end();
        assertThat(late.violation()).isEmpty();
        late.unassigned(0, "later");
        assertThat(late.violation()).hasValue("uses its result after the call");
        assertThat(late.reasons()).isEmpty();
    }

    private static ArrayAssignmentView assignment() {
        ResourceProfile slot = ResourceProfile.of(1_000, 1_000);
        return new ArrayAssignmentView(false).requirement(slot, 1).slot(slot, "w", -1);
    }

    @Test
    void aFilterSaysWhy() {
        MatchingStrategyContract silent = contract((workers, admitted, plan) -> {
            for (int worker = 0; worker < workers.limit(); worker++) {
                for (int entry = 0; entry < admitted.size() && workers.present(worker); entry++) {
                    plan.exclude(entry, worker, "");
                }
            }
        });
        assertThatThrownBy(silent::conservesCapacityPlacesGangsCompletelyAndRespectsPrecedence)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("and gives no reason: a line of text that is not blank is required");
    }

    @Test
    void whatItAsksForComesToAnEnd() {
        Placing restless = (workers, admitted, plan) -> {
            if (admitted.size() > 0) {
                reserving(workers, admitted, plan, 0);
            }
            for (int slot = 0; slot < admitted.allocations().limit(); slot++) {
                if (admitted.allocations().aboveMinimum(slot) > 0) {
                    plan.giveBack(slot, "why not");
                    return;
                }
            }
        };
        assertThatThrownBy(contract(restless, true)::asksForSlotsOnlyForALimitedTime)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("in which it asks for slots");
    }

    @Test
    void aStrategyThatPlacesNothingIsFoundOut() {
        assertThatThrownBy(
                        contract((workers, admitted, plan) -> {})
                                ::conservesCapacityPlacesGangsCompletelyAndRespectsPrecedence)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("room");
    }
}
