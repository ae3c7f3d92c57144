package io.berth.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.PolicyDescription;
import io.berth.spi.ResourceProfile;
import io.berth.spi.matching.AssignmentSession;
import io.berth.spi.matching.MatchingStrategy;
import io.berth.spi.matching.MatchingStrategyFactory;
import io.berth.spi.matching.PlacementSession;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * What every matching strategy must guarantee, whatever it prefers. Extend it in your test and provide the factory.
 * Random inputs come from fixed seeds.
 */
public interface MatchingStrategyContract {

    /** The number of random sequences. */
    int SEQUENCES = 300;

    /** The number of random sequences in large pools. */
    int LARGE_SEQUENCES = 6;

    /** In fewer decisions than these a strategy may ask for slots of a pool in which nothing else happens. */
    int MAX_GIVE_BACK_ROUNDS = 100;

    /** In fewer decisions in a row than these a strategy may reserve room for one gang in a pool where jobs come and go. */
    int MAX_RESERVED_ROUNDS = 100;

    /** The factory to test. */
    MatchingStrategyFactory factory();

    /** The configuration to test with; override it to test others. */
    default Map<String, String> configuration() {
        return Map.of();
    }

    @Test
    default void describesItselfAlwaysTheSame() {
        PolicyDescription description = factory().describe();
        assertThat(factory().describe()).isEqualTo(description);
        assertThat(description.summary()).isNotBlank();
    }

    @Test
    default void isCreatedWithTheDefaultsThatItDescribes() throws InvalidConfigurationException {
        assertThat(factory().create(FixedConfiguration.of(factory().describe(), Map.of()), FixedContext.of("check")))
                .isNotNull();
    }

    @Test
    default void conservesCapacityPlacesGangsCompletelyAndRespectsPrecedence() throws InvalidConfigurationException {
        for (int seed = 0; seed < SEQUENCES; seed++) {
            Random random = new Random(seed);
            ArrayWorkersView workers = RandomInputs.workers(random);
            ArrayAdmittedView admitted = RandomInputs.admitted(random, workers);
            PlacementRules.check(workers, admitted, place(workers, admitted));
        }
    }

    @Test
    default void decidesTheSameForTheSameInput() throws InvalidConfigurationException {
        for (int seed = 0; seed < SEQUENCES; seed++) {
            ArrayWorkersView workers = RandomInputs.workers(new Random(seed));
            ArrayAdmittedView admitted = RandomInputs.admitted(new Random(~seed), workers);
            assertThat(place(workers, admitted))
                    .hasToString(place(workers.copy(), admitted).toString());
        }
    }

    @Test
    default void knowsTheSameAfterDeltasAsAfterOpeningAgain() throws InvalidConfigurationException {
        for (int seed = 0; seed < SEQUENCES; seed++) {
            Random random = new Random(seed);
            ArrayWorkersView workers = RandomInputs.workers(random);
            try (PlacementSession session = create().openPlacement(workers)) {
                for (int step = 0; step < 8; step++) {
                    session.delta(RandomInputs.change(random, workers));
                    ArrayAdmittedView admitted = RandomInputs.admitted(random, workers);
                    RecordedPlacement plan = new RecordedPlacement(workers);
                    session.place(admitted, plan);
                    PlacementRules.check(workers, admitted, plan);
                    assertThat(plan)
                            .as("seed %s step %s", seed, step)
                            .hasToString(place(workers, admitted).toString());
                    if (random.nextBoolean()) {
                        session.delta(RandomInputs.commit(workers, admitted, plan));
                    }
                }
            }
        }
    }

    /** Profiles are requested again after few and after many changes, as on a cluster that never rests. */
    @Test
    default void knowsTheSameInALargePoolThatKeepsChanging() throws InvalidConfigurationException {
        for (int seed = 0; seed < LARGE_SEQUENCES; seed++) {
            Random random = new Random(seed);
            ArrayWorkersView workers = RandomInputs.largePool(random);
            try (PlacementSession session = create().openPlacement(workers)) {
                for (int step = 0; step < 25; step++) {
                    for (int times = step % 10 == 9 ? 200 : 1; times > 0; times--) {
                        session.delta(RandomInputs.manyChanges(random, workers));
                    }
                    ArrayAdmittedView admitted = RandomInputs.largeDemands(random, workers);
                    RecordedPlacement plan = new RecordedPlacement(workers);
                    session.place(admitted, plan);
                    assertThat(plan.toString())
                            .as("seed %s step %s", seed, step)
                            .isEqualTo(place(workers, admitted).toString());
                    if (random.nextInt(3) > 0) {
                        session.delta(RandomInputs.commit(workers, admitted, plan));
                    }
                }
            }
        }
    }

    @Test
    default void placesNothingOnAnEmptyPool() throws InvalidConfigurationException {
        ArrayWorkersView workers = new ArrayWorkersView();
        ArrayAdmittedView admitted = new ArrayAdmittedView(workers).add("a", ResourceProfile.of(1, 1), 1, 0);
        assertThat(place(workers, admitted).runs()).isEmpty();
        assertThat(place(workers, new ArrayAdmittedView(workers)).runs()).isEmpty();
    }

    @Test
    default void opensNewWorkersOnlyAfterExistingOnes() throws InvalidConfigurationException {
        ResourceProfile size = ResourceProfile.of(4_000, 4_000);
        ResourceProfile slot = ResourceProfile.of(1_000, 1_000);
        ArrayWorkersView workers =
                new ArrayWorkersView().worker(size).pendingWorker(size).spec(size, 10);
        RecordedPlacement plan = place(workers, new ArrayAdmittedView(workers).add("a", slot, 8, 0));
        assertThat(plan.opened()).isEmpty();
        plan = place(workers, new ArrayAdmittedView(workers).add("a", slot, 9, 0));
        assertThat(plan.opened()).hasSize(1);
        assertThat(plan.placed(0)).isEqualTo(9);
    }

    @Test
    default void placesTheDefaultSlotOfEachWorkerForAnUnknownProfile() throws InvalidConfigurationException {
        ArrayWorkersView workers = new ArrayWorkersView()
                .worker(ResourceProfile.of(4_000, 4_000))
                .worker(ResourceProfile.of(8_000, 8_000));
        RecordedPlacement plan = place(workers, new ArrayAdmittedView(workers).add("a", ResourceProfile.UNKNOWN, 9));
        assertThat(plan.on(0)).isEqualTo(4);
        assertThat(plan.on(1)).isEqualTo(4);
    }

    @Test
    default void countsExtendedResources() throws InvalidConfigurationException {
        ResourceProfile gpu = new ResourceProfile(1_000, 1_000, 0, 0, new TreeMap<>(Map.of("gpu", 1L)));
        ResourceProfile two = new ResourceProfile(9_000, 9_000, 0, 0, new TreeMap<>(Map.of("gpu", 2L)));
        ArrayWorkersView workers =
                new ArrayWorkersView().worker(ResourceProfile.of(9_000, 9_000)).worker(two);
        RecordedPlacement plan = place(workers, new ArrayAdmittedView(workers).add("a", gpu, 3));
        assertThat(plan.on(0)).isZero();
        assertThat(plan.on(1)).isEqualTo(2);
        assertThat(plan.reasons()).containsKey(0);
    }

    @Test
    default void placesOnlyWhereConstraintsAllow() throws InvalidConfigurationException {
        ResourceProfile size = ResourceProfile.of(4_000, 4_000);
        ResourceProfile slot = ResourceProfile.of(1_000, 1_000);
        ArrayWorkersView workers = new ArrayWorkersView()
                .worker(size)
                .worker(size)
                .worker(size)
                .spec(size, 5)
                .label(1, "zone", "a")
                .label(2, "zone", "a")
                .taint(2, "dedicated", "yes");
        RecordedPlacement plan = place(
                workers,
                new ArrayAdmittedView(workers)
                        .add("a", slot, 6)
                        .requiring("zone", "a")
                        .add("b", slot, 6)
                        .requiring("zone", "a")
                        .tolerating("dedicated"));
        assertThat(plan.on(0)).isZero();
        assertThat(plan.on(1)).isEqualTo(4);
        assertThat(plan.on(2)).isEqualTo(4);
        assertThat(plan.placed(0)).isEqualTo(4);
        assertThat(plan.opened()).isEmpty();
        assertThat(plan.reasons()).containsKeys(0, 1);
    }

    @Test
    default void learnsByADeltaThatAWorkerHasOtherLabels() throws InvalidConfigurationException {
        ResourceProfile size = ResourceProfile.of(4_000, 4_000);
        ArrayWorkersView workers = new ArrayWorkersView().worker(size);
        ArrayAdmittedView admitted = new ArrayAdmittedView(workers)
                .add("a", ResourceProfile.of(1_000, 1_000), 1)
                .requiring("zone", "a");
        try (PlacementSession session = create().openPlacement(workers)) {
            RecordedPlacement before = new RecordedPlacement(workers);
            session.place(admitted, before);
            assertThat(before.placed(0)).isZero();
            workers.label(0, "zone", "a");
            session.delta(new int[] {0});
            RecordedPlacement after = new RecordedPlacement(workers);
            session.place(admitted, after);
            assertThat(after.placed(0)).isEqualTo(1);
            workers.taint(0, "dedicated", "yes");
            session.delta(new int[] {0});
            RecordedPlacement tainted = new RecordedPlacement(workers);
            session.place(admitted, tainted);
            assertThat(tainted.placed(0)).isZero();
        }
    }

    /** Jobs return what the strategy asks for and want it again: it must be content at some time. */
    @Test
    default void asksForSlotsOnlyForALimitedTime() throws InvalidConfigurationException {
        if (!create().usesAllocations()) {
            return;
        }
        for (int seed = 0; seed < SEQUENCES; seed++) {
            PoolRounds.GiveBacks pool = new PoolRounds.GiveBacks(new Random(seed));
            try (PlacementSession session = create().openPlacement(pool.workers())) {
                assertThat(pool.busyRounds(session, MAX_GIVE_BACK_ROUNDS))
                        .as("decisions of seed %s in which it asks for slots", seed)
                        .isLessThan(MAX_GIVE_BACK_ROUNDS);
            }
        }
    }

    /**
     * Room that is reserved for a gang is missing to all others. So the gang starts soon, or the strategy gives up: for
     * example, one that is larger than the pool never starts.
     */
    @Test
    default void reservesRoomOnlyForALimitedTime() throws InvalidConfigurationException {
        for (int seed = 0; seed < SEQUENCES / 10; seed++) {
            PoolRounds.Reservations pool = new PoolRounds.Reservations(new Random(seed));
            try (PlacementSession session = create().openPlacement(pool.workers())) {
                assertThat(pool.longestReservation(session, 3 * MAX_RESERVED_ROUNDS))
                        .as("decisions in a row of seed %s in which it reserves room for one gang", seed)
                        .isLessThan(MAX_RESERVED_ROUNDS);
            }
        }
    }

    /** Each review is a decision: a strategy that always wants the next one soon costs as much as a storm of changes. */
    @Test
    default void asksToBeCalledAgainOnlyNowAndThen() throws InvalidConfigurationException {
        for (int seed = 0; seed < SEQUENCES / 10; seed++) {
            Random random = new Random(seed);
            ArrayWorkersView workers = RandomInputs.workers(random);
            ArrayAdmittedView admitted = RandomInputs.admitted(random, workers);
            try (PlacementSession session = create().openPlacement(workers)) {
                RecordedReview.checkPace("placement of seed " + seed, now -> {
                    workers.now(now).wallTime(now);
                    RecordedPlacement plan = new RecordedPlacement(workers);
                    session.place(admitted, plan);
                    return plan.reviewMillis();
                });
            }
        }
    }

    @Test
    default void assignsASlotOnlyToARequirementWithTheSameConstraints() throws InvalidConfigurationException {
        ResourceProfile slot = ResourceProfile.of(1_000, 1_000);
        ArrayAssignmentView input = new ArrayAssignmentView(false)
                .requirement(slot, 1, 0)
                .requirement(slot, 1, 1)
                .requirement(slot, 1)
                .slot(slot, "w1", -1)
                .slot(slot, "w2", -1, 1)
                .slot(slot, "w3", -1, 1);
        assign(input);
        assertThat(input.violation()).isEmpty();
        assertThat(input.assigned(0)).isZero();
        assertThat(input.assigned(1)).isEqualTo(1);
        assertThat(input.answer().get(0)).isEqualTo(2);
    }

    @Test
    default void assignsEachSlotToWhatItWasAllocatedFor() throws InvalidConfigurationException {
        ResourceProfile slot = ResourceProfile.of(1_000, 1_000);
        ArrayAssignmentView input = new ArrayAssignmentView(false)
                .requirement(slot, 1)
                .requirement(slot, 1)
                .slot(slot, "w1", 1)
                .slot(slot, "w2", 0);
        assign(input);
        assertThat(input.answer()).isEqualTo(List.of(1, 0));
    }

    @Test
    default void assignsAsManySlotsAsCanServeInAnyOrder() throws InvalidConfigurationException {
        ResourceProfile small = ResourceProfile.of(1_000, 1_000);
        ResourceProfile large = ResourceProfile.of(2_000, 2_000);
        for (boolean largeFirst : new boolean[] {true, false}) {
            for (boolean strictFirst : new boolean[] {true, false}) {
                ArrayAssignmentView input = new ArrayAssignmentView(true)
                        .requirement(strictFirst ? large : small, 1)
                        .requirement(strictFirst ? small : large, 1)
                        .slot(largeFirst ? large : small, "w1", -1)
                        .slot(largeFirst ? small : large, "w2", -1);
                assign(input);
                assertThat(input.violation()).isEmpty();
                assertThat(input.answer()).doesNotContain(-1);
            }
        }
    }

    @Test
    default void assignsWithinTheRulesForRandomInputs() throws InvalidConfigurationException {
        for (int seed = 0; seed < SEQUENCES; seed++) {
            Random random = new Random(seed);
            ArrayAssignmentView input = RandomInputs.assignment(random);
            assign(input);
            assertThat(input.violation()).as("seed %s", seed).isEmpty();
            int assigned = (int) input.answer().stream().filter(one -> one >= 0).count();
            assertThat(assigned).as("seed %s", seed).isEqualTo(RandomInputs.mostAssignable(input));
        }
    }

    private MatchingStrategy create() throws InvalidConfigurationException {
        return factory()
                .create(FixedConfiguration.of(factory().describe(), configuration()), FixedContext.of("pool default"));
    }

    private RecordedPlacement place(ArrayWorkersView workers, ArrayAdmittedView admitted)
            throws InvalidConfigurationException {
        try (PlacementSession session = create().openPlacement(workers)) {
            RecordedPlacement plan = new RecordedPlacement(workers);
            session.place(admitted, plan);
            return plan;
        }
    }

    private void assign(ArrayAssignmentView input) throws InvalidConfigurationException {
        try (AssignmentSession session = create().openAssignment()) {
            session.assign(input, input);
        }
    }
}
