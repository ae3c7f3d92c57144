package io.berth.core.resources.planning;

import static io.berth.core.resources.TestCluster.SLOT;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.job.LabelChange;
import io.berth.core.api.policy.PlanOutcome.GiveBack;
import io.berth.core.api.policy.PlanOutcome.Reclaim;
import io.berth.core.api.policy.PlanningInput;
import io.berth.core.api.policy.PlanningInput.SlotChange;
import io.berth.core.api.policy.PlanningInput.SlotChanges.Listing;
import io.berth.core.api.policy.PlanningInput.SlotColumn;
import io.berth.core.api.policy.PlanningInput.UnitDemand;
import io.berth.core.api.policy.PoolDefinition;
import io.berth.core.api.policy.PoolDefinition.Limits;
import io.berth.core.api.policy.PoolDefinition.Members;
import io.berth.core.resources.FakeJobMaster;
import io.berth.core.resources.FakeWorker;
import io.berth.core.resources.TestCluster;
import io.berth.spi.AllocationId;
import io.berth.spi.WorkerId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** A policy looks at the slots of jobs and proposes to give some back. */
class ReturnRequestsTest {

    private static final long PAUSE = 30_000;

    private final TestCluster cluster = new TestCluster();
    private final FakeWorker worker = cluster.worker("w", SLOT.times(8));

    private FakeJobMaster job(String name, int minimum, int desired) {
        FakeJobMaster job = cluster.job(name, 1);
        cluster.declare(job, minimum, desired);
        cluster.time.advance(100);
        return job;
    }

    private List<AllocationId> slots() {
        return List.copyOf(worker.slots.keySet());
    }

    private void propose(AllocationId... slots) {
        for (AllocationId slot : slots) {
            cluster.planner.giveBacks.add(new GiveBack(slot, "it stands in the way"));
        }
        cluster.policiesChanged();
        cluster.time.advance(100);
    }

    private PlanningInput lastInput() {
        return cluster.planner.inputs.get(cluster.planner.inputs.size() - 1);
    }

    @Test
    void theJobIsAskedWithTheNameOfTheStrategyAndItsReason() {
        FakeJobMaster job = job("a", 1, 3);
        propose(slots().get(0), slots().get(2));
        assertThat(job.proposedBack).containsExactly(slots().get(0), slots().get(2));
        assertThat(job.causes).containsExactly("matching strategy simple: it stands in the way");
    }

    @Test
    void aGroupKeepsItsMinimum() {
        FakeJobMaster job = job("a", 2, 3);
        propose(slots().toArray(AllocationId[]::new));
        assertThat(job.proposedBack).containsExactly(slots().get(0));
    }

    @Test
    void theSlotsThatAJobHadForTheShortestTimeAreReclaimedFirst() {
        FakeJobMaster job = job("a", 1, 2);
        List<AllocationId> early = slots();
        cluster.time.advance(5_000);
        cluster.declare(job, 1, 4);
        cluster.time.advance(5_000);
        List<AllocationId> late = new ArrayList<>(slots());
        late.removeAll(early);
        cluster.planner.reclaims.add(new Reclaim(0, 0, 3, "its share is too large"));
        cluster.policiesChanged();
        cluster.time.advance(100);
        assertThat(job.proposedBack).hasSize(3).startsWith(late.get(1), late.get(0));
        assertThat(job.causes).containsExactly("distribution policy simple: its share is too large");
    }

    @Test
    void slotsOnWorkersOfAnotherPoolAreNotReclaimed() {
        FakeJobMaster job = job("a", 1, 8);
        List<AllocationId> early = slots();
        FakeWorker moves = cluster.worker("moves");
        cluster.declare(job, 1, 10);
        cluster.time.advance(5_000);
        assertThat(moves.slots).hasSize(2);
        cluster.pools(new PoolDefinition(
                "gpu",
                0,
                new Members(new TreeSet<>(), new TreeSet<>(), new TreeMap<>(Map.of("gpu", Optional.empty()))),
                Optional.empty(),
                Limits.NONE,
                true));
        cluster.call(cluster.manager.relabelWorkers(
                "moves", new LabelChange(new TreeMap<>(Map.of("gpu", "yes")), List.of(), new TreeMap<>(), List.of())));
        cluster.planner.reclaims.add(new Reclaim(0, 0, 3, "its share is too large"));
        cluster.policiesChanged();
        cluster.time.advance(100);
        assertThat(job.proposedBack).hasSize(3).isSubsetOf(early);
    }

    @Test
    void reclaimedSlotsLeaveTheMinimumToo() {
        FakeJobMaster job = job("a", 3, 4);
        cluster.planner.reclaims.add(new Reclaim(0, 0, 4, ""));
        propose(slots().get(0));
        assertThat(job.proposedBack).hasSize(1);
    }

    @Test
    void reclaimsForOneGroupAddUp() {
        FakeJobMaster job = job("a", 0, 6);
        cluster.planner.reclaims.add(new Reclaim(0, 0, 1, "one job lacks a slot"));
        cluster.planner.reclaims.add(new Reclaim(0, 0, 2, "another lacks two"));
        propose(slots().get(0));
        assertThat(job.proposedBack).hasSize(4).doesNotHaveDuplicates();
        assertThat(job.causes)
                .containsExactly("matching strategy simple: it stands in the way;"
                        + " distribution policy simple: one job lacks a slot;"
                        + " distribution policy simple: another lacks two");
    }

    @Test
    void aSlotThatIsGoneIsNotAskedFor() {
        FakeJobMaster job = job("a", 1, 3);
        propose(new AllocationId(1, 99));
        assertThat(job.proposedBack).isEmpty();
        assertThat(job.causes).isEmpty();
    }

    @Test
    void aJobIsNotAskedAgainBeforeThePauseIsOver() {
        FakeJobMaster job = job("a", 0, 3);
        propose(slots().get(0));
        assertThat(returnable()).isEqualTo(Optional.of(false));
        propose(slots().get(1));
        assertThat(job.proposedBack).containsExactly(slots().get(0));
        cluster.time.advance(PAUSE);
        assertThat(returnable()).as("the planner learns of it").isEqualTo(Optional.of(true));
        propose(slots().get(1));
        assertThat(job.proposedBack).containsExactly(slots().get(0), slots().get(1));
    }

    /** What the last input that names the unit says; a plan is made for the case that none did yet. */
    private Optional<Boolean> returnable() {
        cluster.policiesChanged();
        cluster.time.advance(100);
        List<Boolean> said = cluster.planner.inputs.stream()
                .flatMap(input -> input.units().stream())
                .flatMap(change -> change.unit().stream())
                .map(UnitDemand::returnable)
                .toList();
        return said.isEmpty() ? Optional.empty() : Optional.of(said.get(said.size() - 1));
    }

    /** How many slots are on their way back, as the last input says that names the unit. */
    private int returning() {
        assertThat(returnable()).isPresent();
        List<UnitDemand> said = cluster.planner.inputs.stream()
                .flatMap(input -> input.units().stream())
                .flatMap(change -> change.unit().stream())
                .toList();
        return said.get(said.size() - 1).groups().get(0).returning();
    }

    @Test
    void thePlannerSeesHowManySlotsAreOnTheirWayBack() {
        FakeJobMaster job = job("a", 0, 4);
        job.returns = slot -> true;
        AllocationId first = slots().get(0);
        assertThat(returning()).isZero();
        propose(first, slots().get(1));
        assertThat(returning()).isEqualTo(2);
        cluster.free(worker, first);
        assertThat(returning()).isEqualTo(1);
        cluster.time.advance(PAUSE);
        assertThat(returning()).as("the pause is over").isZero();
    }

    @Test
    void whatTheJobKeepsIsNotOnItsWay() {
        FakeJobMaster job = job("a", 0, 4);
        AllocationId first = slots().get(0);
        job.returns = first::equals;
        propose(first, slots().get(1), slots().get(2));
        assertThat(job.proposedBack).hasSize(3);
        assertThat(returning()).isEqualTo(1);
        assertThat(returnable()).as("it is not asked again").isEqualTo(Optional.of(false));
    }

    @Test
    void anotherPlanIsMadeWhenTheJobKeepsSlots() {
        FakeJobMaster job = job("a", 0, 4);
        job.returns = slot -> true;
        assertThat(plansAfter(slots().get(0))).isEqualTo(1);
        cluster.time.advance(PAUSE);
        job.returns = slot -> false;
        assertThat(plansAfter(slots().get(1))).isEqualTo(2);
    }

    private int plansAfter(AllocationId proposed) {
        int before = cluster.planner.inputs.size();
        propose(proposed);
        cluster.time.advance(1_000);
        return cluster.planner.inputs.size() - before;
    }

    @Test
    void slotsThatAreAskedForCountUntilTheJobAnswers() {
        FakeJobMaster job = job("a", 0, 4);
        job.mute = true;
        propose(slots().get(0), slots().get(1));
        assertThat(returning()).isEqualTo(2);
    }

    @Test
    void slotsAreListedOnlyForAPlannerThatUsesThem() {
        job("a", 1, 2);
        assertThat(cluster.planner.inputs)
                .allSatisfy(input -> assertThat(input.slots().listing()).isEqualTo(Listing.NONE));
        cluster.planner.usesSlots = true;
        cluster.policiesChanged();
        cluster.time.advance(100);
        assertThat(lastInput().slots().listing()).isEqualTo(Listing.ALL);
        assertThat(columns(lastInput()))
                .extracting(column -> column.job() + " " + column.unit() + " " + column.group())
                .containsExactly("a all default", "a all default");
        cluster.planner.usesSlots = false;
        cluster.policiesChanged();
        cluster.time.advance(100);
        assertThat(lastInput().slots().listing()).isEqualTo(Listing.NONE);
    }

    @Test
    void aStrategyThatBeginsToUseThemIsAskedAgainAtOnce() {
        cluster.planner.held = true;
        FakeJobMaster job = cluster.job("a", 1);
        cluster.declare(job, 1, 1);
        cluster.time.advance(100);
        cluster.planner.usesSlots = true;
        cluster.planner.release();
        cluster.time.advance(100);
        assertThat(lastInput().slots().listing()).isEqualTo(Listing.ALL);
    }

    @Test
    void laterInputsListWhatChanged() {
        cluster.planner.usesSlots = true;
        job("a", 1, 3);
        cluster.time.advance(1_000);
        AllocationId freed = slots().get(1);
        cluster.policiesChanged();
        cluster.time.advance(1_000);
        cluster.planner.inputs.clear();
        cluster.free(worker, freed);
        cluster.time.advance(1_000);
        cluster.policiesChanged();
        cluster.time.advance(1_000);
        List<SlotChange> changes = new ArrayList<>();
        cluster.planner.inputs.forEach(input -> {
            assertThat(input.slots().listing()).isEqualTo(Listing.CHANGED);
            changes.addAll(input.slots().changes());
        });
        assertThat(changes).first().isEqualTo(new SlotChange(freed, Optional.empty()));
        assertThat(changes.stream().flatMap(change -> change.slot().stream()))
                .as("its replacement")
                .hasSize(1)
                .allSatisfy(column -> assertThat(column.sinceMillis()).isGreaterThan(1_000));
    }

    @Test
    void afterAFailedPlanAllSlotsAreListedAgain() {
        cluster.planner.usesSlots = true;
        job("a", 1, 3);
        cluster.planner.failing = 1;
        cluster.free(worker, slots().get(0));
        cluster.time.advance(20_000);
        assertThat(cluster.planner.inputs)
                .extracting(input -> input.slots().listing())
                .containsSubsequence(Listing.ALL, Listing.CHANGED, Listing.ALL);
    }

    @Test
    void aFailedPlanIsTriedAgainAfterAPauseOnly() {
        cluster.planner.usesSlots = true;
        job("a", 1, 3);
        cluster.planner.failing = 1_000;
        cluster.planner.inputs.clear();
        cluster.free(worker, slots().get(0));
        cluster.time.advance(20_000);
        assertThat(cluster.planner.inputs).hasSizeBetween(2, 20);
    }

    @Test
    void thePlannerLearnsWhereAGroupHadSlotsThatItTook() {
        FakeJobMaster job = job("a", 1, 2);
        FakeWorker other = cluster.worker("other");
        cluster.free(worker, slots().get(0));
        cluster.time.advance(100);
        assertThat(formerWorkers()).as("the job never took it").isEmpty();
        worker.take();
        cluster.time.advance(5_000);
        cluster.free(worker, slots().get(0));
        cluster.time.advance(100);
        assertThat(formerWorkers()).containsExactly(worker.id);
        assertThat(other.slots).isEmpty();
        cluster.declare(job, 1, 1);
        cluster.time.advance(100);
        assertThat(formerWorkers()).as("later declarations keep it").containsExactly(worker.id);
    }

    /** What the last input with a unit says. */
    private Set<WorkerId> formerWorkers() {
        List<UnitDemand> demands = cluster.planner.inputs.stream()
                .flatMap(input -> input.units().stream())
                .flatMap(change -> change.unit().stream())
                .toList();
        return demands.get(demands.size() - 1).groups().get(0).formerWorkers();
    }

    private static List<SlotColumn> columns(PlanningInput input) {
        return input.slots().changes().stream()
                .flatMap(change -> change.slot().stream())
                .toList();
    }
}
