package io.berth.testkit;

import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.ResourceProfile;
import io.berth.spi.matching.AssignmentSession;
import io.berth.spi.matching.MatchingStrategy;
import io.berth.spi.matching.MatchingStrategyFactory;
import io.berth.spi.matching.PlacementSession;
import io.berth.testkit.rules.BrokenRule;
import io.berth.testkit.rules.Expect;
import io.berth.testkit.rules.ReviewPace;
import io.berth.testkit.rules.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

    /** The seeds of random inputs; override it to test others. */
    default Seeds seeds() {
        return new Seeds(0, SEQUENCES);
    }

    @Test
    default void describesItselfAlwaysTheSame() {
        Expect.same("the second description", factory().describe(), factory().describe());
        Expect.that(!factory().describe().summary().isBlank(), "the summary of the description is blank");
    }

    @Test
    default void isCreatedWithTheDefaultsThatItDescribes() throws InvalidConfigurationException {
        Expect.that(
                Optional.ofNullable(factory()
                                .create(
                                        FixedConfiguration.of(factory().describe(), Map.of()),
                                        FixedContext.of("check")))
                        .isPresent(),
                "creates nothing with the defaults that it describes");
    }

    @Test
    default void conservesCapacityPlacesGangsCompletelyAndRespectsPrecedence() throws InvalidConfigurationException {
        seeds().each(seed -> {
            Random random = Seeds.random(seed);
            ArrayWorkersView workers = RandomInputs.workers(random);
            ArrayAdmittedView admitted = RandomInputs.admitted(random, workers);
            PlacementRules.check(workers, admitted, place(workers, admitted));
        });
    }

    @Test
    default void decidesTheSameForTheSameInput() throws InvalidConfigurationException {
        seeds().each(seed -> {
            ArrayWorkersView workers = RandomInputs.workers(Seeds.random(seed));
            ArrayAdmittedView admitted = RandomInputs.admitted(Seeds.random(~seed), workers);
            same("the second plan for the same input", place(workers.copy(), admitted), place(workers, admitted));
        });
    }

    @Test
    default void knowsTheSameAfterDeltasAsAfterOpeningAgain() throws InvalidConfigurationException {
        seeds().each(seed -> {
            Random random = Seeds.random(seed);
            ArrayWorkersView workers = RandomInputs.workers(random);
            List<RecordedPlacement> earlier = new ArrayList<>();
            try (PlacementSession session = create().openPlacement(workers)) {
                for (int step = 0; step < 8; step++) {
                    session.delta(RandomInputs.change(random, workers));
                    ArrayAdmittedView admitted = RandomInputs.admitted(random, workers);
                    RecordedPlacement plan = new RecordedPlacement(workers);
                    session.place(admitted, plan);
                    plan.end();
                    earlier.add(plan);
                    PlacementRules.check(workers, admitted, plan);
                    same(followed(step), plan, place(workers, admitted));
                    if (random.nextBoolean()) {
                        session.delta(RandomInputs.commit(workers, admitted, plan));
                    }
                }
            }
            earlier.forEach(PlacementRules::checkUse);
        });
    }

    /** Profiles are requested again after few and after many changes, as on a cluster that never rests. */
    @Test
    default void knowsTheSameInALargePoolThatKeepsChanging() throws InvalidConfigurationException {
        seeds().oneIn(50).each(seed -> {
            Random random = Seeds.random(seed);
            ArrayWorkersView workers = RandomInputs.largePool(random);
            List<RecordedPlacement> earlier = new ArrayList<>();
            try (PlacementSession session = create().openPlacement(workers)) {
                for (int step = 0; step < 25; step++) {
                    for (int times = step % 10 == 9 ? 200 : 1; times > 0; times--) {
                        session.delta(RandomInputs.manyChanges(random, workers));
                    }
                    ArrayAdmittedView admitted = RandomInputs.largeDemands(random, workers);
                    RecordedPlacement plan = new RecordedPlacement(workers);
                    session.place(admitted, plan);
                    plan.end();
                    earlier.add(plan);
                    same(followed(step), plan, place(workers, admitted));
                    if (random.nextInt(3) > 0) {
                        session.delta(RandomInputs.commit(workers, admitted, plan));
                    }
                }
            }
            earlier.forEach(PlacementRules::checkUse);
        });
    }

    @Test
    default void placesNothingOnAnEmptyPool() throws InvalidConfigurationException {
        ArrayWorkersView workers = new ArrayWorkersView();
        ArrayAdmittedView admitted = new ArrayAdmittedView(workers).add("a", ResourceProfile.of(1, 1), 1, 0);
        String what = "what is placed on a pool without workers";
        Expect.same(what, place(workers, admitted).runs(), List.of());
        Expect.same(what, place(workers, new ArrayAdmittedView(workers)).runs(), List.of());
    }

    @Test
    default void opensNewWorkersOnlyAfterExistingOnes() throws InvalidConfigurationException {
        ResourceProfile size = ResourceProfile.of(4_000, 4_000);
        ResourceProfile slot = ResourceProfile.of(1_000, 1_000);
        ArrayWorkersView workers =
                new ArrayWorkersView().worker(size).pendingWorker(size).spec(size, 10);
        RecordedPlacement plan = place(workers, new ArrayAdmittedView(workers).add("a", slot, 8, 0));
        Expect.same("new workers for 8 slots that fit the existing ones", plan.opened(), List.of());
        plan = place(workers, new ArrayAdmittedView(workers).add("a", slot, 9, 0));
        Expect.same(
                "the number of new workers for 9 slots, of which 8 fit the existing ones",
                plan.opened().size(),
                1);
        Expect.same("slots placed of 9", plan.placed(0), 9);
    }

    @Test
    default void placesTheDefaultSlotOfEachWorkerForAnUnknownProfile() throws InvalidConfigurationException {
        ArrayWorkersView workers = new ArrayWorkersView()
                .worker(ResourceProfile.of(4_000, 4_000))
                .worker(ResourceProfile.of(8_000, 8_000));
        RecordedPlacement plan = place(workers, new ArrayAdmittedView(workers).add("a", ResourceProfile.UNKNOWN, 9));
        Expect.same("default slots of the first worker, of 4", plan.on(0), 4);
        Expect.same("default slots of the second worker, of 4", plan.on(1), 4);
    }

    @Test
    default void countsExtendedResources() throws InvalidConfigurationException {
        ResourceProfile gpu = new ResourceProfile(1_000, 1_000, 0, 0, new TreeMap<>(Map.of("gpu", 1L)));
        ResourceProfile two = new ResourceProfile(9_000, 9_000, 0, 0, new TreeMap<>(Map.of("gpu", 2L)));
        ArrayWorkersView workers =
                new ArrayWorkersView().worker(ResourceProfile.of(9_000, 9_000)).worker(two);
        RecordedPlacement plan = place(workers, new ArrayAdmittedView(workers).add("a", gpu, 3));
        Expect.same("slots with a gpu on the worker without gpus", plan.on(0), 0);
        Expect.same("slots with a gpu on the worker with two", plan.on(1), 2);
        Expect.that(plan.reasons().containsKey(0), "gives no reason why the third slot with a gpu is not placed");
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
        Expect.same("slots that require zone=a on the worker without that label", plan.on(0), 0);
        Expect.same("slots on the worker of zone a", plan.on(1), 4);
        Expect.same("slots on the worker of zone a with a taint", plan.on(2), 4);
        Expect.same("placed slots of the job that does not tolerate the taint", plan.placed(0), 4);
        Expect.same("new workers of a spec without the label", plan.opened(), List.of());
        Expect.that(
                plan.reasons().keySet().containsAll(List.of(0, 1)),
                "gives no reason for the slots that are not placed, only for entries %s",
                plan.reasons().keySet());
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
            Expect.same("slots on a worker without the required label", before.placed(0), 0);
            workers.label(0, "zone", "a");
            session.delta(new int[] {0});
            RecordedPlacement after = new RecordedPlacement(workers);
            session.place(admitted, after);
            Expect.same("slots after the worker got the label", after.placed(0), 1);
            workers.taint(0, "dedicated", "yes");
            session.delta(new int[] {0});
            RecordedPlacement tainted = new RecordedPlacement(workers);
            session.place(admitted, tainted);
            Expect.same("slots after the worker got a taint", tainted.placed(0), 0);
        }
    }

    /** Jobs return what the strategy asks for and want it again: it must be content at some time. */
    @Test
    default void asksForSlotsOnlyForALimitedTime() throws InvalidConfigurationException {
        if (!create().usesAllocations()) {
            return;
        }
        seeds().each(seed -> {
            PoolRounds.GiveBacks pool = new PoolRounds.GiveBacks(Seeds.random(seed));
            try (PlacementSession session = create().openPlacement(pool.workers())) {
                int rounds = pool.busyRounds(session, MAX_GIVE_BACK_ROUNDS);
                Expect.that(
                        rounds < MAX_GIVE_BACK_ROUNDS,
                        "decisions in which it asks for slots: %s in a pool in which nothing else happens",
                        rounds);
            }
        });
    }

    /**
     * Room that is reserved for a gang is missing to all others. So the gang starts soon, or the strategy gives up: for
     * example, one that is larger than the pool never starts.
     */
    @Test
    default void reservesRoomOnlyForALimitedTime() throws InvalidConfigurationException {
        seeds().oneIn(10).each(seed -> {
            PoolRounds.Reservations pool = new PoolRounds.Reservations(Seeds.random(seed));
            try (PlacementSession session = create().openPlacement(pool.workers())) {
                int rounds = pool.longestReservation(session, 3 * MAX_RESERVED_ROUNDS);
                Expect.that(
                        rounds < MAX_RESERVED_ROUNDS,
                        "decisions in a row in which it reserves room for one gang: %s",
                        rounds);
            }
        });
    }

    /** Each review is a decision: a strategy that always wants the next one soon costs as much as a storm of changes. */
    @Test
    default void asksToBeCalledAgainOnlyNowAndThen() throws InvalidConfigurationException {
        seeds().oneIn(10).each(seed -> {
            Random random = Seeds.random(seed);
            ArrayWorkersView workers = RandomInputs.workers(random);
            ArrayAdmittedView admitted = RandomInputs.admitted(random, workers);
            try (PlacementSession session = create().openPlacement(workers)) {
                ReviewPace.check(now -> {
                    workers.now(now).wallTime(now);
                    RecordedPlacement plan = new RecordedPlacement(workers);
                    session.place(admitted, plan);
                    PlacementRules.checkUse(plan);
                    return plan.reviewMillis();
                });
            }
        });
    }

    /** As {@link #asksToBeCalledAgainOnlyNowAndThen}, of assignments. */
    @Test
    default void asksToBeCalledAgainOnlyNowAndThenForAssignments() throws InvalidConfigurationException {
        seeds().oneIn(10).each(seed -> {
            try (AssignmentSession session = create().openAssignment()) {
                ReviewPace.check(now -> {
                    ArrayAssignmentView input = RandomInputs.assignment(Seeds.random(seed));
                    assign(session, input.now(now).wallTime(now));
                    return input.reviewMillis();
                });
            }
        });
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
        Expect.same("slots for the requirement whose constraints no slot has", input.assigned(0), 0);
        Expect.same("slots for the requirement with the constraints of two slots", input.assigned(1), 1);
        Expect.same(
                "the requirement of the slot without constraints",
                input.answer().get(0),
                2);
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
        Expect.same("the requirements of the slots that were allocated for 1 and 0", input.answer(), List.of(1, 0));
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
                Expect.that(!input.answer().contains(-1), "leaves a slot that could serve: %s", input.answer());
            }
        }
    }

    @Test
    default void assignsWithinTheRulesForRandomInputs() throws InvalidConfigurationException {
        seeds().each(seed -> {
            Random random = Seeds.random(seed);
            ArrayAssignmentView input = RandomInputs.assignment(random);
            assign(input);
            int assigned = (int) input.answer().stream().filter(one -> one >= 0).count();
            Expect.same("assigned slots, of those that can serve", assigned, RandomInputs.mostAssignable(input));
        });
    }

    private static String followed(int step) {
        return "the plan of a session that followed the changes, in step " + step + ", where a new session decides";
    }

    private static void same(String what, RecordedPlacement found, RecordedPlacement expected) {
        Expect.same(what, found.toString(), expected.toString());
    }

    private MatchingStrategy create() throws InvalidConfigurationException {
        return factory()
                .create(FixedConfiguration.of(factory().describe(), configuration()), FixedContext.of("pool default"));
    }

    private RecordedPlacement place(ArrayWorkersView workers, ArrayAdmittedView admitted)
            throws InvalidConfigurationException {
        RecordedPlacement plan = new RecordedPlacement(workers);
        try (PlacementSession session = create().openPlacement(workers)) {
            session.place(admitted, plan);
            plan.end();
        }
        PlacementRules.checkUse(plan);
        return plan;
    }

    private void assign(ArrayAssignmentView input) throws InvalidConfigurationException {
        try (AssignmentSession session = create().openAssignment()) {
            assign(session, input);
        }
    }

    private static void assign(AssignmentSession session, ArrayAssignmentView input) {
        session.assign(input, input);
        input.end();
        input.violation().ifPresent(violation -> {
            throw new BrokenRule("the rule of assignment that it breaks: " + violation);
        });
    }
}
