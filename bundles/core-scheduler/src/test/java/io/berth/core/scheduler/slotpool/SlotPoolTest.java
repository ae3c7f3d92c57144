package io.berth.core.scheduler.slotpool;

import static io.berth.core.scheduler.Jobs.SLOT;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.FencingToken;
import io.berth.core.api.fake.ManualTime;
import io.berth.core.api.gateway.JobMasterGateway.SlotOffer;
import io.berth.core.api.gateway.ResourceManagerGateway.GroupRequirement;
import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobGraph.Partitioning;
import io.berth.core.api.job.PlacementConstraints;
import io.berth.core.api.job.PlacementConstraints.LabelRule;
import io.berth.core.api.job.PlacementConstraints.Operator;
import io.berth.core.api.policy.AssignmentQuery;
import io.berth.core.api.policy.MatchingRule;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.core.api.time.MainThread;
import io.berth.core.scheduler.Configurations;
import io.berth.core.scheduler.FakePolicies;
import io.berth.core.scheduler.FakeWorker;
import io.berth.core.scheduler.Harness;
import io.berth.core.scheduler.Jobs;
import io.berth.core.scheduler.job.JobIdentity;
import io.berth.core.scheduler.job.SchedulerConfiguration.SlotReuse;
import io.berth.spi.AllocationId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class SlotPoolTest implements SlotPool.Listener {

    private static final ResourceProfile LARGE = ResourceProfile.of(2_000, 1L << 30);

    private final ManualTime time = new ManualTime();
    private final FakePolicies policies = new FakePolicies();
    private final JobIdentity job = new JobIdentity(
            Jobs.wordCount(1, 4),
            new EndpointRef(new RpcAddress("h", 1), EndpointName.JOB_MASTERS, new FencingToken(1, new UUID(0, 0))));
    private SlotPool pool = pool(MatchingRule.EXACT, SlotReuse.REUSE);
    private final List<PoolSlot> lost = new ArrayList<>();
    private final List<PoolSlot> taken = new ArrayList<>();
    private int announced;
    private boolean mayCancel;

    private SlotPool pool(MatchingRule rule, SlotReuse reuse) {
        return pool(job.graph(), rule, reuse);
    }

    private SlotPool pool(JobGraph graph, MatchingRule rule, SlotReuse reuse) {
        SlotPool created = new SlotPool(
                new JobIdentity(graph, job.endpoint()),
                new MainThread("test", Runnable::run, time, failure -> {
                    throw new AssertionError(failure);
                }),
                time,
                policies,
                Configurations.with(reuse));
        created.follow(rule);
        created.listen(this);
        return created;
    }

    @Override
    public void slotsAdded() {
        announced++;
    }

    @Override
    public void slotsLost(List<PoolSlot> slots, boolean withWorker, String cause) {
        lost.addAll(slots);
    }

    @Override
    public boolean mayCancelReservations() {
        return mayCancel;
    }

    @Override
    public void reservationsCanceled(List<PoolSlot> slots) {
        taken.addAll(slots);
    }

    private static GroupRequirement group(String name, ResourceProfile profile, int minimum, int desired) {
        return new GroupRequirement(name, profile, minimum, desired);
    }

    private void require(int minimum, int desired) {
        pool.require(List.of(group("default", SLOT, minimum, desired)));
    }

    private List<AllocationId> offer(String worker, int from, int to) {
        List<SlotOffer> offers = new ArrayList<>();
        for (int number = from; number <= to; number++) {
            offers.add(FakeWorker.offer(number, "default", SLOT));
        }
        return offer(worker, offers);
    }

    private List<AllocationId> offer(String worker, List<SlotOffer> offers) {
        return Harness.now(pool.offer(new WorkerId(worker), offers, id -> true));
    }

    private List<AllocationId> offer(int number, String group, ResourceProfile profile) {
        return offer("w1", List.of(FakeWorker.offer(number, group, profile)));
    }

    private SortedMap<String, List<PoolSlot>> reserve(Map<String, Integer> counts) {
        return pool.reserve(new TreeMap<>(counts), new TreeMap<>()).orElseThrow();
    }

    private static AllocationId id(int number) {
        return new AllocationId(1, number);
    }

    private List<String> served() {
        return pool.slots().stream()
                .map(slot -> slot.allocation().number() + " " + slot.group())
                .toList();
    }

    private List<String> declared() {
        return pool.declared().stream()
                .map(group -> group.group() + " " + group.minimum() + ".." + group.desired())
                .toList();
    }

    @Test
    void asksForAnotherAssignmentWhenTheStrategyWishedIt() {
        policies.reviewMillis = OptionalLong.of(5_000);
        require(1, 1);
        offer(1, "other", SLOT);
        int asked = policies.assignments.size();
        assertThat(asked).isPositive();
        time.advance(4_999);
        assertThat(policies.assignments).hasSize(asked);
        policies.reviewMillis = OptionalLong.empty();
        time.advance(1);
        assertThat(policies.assignments).hasSize(asked + 1);
        time.advance(86_400_000);
        assertThat(policies.assignments).as("no further review was asked for").hasSize(asked + 1);
    }

    @Test
    void asksForNoAssignmentAfterItsEnd() {
        policies.reviewMillis = OptionalLong.of(5_000);
        require(1, 1);
        offer(1, "other", SLOT);
        int asked = policies.assignments.size();
        pool.close();
        time.advance(5_000);
        assertThat(policies.assignments).hasSize(asked);
    }

    @Test
    void spreadsSubtasksOverWorkersInTurn() {
        require(1, 4);
        offer("w1", 1, 3);
        offer("w2", 4, 4);
        assertThat(reserve(Map.of("default", 3)).get("default"))
                .extracting(PoolSlot::allocation)
                .containsExactly(id(1), id(4), id(2));
    }

    @Test
    void c129_reservesAllOrNone() {
        require(1, 4);
        offer("w1", 1, 2);
        assertThat(pool.reserve(new TreeMap<>(Map.of("default", 3)), new TreeMap<>()))
                .isEmpty();
        assertThat(pool.reserve(new TreeMap<>(Map.of("default", 2)), new TreeMap<>()))
                .isPresent();
        assertThat(pool.reserve(new TreeMap<>(Map.of("default", 1)), new TreeMap<>()))
                .isEmpty();
    }

    @Test
    void c55_aRepeatedOfferIsAcceptedAndAnnouncedOnce() {
        require(1, 4);
        assertThat(offer("w1", 1, 2)).containsExactly(id(1), id(2));
        assertThat(announced).isEqualTo(1);
        assertThat(offer("w1", 1, 2)).containsExactly(id(1), id(2));
        assertThat(announced).isEqualTo(1);
        assertThat(offer("w2", 1, 1))
                .as("the same allocation on another worker")
                .isEmpty();
        assertThat(pool.count("default")).isEqualTo(2);
    }

    @Test
    void c57_losesAllSlotsOfAWorkerAtOnce() {
        require(1, 4);
        offer("w1", 1, 2);
        offer("w2", 3, 4);
        pool.workerLost(new WorkerId("w1"), "killed");
        assertThat(lost).extracting(PoolSlot::allocation).containsExactly(id(1), id(2));
        assertThat(pool.count("default")).isEqualTo(2);
        assertThat(pool.isMinimumFulfilled()).isTrue();
        assertThat(pool.isFulfilled()).isFalse();
    }

    @Test
    void c59_aLostSlotLeavesItsRequirementUnfulfilled() {
        require(2, 2);
        offer("w1", 1, 2);
        assertThat(offer("w2", 3, 3)).isEmpty();
        assertThat(pool.slotFailed(new WorkerId("w1"), id(2), "gone")).isTrue();
        assertThat(pool.isMinimumFulfilled()).isFalse();
        assertThat(offer("w2", 3, 3)).containsExactly(id(3));
        assertThat(pool.isFulfilled()).isTrue();
    }

    @Test
    void c61_returnsOnlyExcessSlotsThatHaveBeenIdle() {
        require(1, 4);
        offer("w1", 1, 4);
        time.advance(60_000);
        assertThat(pool.removeIdle()).isEmpty();
        require(1, 3);
        assertThat(pool.removeIdle()).hasSize(1);
        assertThat(pool.count("default")).isEqualTo(3);
        reserve(Map.of("default", 3));
        require(1, 1);
        assertThat(pool.removeIdle()).isEmpty();
        pool.releaseAll();
        assertThat(pool.removeIdle()).isEmpty();
        time.advance(10_000);
        assertThat(pool.removeIdle()).hasSize(2);
        time.advance(60_000);
        assertThat(pool.removeIdle()).isEmpty();
        assertThat(pool.count("default")).isEqualTo(1);
    }

    @Test
    void c61_returnsTheExcessSlotsThatWereIdleLongest() {
        require(1, 3);
        offer("w1", 3, 3);
        time.advance(1_000);
        offer("w1", 1, 2);
        time.advance(20_000);
        require(1, 1);
        assertThat(pool.removeIdle())
                .extracting(PoolSlot::allocation)
                .as("first the one that was idle longest, then the first of the others")
                .containsExactly(id(3), id(1));
    }

    @Test
    void c63_aFreedSlotStaysMatchedToItsGroup() {
        pool.require(List.of(group("left", SLOT, 1, 1), group("right", SLOT, 1, 1)));
        offer(1, "left", SLOT);
        offer(2, "right", SLOT);
        reserve(Map.of("left", 1, "right", 1));
        pool.releaseAll();
        assertThat(served()).containsExactly("1 left", "2 right");
        assertThat(policies.assignments).isEmpty();
    }

    @Test
    void c65_aRequirementReplacesThePreviousOne() {
        require(1, 4);
        require(1, 2);
        assertThat(offer("w1", 1, 4)).hasSize(2);
        require(1, 3);
        assertThat(offer("w1", 1, 4)).hasSize(3);
        assertThat(declared()).containsExactly("default 1..3");
    }

    @Test
    void c67_aSlotInUseIsNotReservedAgainAndFreeingAFreeOneChangesNothing() {
        require(1, 2);
        offer("w1", 1, 2);
        assertThat(reserve(Map.of("default", 1)).get("default"))
                .extracting(PoolSlot::allocation)
                .containsExactly(id(1));
        assertThat(reserve(Map.of("default", 1)).get("default"))
                .extracting(PoolSlot::allocation)
                .containsExactly(id(2));
        pool.releaseAll();
        time.advance(9_999);
        pool.releaseAll();
        require(1, 1);
        assertThat(pool.removeIdle()).isEmpty();
        time.advance(1);
        assertThat(pool.removeIdle()).hasSize(1);
    }

    @Test
    void c67_removingASlotReturnsWhetherItWasInUse() {
        PooledSlots slots = new PooledSlots();
        slots.require(List.of(group("default", SLOT, 1, 2)));
        for (int number = 1; number <= 2; number++) {
            PoolSlot slot = new PoolSlot(id(number), new WorkerId("w1"), "default", "default", SLOT, false, 1);
            slots.put(new PooledSlots.Use(slot, number == 1, 0));
        }
        assertThat(slots.remove(id(1)).orElseThrow().reserved()).isTrue();
        assertThat(slots.remove(id(2)).orElseThrow().reserved()).isFalse();
        assertThat(slots.remove(id(2))).isEmpty();
        assertThat(slots.count("default")).isZero();
    }

    @Test
    void c69_slotsOnABlockedWorkerAreNotPooled() {
        require(1, 4);
        offer("w1", 1, 2);
        offer("w2", 3, 3);
        assertThat(reserve(Map.of("default", 1)).get("default"))
                .extracting(PoolSlot::allocation)
                .containsExactly(id(1));
        assertThat(pool.block(List.of(new WorkerId("w1"))))
                .as("only the free slot")
                .extracting(PoolSlot::allocation)
                .containsExactly(id(2));
        assertThat(offer("w1", List.of(FakeWorker.offer(1, "default", SLOT), FakeWorker.offer(9, "default", SLOT))))
                .as("slots that the job already has are kept")
                .containsExactly(id(1));
        assertThat(pool.releaseAll()).extracting(PoolSlot::allocation).containsExactly(id(1));
        assertThat(served()).containsExactly("3 default");
        pool.block(List.of());
        assertThat(offer("w1", 9, 9)).hasSize(1);
    }

    @Test
    void c71_allOffersAreAcceptedDuringRecoveryAndTheExcessIsReturnedLater() {
        require(1, 1);
        offer("w1", 1, 1);
        pool.recovering(true);
        assertThat(offer("w1", 2, 4)).hasSize(3);
        assertThat(offer(5, "default", LARGE)).as("fits no requirement").hasSize(1);
        assertThat(pool.count("default")).isEqualTo(1);
        time.advance(60_000);
        assertThat(pool.removeIdle()).as("no slot is idle during recovery").isEmpty();
        pool.recovering(false);
        assertThat(pool.removeIdle()).as("that time does not count as idle").isEmpty();
        time.advance(10_000);
        assertThat(pool.removeIdle()).hasSize(4);
        assertThat(served()).containsExactly("1 default");
        assertThat(offer("w1", 6, 6)).isEmpty();
    }

    @Test
    void c71_slotsOfferedDuringRecoveryAreUsedOnceTheyAreRequired() {
        require(1, 1);
        offer("w1", 1, 1);
        pool.recovering(true);
        offer("w1", 2, 3);
        pool.recovering(false);
        require(1, 3);
        assertThat(served()).containsExactly("1 default", "2 default", "3 default");
        assertThat(pool.isFulfilled()).isTrue();
    }

    @Test
    void c71_slotsOfferedDuringRecoveryServeTheirGroupWithConstraintsLater() {
        LabelRule zone = new LabelRule("zone", Operator.IN, List.of("z1"));
        PlacementConstraints constraints = new PlacementConstraints(List.of(zone), List.of(), new TreeMap<>());
        pool.require(List.of(new GroupRequirement("default", SLOT, 1, 1, constraints)));
        offer("w1", 1, 1);
        pool.recovering(true);
        assertThat(offer("w2", 2, 2)).containsExactly(id(2));
        pool.recovering(false);
        assertThat(pool.count("default")).isEqualTo(1);
        pool.workerLost(new WorkerId("w1"), "killed");
        assertThat(served()).containsExactly("2 default");
    }

    @Test
    void idleTimeBeforeTheRecoveryCounts() {
        require(1, 2);
        offer("w1", 1, 2);
        require(1, 1);
        time.advance(6_000);
        pool.recovering(true);
        time.advance(50_000);
        pool.recovering(false);
        time.advance(3_999);
        assertThat(pool.removeIdle()).isEmpty();
        time.advance(1);
        assertThat(pool.removeIdle()).hasSize(1);
    }

    @Test
    void c75_c111_aSubtaskGetsItsPreviousSlotAgain() {
        require(1, 3);
        offer("w1", 1, 3);
        SortedMap<String, List<AllocationId>> before = new TreeMap<>(Map.of("default", List.of(id(3), id(7), id(1))));
        assertThat(pool.reserve(new TreeMap<>(Map.of("default", 3)), before)
                        .orElseThrow()
                        .get("default"))
                .extracting(PoolSlot::allocation)
                .containsExactly(id(3), id(2), id(1));
    }

    @Test
    void c77_anUnknownRequirementDoesNotTakeTheOnlySlotForASpecifiedOne() {
        for (MatchingRule rule : MatchingRule.values()) {
            pool = pool(rule, SlotReuse.REUSE);
            pool.require(List.of(group("any", ResourceProfile.UNKNOWN, 1, 1), group("large", LARGE, 1, 1)));
            // This slot is for the specified requirement, but by the loose rule the unknown one could use it too.
            assertThat(offer(1, "large", LARGE)).hasSize(1);
            assertThat(offer(2, "any", SLOT)).hasSize(1);
            assertThat(served()).containsExactly("1 large", "2 any");
        }
    }

    @Test
    void c77_aSlotMovesFromAnUnknownRequirementToTheOneThatNeedsIt() {
        pool = pool(MatchingRule.LOOSE, SlotReuse.REUSE);
        pool.require(List.of(group("any", ResourceProfile.UNKNOWN, 1, 1), group("large", LARGE, 1, 1)));
        assertThat(offer(1, "any", LARGE)).hasSize(1);
        assertThat(offer(2, "any", SLOT)).as("allocated for a full group").hasSize(1);
        assertThat(served()).containsExactly("1 large", "2 any");
    }

    @Test
    void c145_looseSlotsAreMatchedInAnyOrderOfOffers() {
        for (boolean largeFirst : List.of(true, false)) {
            pool = pool(MatchingRule.LOOSE, SlotReuse.REUSE);
            pool.require(List.of(group("a", SLOT, 1, 1), group("b", LARGE, 1, 1)));
            List<SlotOffer> offers =
                    new ArrayList<>(List.of(FakeWorker.offer(1, "a", LARGE), FakeWorker.offer(2, "a", SLOT)));
            if (!largeFirst) {
                offers.add(offers.remove(0));
            }
            offers.forEach(each -> assertThat(offer("w1", List.of(each))).hasSize(1));
            assertThat(served()).containsExactly("1 b", "2 a");
        }
    }

    @Test
    void aSlotThatServesAnotherGroupChangesTheDeclaration() {
        pool.require(List.of(group("left", SLOT, 1, 1), group("right", SLOT, 1, 2)));
        offer(1, "left", SLOT);
        assertThat(declared()).containsExactly("left 1..1", "right 1..2");
        assertThat(offer(2, "left", SLOT)).hasSize(1);
        assertThat(served()).containsExactly("1 left", "2 right");
        assertThat(declared())
                .as("the ResourceManager counts both slots for left, so right needs one more, not two")
                .containsExactly("left 2..2", "right 0..1");
        pool.slotFailed(new WorkerId("w1"), id(2), "gone");
        assertThat(declared()).containsExactly("left 1..1", "right 1..2");
    }

    @Test
    void slotsThatOneGroupNoLongerRequiresServeAnother() {
        pool.require(List.of(group("left", SLOT, 1, 3), group("right", SLOT, 1, 1)));
        offer(
                "w1",
                List.of(
                        FakeWorker.offer(1, "left", SLOT),
                        FakeWorker.offer(2, "left", SLOT),
                        FakeWorker.offer(3, "left", SLOT),
                        FakeWorker.offer(4, "right", SLOT)));
        pool.require(List.of(group("left", SLOT, 1, 1), group("right", SLOT, 1, 3)));
        assertThat(pool.isFulfilled()).isTrue();
        assertThat(pool.count("right")).isEqualTo(3);
        assertThat(declared()).containsExactly("left 3..3", "right 0..1");
    }

    @Test
    void aBetterCompleteMatchingTakesASlotFromARunningExecution() {
        pool = pool(MatchingRule.LOOSE, SlotReuse.REUSE);
        pool.require(List.of(group("a", SLOT, 1, 1), group("b", LARGE, 1, 2)));
        offer(1, "a", LARGE);
        offer(2, "b", LARGE);
        reserve(Map.of("a", 1, "b", 1));
        assertThat(offer(3, "a", SLOT)).as("without permission to cancel").isEmpty();
        mayCancel = true;
        assertThat(offer(3, "a", SLOT)).containsExactly(id(3));
        assertThat(served()).containsExactly("1 b", "2 b", "3 a");
        assertThat(taken).extracting(PoolSlot::allocation).containsExactly(id(1));
        assertThat(pool.isFulfilled()).isTrue();
    }

    @Test
    void slotsInUseThatTheirGroupNoLongerRequiresServeAnother() {
        mayCancel = true;
        pool.require(List.of(group("left", SLOT, 1, 3), group("right", SLOT, 1, 1)));
        for (int number = 1; number <= 3; number++) {
            offer(number, "left", SLOT);
        }
        offer(4, "right", SLOT);
        reserve(Map.of("left", 3, "right", 1));
        pool.require(List.of(group("left", SLOT, 1, 1), group("right", SLOT, 1, 3)));
        assertThat(pool.isFulfilled()).isTrue();
        assertThat(taken).hasSize(2);
    }

    @Test
    void anIncompleteMatchingTakesNoSlotFromARunningExecution() {
        mayCancel = true;
        pool = pool(MatchingRule.LOOSE, SlotReuse.REUSE);
        pool.require(List.of(group("a", SLOT, 1, 1), group("b", LARGE, 1, 3)));
        offer(1, "a", LARGE);
        offer(2, "b", LARGE);
        reserve(Map.of("a", 1, "b", 1));
        assertThat(offer(3, "a", SLOT)).isEmpty();
        assertThat(taken).isEmpty();
        assertThat(served()).containsExactly("1 a", "2 b");
    }

    @Test
    void anAnswerForAnOutdatedPoolIsIgnored() {
        pool.require(List.of(group("left", SLOT, 1, 1), group("right", SLOT, 1, 1)));
        offer(1, "left", SLOT);
        policies.holdsAssignments = true;
        CompletableFuture<List<AllocationId>> answer = pool.offer(
                        new WorkerId("w1"), List.of(FakeWorker.offer(2, "left", SLOT)), id -> true)
                .toCompletableFuture();
        // The slot that right waits for is offered before the answer.
        offer("w2", List.of(FakeWorker.offer(3, "right", SLOT)));
        policies.holdsAssignments = false;
        policies.answerAssignments();
        assertThat(answer).isCompletedWithValue(List.of());
        assertThat(served()).containsExactly("1 left", "3 right");
        assertThat(policies.assignments).hasSize(2);
    }

    @Test
    void aLaterOfferOfAWorkerReplacesTheWaitingOne() {
        pool.require(List.of(group("left", SLOT, 1, 1), group("right", SLOT, 1, 1)));
        offer(1, "left", SLOT);
        policies.holdsAssignments = true;
        List<SlotOffer> offers = List.of(FakeWorker.offer(2, "left", SLOT));
        CompletableFuture<List<AllocationId>> first =
                pool.offer(new WorkerId("w1"), offers, id -> true).toCompletableFuture();
        CompletableFuture<List<AllocationId>> second =
                pool.offer(new WorkerId("w1"), offers, id -> true).toCompletableFuture();
        assertThat(first).isCompletedWithValue(List.of());
        policies.holdsAssignments = false;
        policies.answerAssignments();
        assertThat(second).isCompletedWithValue(List.of(id(2)));
    }

    @Test
    void c69_aWaitingOfferIsRejectedWhenItsWorkerIsBlocked() {
        pool.require(List.of(group("left", SLOT, 1, 1), group("right", SLOT, 1, 1)));
        offer("w2", List.of(FakeWorker.offer(1, "left", SLOT)));
        policies.holdsAssignments = true;
        CompletableFuture<List<AllocationId>> waiting = waitingOffer("w1", 2, SLOT);
        assertThat(pool.block(List.of(new WorkerId("w1")))).isEmpty();
        assertThat(waiting).isCompletedWithValue(List.of());
        policies.holdsAssignments = false;
        policies.answerAssignments();
        assertThat(served()).containsExactly("1 left");
    }

    @Test
    void anOfferOfABlockedWorkerDoesNotPreventOtherOffers() {
        pool.require(List.of(group("left", SLOT, 1, 1), group("right", SLOT, 1, 1)));
        offer("w4", List.of(FakeWorker.offer(1, "left", SLOT)));
        policies.holdsAssignments = true;
        waitingOffer("w3", 4, LARGE);
        waitingOffer("w1", 2, SLOT);
        CompletableFuture<List<AllocationId>> other = waitingOffer("w2", 3, SLOT);
        // The first query was for w3 alone; the next one is for both others.
        policies.answerAssignments();
        assertThat(policies.assignments).hasSize(2);
        pool.block(List.of(new WorkerId("w1")));
        policies.holdsAssignments = false;
        policies.answerAssignments();
        assertThat(other).isCompletedWithValue(List.of(id(3)));
        assertThat(served()).containsExactly("1 left", "3 right");
    }

    private CompletableFuture<List<AllocationId>> waitingOffer(String worker, int number, ResourceProfile profile) {
        CompletableFuture<List<AllocationId>> answer = pool.offer(
                        new WorkerId(worker), List.of(FakeWorker.offer(number, "left", profile)), id -> true)
                .toCompletableFuture();
        assertThat(answer).isNotDone();
        return answer;
    }

    @Test
    void slotsAreNotReturnedWhileTheStrategyMayMatchThem() {
        require(1, 1);
        pool.recovering(true);
        offer("w1", 1, 1);
        offer("w2", 2, 2);
        pool.recovering(false);
        assertThat(served()).containsExactly("1 default", "2 ");
        time.advance(60_000);
        policies.holdsAssignments = true;
        pool.workerLost(new WorkerId("w1"), "gone");
        assertThat(pool.removeReturnable(List.of(id(2)))).isEmpty();
        assertThat(pool.removeIdle()).isEmpty();
        policies.answerAssignments();
        assertThat(served()).containsExactly("2 default");
        assertThat(pool.removeReturnable(List.of(id(2)))).isEmpty();
    }

    @Test
    void slotsOfABlockedWorkerAreReplacedByANewMatching() {
        require(1, 1);
        pool.recovering(true);
        offer("w1", 1, 1);
        offer("w2", 2, 2);
        pool.recovering(false);
        assertThat(pool.block(List.of(new WorkerId("w1")))).hasSize(1);
        assertThat(served()).containsExactly("2 default");
    }

    @Test
    void withoutAMatchingStrategyOffersAreRejectedAndNothingChanges() {
        policies.assigns = false;
        pool.require(List.of(group("left", SLOT, 1, 1), group("right", SLOT, 1, 1)));
        offer(1, "left", SLOT);
        assertThat(offer(2, "left", SLOT)).isEmpty();
        assertThat(served()).containsExactly("1 left");
    }

    @Test
    void slotsThatAreNotReusedAreReturnedUnlessTheyMatchExactly() {
        pool = pool(MatchingRule.LOOSE, SlotReuse.RETURN);
        require(1, 3);
        offer("w1", 1, 2);
        offer(3, "default", LARGE);
        reserve(Map.of("default", 3));
        require(1, 2);
        assertThat(pool.releaseAll()).extracting(PoolSlot::allocation).containsExactly(id(3));
        reserve(Map.of("default", 2));
        require(1, 1);
        assertThat(pool.releaseAll()).extracting(PoolSlot::allocation).containsExactly(id(2));
        assertThat(served()).containsExactly("1 default");
    }

    @Test
    void f02_theRequirementDecreasesBeforeTheSlotIsFreed() {
        require(1, 2);
        offer("w1", 1, 2);
        require(1, 1);
        pool.slotFailed(new WorkerId("w1"), id(1), "freed");
        time.advance(60_000);
        assertThat(pool.removeIdle()).isEmpty();
        assertThat(served()).containsExactly("2 default");
        assertThat(offer("w1", 3, 3)).isEmpty();
    }

    @Test
    void f02_theSlotIsFreedBeforeTheRequirementDecreases() {
        require(1, 2);
        offer("w1", 1, 2);
        pool.slotFailed(new WorkerId("w1"), id(1), "freed");
        // The ResourceManager allocates a replacement, which arrives in time or too late.
        assertThat(offer("w2", 3, 3)).hasSize(1);
        require(1, 1);
        assertThat(offer("w2", 4, 4)).isEmpty();
        time.advance(10_000);
        assertThat(pool.removeIdle()).hasSize(1);
        assertThat(pool.count("default")).isEqualTo(1);
    }

    @Test
    void f07_anOfferIsRejectedAfterTheRequirementDecreased() {
        require(1, 2);
        offer("w1", 1, 1);
        require(1, 1);
        assertThat(offer("w1", 1, 2)).containsExactly(id(1));
    }

    @Test
    void returnsOnlyRequestedSlotsThatAreNotRequired() {
        require(1, 3);
        offer("w1", 1, 3);
        require(1, 2);
        assertThat(pool.removeReturnable(List.of(id(2), id(3), id(8))))
                .extracting(PoolSlot::allocation)
                .containsExactly(id(2));
    }

    @Test
    void returnsRequestedSlotsWhileTheMinimumIsNotFulfilled() {
        require(3, 4);
        offer("w1", 1, 2);
        assertThat(pool.removeReturnable(List.of(id(2), id(8))))
                .extracting(PoolSlot::allocation)
                .containsExactly(id(2));
    }

    @Test
    void aSlotThatIsGivenBackIsNotTakenAgainUntilItsWorkerAnswers() {
        require(3, 4);
        offer("w1", 1, 2);
        pool.returning(pool.removeReturnable(List.of(id(2))));
        assertThat(offer("w1", 1, 3)).as("it was sent before").containsExactly(id(1), id(3));
        pool.returned(List.of(id(2)));
        assertThat(offer("w1", 1, 3)).as("the worker does not know").containsExactly(id(1), id(2), id(3));
    }

    /** It was offered twice, and taken by the second offer. */
    @Test
    void aWaitingOfferOfASlotThatIsGivenBackDoesNotCount() {
        pool.require(List.of(group("left", SLOT, 1, 1), group("right", SLOT, 1, 1)));
        offer("w2", List.of(FakeWorker.offer(1, "left", SLOT)));
        policies.holdsAssignments = true;
        CompletableFuture<List<AllocationId>> waiting = waitingOffer("w1", 2, SLOT);
        pool.recovering(true);
        assertThat(offer(2, "left", SLOT)).containsExactly(id(2));
        pool.recovering(false);
        pool.returning(pool.remove(List.of(id(2))));
        policies.holdsAssignments = false;
        policies.answerAssignments();
        assertThat(waiting).isCompletedWithValue(List.of());
        assertThat(served()).containsExactly("1 left");
    }

    @Test
    void returnsNoSlotInUseEvenWhenTheMinimumIsLost() {
        require(2, 2);
        offer("w1", 1, 1);
        offer("w2", 2, 2);
        reserve(Map.of("default", 2));
        pool.workerLost(new WorkerId("w1"), "gone");
        assertThat(pool.removeReturnable(List.of(id(2)))).isEmpty();
        pool.releaseAll();
        assertThat(pool.removeReturnable(List.of(id(2)))).hasSize(1);
    }

    @Test
    void aSlotThatLeavesServesNothingAnymore() {
        require(1, 2);
        offer("w1", 1, 2);
        reserve(Map.of("default", 2));
        assertThat(pool.giveUp(List.of(id(1)), true).leaving()).containsExactly(id(1));
        assertThat(pool.count("default")).isEqualTo(1);
        assertThat(pool.isFulfilled()).isFalse();
        assertThat(pool.choice(new TreeMap<>()).of(new TreeMap<>(Map.of("default", 2))))
                .isEmpty();
        assertThat(offer("w2", 3, 3)).as("a replacement is taken").hasSize(1);
        assertThat(pool.releaseAll()).extracting(PoolSlot::allocation).containsExactly(id(1));
        assertThat(served()).containsExactly("2 default", "3 default");
    }

    @Test
    void flip160_groupsThatAreAlikeShareTheSlotsThatAreLeft() {
        pool = pool(
                Jobs.graph(
                        List.of(Jobs.vertex("a", 1, 4, "left"), Jobs.vertex("b", 1, 4, "right")),
                        List.of(Jobs.edge("a", "b", Partitioning.REBALANCE))),
                MatchingRule.EXACT,
                SlotReuse.REUSE);
        pool.require(List.of(group("left", SLOT, 1, 4), group("right", SLOT, 1, 4)));
        offer(1, "left", SLOT);
        assertThat(pool.isMinimumFulfilled()).isFalse();
        offer(2, "left", SLOT);
        offer(3, "left", SLOT);
        assertThat(pool.isMinimumFulfilled()).isTrue();
        assertThat(pool.choice(new TreeMap<>()).of(new TreeMap<>(Map.of("left", 2, "right", 2))))
                .isEmpty();
        reserve(Map.of("left", 2, "right", 1));
        assertThat(served()).containsExactly("1 right", "2 left", "3 left");
        assertThat(declared())
                .as("the slot of left that serves right is missing there")
                .containsExactly("left 2..5", "right 0..3");
    }

    @Test
    void slotsOfAnotherProfileAreNotShared() {
        pool = pool(
                Jobs.graph(
                        List.of(Jobs.vertex("a", 1, 4, "left"), Jobs.vertex("b", 1, 4, "large")),
                        List.of(Jobs.edge("a", "b", Partitioning.REBALANCE))),
                MatchingRule.EXACT,
                SlotReuse.REUSE);
        pool.require(List.of(group("left", SLOT, 1, 4), group("large", LARGE, 1, 4)));
        offer(1, "left", SLOT);
        offer(2, "left", SLOT);
        assertThat(pool.isMinimumFulfilled()).isFalse();
        assertThat(pool.choice(new TreeMap<>()).of(new TreeMap<>(Map.of("left", 1, "large", 1))))
                .isEmpty();
    }

    @Test
    void slotsThatLeaveAreNotMatchedAgain() {
        mayCancel = true;
        pool.require(List.of(group("left", SLOT, 0, 2), group("right", SLOT, 0, 1)));
        offer(1, "left", SLOT);
        offer(2, "left", SLOT);
        reserve(Map.of("left", 2));
        pool.giveUp(List.of(id(1)), true);
        pool.require(List.of(group("right", SLOT, 0, 1)));
        assertThat(policies.assignments.stream().flatMap(query -> query.slots().stream()))
                .as("slot 1 is not among those that may serve the other group")
                .extracting(AssignmentQuery.Slot::allocation)
                .containsExactly(id(2));
        assertThat(served()).contains("1 left", "2 right");
    }

    @Test
    void onlyFreeSlotsAreGivenUpWhenTheExecutionMustNotEnd() {
        require(1, 3);
        offer("w1", 1, 2);
        reserve(Map.of("default", 2));
        offer("w1", 3, 3);
        SlotPool.GivenUp givenUp = pool.giveUp(List.of(id(1), id(2), id(3)), false);
        assertThat(givenUp.removed()).extracting(PoolSlot::allocation).containsExactly(id(3));
        assertThat(givenUp.leaving()).isEmpty();
    }

    @Test
    void anUnknownRequirementTakesTheSlotAllocatedForIt() {
        pool.require(List.of(group("default", ResourceProfile.UNKNOWN, 1, 1)));
        assertThat(offer("w1", 1, 1)).hasSize(1);
        assertThat(pool.slots())
                .singleElement()
                .satisfies(slot -> assertThat(slot.defaultSlot()).isTrue());
    }

    @Test
    void c148_defaultSlotsOfDifferentSizesServeOneUnknownRequirement() {
        pool.require(List.of(group("default", ResourceProfile.UNKNOWN, 2, 2)));
        assertThat(offer(1, "default", SLOT)).hasSize(1);
        assertThat(offer(2, "default", LARGE)).hasSize(1);
        assertThat(pool.isFulfilled()).isTrue();
    }
}
