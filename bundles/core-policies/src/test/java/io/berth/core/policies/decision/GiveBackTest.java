package io.berth.core.policies.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.job.PlacementConstraints;
import io.berth.core.api.job.SchedulingAttributes;
import io.berth.core.api.policy.PlacementPlanner;
import io.berth.core.api.policy.PlanOutcome;
import io.berth.core.api.policy.PlanOutcome.GiveBack;
import io.berth.core.api.policy.PlanningInput;
import io.berth.core.api.policy.PlanningInput.GroupDemand;
import io.berth.core.api.policy.PlanningInput.SlotChanges.Listing;
import io.berth.core.api.policy.PlanningInput.UnitChange;
import io.berth.core.api.policy.PlanningInput.UnitDemand;
import io.berth.core.policies.Bench;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.spi.PolicyKind;
import io.berth.spi.WorkerId;
import io.berth.spi.matching.AllocationsView;
import io.berth.spi.matching.PlacementBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A matching strategy looks at the slots that jobs have, and proposes that some are returned. */
class GiveBackTest {

    private final Bench bench = new Bench();
    private final List<String> seen = new ArrayList<>();
    private BiConsumer<AllocationsView, PlacementBuilder> proposes = (allocations, plan) -> {};
    private PlacementPlanner planner;

    @BeforeEach
    void begin() {
        bench.fifo();
        bench.add(
                PolicyKind.MATCHING, "mover", 100, Bench.placingWithAllocations("mover", (workers, admitted, plan) -> {
                    Bench.LEAVES_OUT.place(workers, admitted, plan);
                    AllocationsView allocations = admitted.allocations();
                    seen.add(look(allocations));
                    proposes.accept(allocations, plan);
                }));
        bench.awaitState("mover", "deciding", "ready");
        planner = bench.planner();
    }

    @AfterEach
    void end() {
        planner.close();
        bench.close();
    }

    private static String look(AllocationsView allocations) {
        List<String> slots = new ArrayList<>();
        for (int slot = 0; slot < allocations.limit(); slot++) {
            if (allocations.present(slot)) {
                slots.add(allocations.id(slot).number() + ": " + allocations.job(slot) + " " + allocations.unit(slot)
                        + " " + allocations.group(slot) + " on " + allocations.worker(slot) + " since "
                        + allocations.since(slot) + " takes " + allocations.amount(slot, 0) + ", above "
                        + allocations.aboveMinimum(slot) + (allocations.returnable(slot) ? "" : ", paused")
                        + (allocations.lastRescaleMillis(slot).isEmpty()
                                ? ""
                                : ", rescaled in "
                                        + allocations.lastRescaleMillis(slot).getAsLong()));
            }
        }
        return String.join("; ", slots);
    }

    /** A worker of four slots, of which job a has three. It requires two of them and has all that it desires. */
    private Bench.Input satisfied() {
        return bench.input()
                .worker(0, Bench.SLOT)
                .unit(0, "a", 2, 3, 3)
                .slots(Listing.ALL)
                .slot(1, "a", 0, 10)
                .slot(2, "a", 0, 20)
                .slot(3, "a", 0, 20);
    }

    private PlanOutcome.Planned plan(PlanningInput input) throws Exception {
        return Bench.planned(planner, input);
    }

    @Test
    void theStrategyIsAskedAlthoughNothingLacks() throws Exception {
        PlanOutcome.Planned planned = plan(satisfied().build());
        assertThat(seen)
                .containsExactly("1: a all default on 0 since 10 takes 1000, above 1;"
                        + " 2: a all default on 0 since 20 takes 1000, above 1;"
                        + " 3: a all default on 0 since 20 takes 1000, above 1");
        assertThat(planned.decision()).as("nothing was decided").isZero();
    }

    @Test
    void theOwnerListsSlotsOnlyForAStrategyThatUsesThem() throws Exception {
        plan(satisfied().build());
        assertThat(planner.usesSlots()).isTrue();
        bench.add(PolicyKind.MATCHING, "other", 1_000, Bench.placing("other", Bench.LEAVES_OUT));
        bench.awaitState("other", "deciding");
        seen.clear();
        plan(bench.input().build());
        assertThat(planner.usesSlots()).isFalse();
        assertThat(seen).isEmpty();
    }

    @Test
    void aProposalIsPartOfTheDecision() throws Exception {
        proposes = (allocations, plan) -> plan.giveBack(1, "it stands in the way");
        PlanOutcome.Planned planned = plan(satisfied().build());
        assertThat(planned.returns().giveBacks())
                .containsExactly(new GiveBack(new AllocationId(1, 2), "it stands in the way"));
        assertThat(planned.decision()).isPositive();
        assertThat(bench.platform.decision(planned.decision()).orElseThrow().results())
                .containsExactly("w0: job a is asked to return slot " + new AllocationId(1, 2)
                        + " of group default: it stands in the way");
    }

    @Test
    void slotsThatChangedReplaceWhatWasKnown() throws Exception {
        plan(satisfied().build());
        seen.clear();
        plan(bench.input()
                .unit(0, "a", 2, 3, 3)
                .slots(Listing.CHANGED)
                .noSlot(1)
                .slot(9, "a", 7, 30)
                .build());
        assertThat(seen)
                .containsExactly("9: a all default on 7 since 30 takes 1000, above 1;"
                        + " 2: a all default on 0 since 20 takes 1000, above 1;"
                        + " 3: a all default on 0 since 20 takes 1000, above 1");
        seen.clear();
        plan(bench.input().slots(Listing.ALL).slot(4, "a", 0, 40).build());
        assertThat(seen).containsExactly("4: a all default on 0 since 40 takes 1000, above 1");
    }

    @Test
    void aProposalMayNotTakeAGroupBelowItsMinimum() throws Exception {
        proposes = (allocations, plan) -> {
            plan.giveBack(0, "first");
            plan.giveBack(2, "second");
        };
        assertThat(Bench.plan(planner, satisfied().build()))
                .isInstanceOfSatisfying(
                        PlanOutcome.NotDecided.class,
                        not -> assertThat(not.reason())
                                .contains("gives back 2 slots of group default of job a, which has 1 above its"
                                        + " minimum"));
    }

    @Test
    void aGroupThatLacksItsMinimumMayReturnAllThatItHas() throws Exception {
        proposes = (allocations, plan) -> {
            for (int slot = 0; slot < allocations.limit(); slot++) {
                plan.giveBack(slot, "it cannot run");
            }
        };
        PlanOutcome.Planned planned = plan(satisfied().unit(0, "a", 9, 9, 3).build());
        assertThat(planned.returns().giveBacks()).hasSize(3);
    }

    @Test
    void aSlotThatIsNotThereOrNamedTwiceIsAFailure() throws Exception {
        proposes = (allocations, plan) -> plan.giveBack(3, "none");
        assertThat(reasonOf(satisfied())).contains("gives back allocation 3, which is not there");
        proposes = (allocations, plan) -> {
            plan.giveBack(0, "once");
            plan.giveBack(0, "again");
        };
        assertThat(reasonOf(satisfied())).contains("gives back allocation " + new AllocationId(1, 1) + " twice");
    }

    @Test
    void aProposalWithoutAReasonIsAFailure() throws Exception {
        for (String blank : new String[] {"", " \n", null}) {
            proposes = (allocations, plan) -> plan.giveBack(0, blank);
            assertThat(reasonOf(satisfied()))
                    .contains("gives back allocation " + new AllocationId(1, 1) + " of job a and gives no reason:"
                            + " a line of text that is not blank is required");
        }
    }

    private String reasonOf(Bench.Input input) throws Exception {
        return ((PlanOutcome.NotDecided) Bench.plan(planner, input.build())).reason();
    }

    @Test
    void aJobThatMayNotBeAskedNowIsLeftAlone() throws Exception {
        proposes = (allocations, plan) -> plan.giveBack(0, "now");
        UnitDemand paused = new UnitDemand(
                new JobId("a"),
                "all",
                0,
                SchedulingAttributes.DEFAULT,
                List.of(new GroupDemand("default", Bench.SLOT, 2, 3, 3)),
                false,
                OptionalLong.empty());
        PlanOutcome.Planned planned = plan(satisfiedBy(paused));
        assertThat(planned.returns().giveBacks()).isEmpty();
        assertThat(seen.get(0)).contains("above 1, paused");
    }

    private PlanningInput satisfiedBy(UnitDemand unit) {
        PlanningInput input = satisfied().build();
        return new PlanningInput(
                input.stateNumber(),
                input.workers(),
                List.of(new UnitChange(0, Optional.of(unit))),
                input.specs(),
                input.slots());
    }

    @Test
    void theStrategySeesWhatTheLastRescaleCostTheJob() throws Exception {
        UnitDemand rescaled = new UnitDemand(
                new JobId("a"),
                "all",
                0,
                SchedulingAttributes.DEFAULT,
                List.of(new GroupDemand("default", Bench.SLOT, 2, 3, 3)),
                true,
                OptionalLong.of(7_000));
        plan(satisfiedBy(rescaled));
        assertThat(seen.get(0).split(";"))
                .hasSize(3)
                .allSatisfy(slot -> assertThat(slot).endsWith("above 1, rescaled in 7000"));
        plan(bench.input().unit(0, "a", 2, 3, 3).slots(Listing.CHANGED).build());
        assertThat(seen.get(1))
                .as("another JobMaster does not know it")
                .contains("above 1")
                .doesNotContain("rescaled");
    }

    @Test
    void theFirstSixtyFourCount() throws Exception {
        proposes = (allocations, plan) -> {
            for (int slot = 0; slot < allocations.limit(); slot++) {
                plan.giveBack(slot, "all of them");
            }
        };
        Bench.Input input =
                bench.input().worker(0, Bench.SLOT).unit(0, "a", 0, 100, 100).slots(Listing.ALL);
        for (int slot = 0; slot < 100; slot++) {
            input.slot(slot + 1, "a", 0, slot);
        }
        assertThat(plan(input.build()).returns().giveBacks())
                .hasSize(64)
                .last()
                .isEqualTo(new GiveBack(new AllocationId(1, 64), "all of them"));
    }

    @Test
    void slotsOfAUnitThatIsGoneAreNotReturnable() throws Exception {
        plan(satisfied().build());
        seen.clear();
        plan(new PlanningInput(
                1_000,
                List.of(),
                List.of(new UnitChange(0, Optional.empty())),
                List.of(),
                satisfied().build().slots()));
        assertThat(seen.get(0)).contains("takes 1000, above 0, paused");
    }

    @Test
    void aStrategySeesWhereAGroupHadSlotsBefore() throws Exception {
        List<Boolean> ran = new ArrayList<>();
        bench.add(PolicyKind.MATCHING, "local", 1_000, Bench.placing("local", (workers, admitted, plan) -> {
            Bench.LEAVES_OUT.place(workers, admitted, plan);
            for (int worker = 0; worker < 2; worker++) {
                ran.add(admitted.ranOn(0, worker));
            }
        }));
        bench.awaitState("local", "deciding");
        plan(bench.input()
                .worker(0, Bench.SLOT)
                .worker(1, Bench.SLOT)
                .unit(
                        0,
                        "a",
                        new GroupDemand(
                                "default",
                                Bench.SLOT,
                                1,
                                1,
                                0,
                                PlacementConstraints.NONE,
                                Set.of(new WorkerId("w1"), new WorkerId("gone"))))
                .build());
        assertThat(ran).containsExactly(false, true);
    }
}
