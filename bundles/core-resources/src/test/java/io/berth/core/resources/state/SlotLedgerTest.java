package io.berth.core.resources.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.fake.ManualTime;
import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.policy.LedgerHash;
import io.berth.core.api.policy.LedgerState;
import io.berth.core.api.policy.MatchingRule;
import io.berth.core.api.policy.PlanningInput.Origin;
import io.berth.core.resources.TestCluster;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class SlotLedgerTest {

    private static final ResourceProfile SIZE = ResourceProfile.of(8_000, 8_000);
    private static final ResourceProfile SLOT = ResourceProfile.of(1_000, 1_000);

    private final WorkerRegistry workers = new WorkerRegistry(TestCluster.noFlush());
    private final Allocations allocations = allocations(workers);
    private final WorkerEntry one = add(workers, "w1");
    private final WorkerEntry other = add(workers, "w2");

    private static WorkerEntry add(WorkerRegistry workers, String name) {
        return workers.add(new WorkerId(name), Origin.of("test"), SIZE, 8, WorkerLabels.NONE);
    }

    private static Allocations allocations(WorkerRegistry workers) {
        Changes changes = TestCluster.noFlush();
        return new Allocations(workers, new RequirementLedger(changes), new ManualTime(), changes);
    }

    private static SlotEntry slot(WorkerEntry worker, long number, String job, ResourceProfile profile) {
        return new SlotEntry(
                new AllocationId(1, number),
                worker,
                new SlotGrant(
                        new JobEntry(new JobId(job), Optional.empty(), MatchingRule.EXACT),
                        new RequirementMapping.Kind(new GroupKey("all", "default"), profile),
                        1,
                        GrantRound.NONE,
                        0));
    }

    private static void grant(Allocations allocations, SlotEntry... run) {
        allocations.grant(List.of(run), 0);
    }

    private static void adopt(Allocations allocations, SlotEntry slot) {
        allocations.adopt(List.of(slot));
    }

    private LedgerState state() {
        return allocations.publish();
    }

    private static long hashOf(Allocations allocations) {
        return allocations.publish().hash();
    }

    @Test
    void isTheSameInWhateverOrderTheSameSlotsCame() {
        grant(allocations, slot(one, 1, "a", SLOT));
        adopt(allocations, slot(other, 2, "b", SLOT));
        WorkerRegistry others = new WorkerRegistry(TestCluster.noFlush());
        Allocations again = allocations(others);
        WorkerEntry first = add(others, "w2");
        WorkerEntry second = add(others, "w1");
        grant(again, slot(first, 2, "b", SLOT));
        grant(again, slot(second, 1, "a", SLOT));
        assertThat(hashOf(again)).isEqualTo(state().hash());
        assertThat(state())
                .extracting(LedgerState::slots, LedgerState::granted, LedgerState::reported)
                .containsExactly(2, 1L, 1L);
    }

    @Test
    void isAnotherOneWhenASlotIsLost() {
        SlotEntry slot = slot(one, 1, "a", SLOT);
        grant(allocations, slot);
        grant(allocations, slot(one, 2, "a", SLOT));
        LedgerState both = state();
        allocations.remove(slot);
        assertThat(state().hash()).isNotEqualTo(both.hash());
        assertThat(state().changes()).isEqualTo(both.changes() + 1);
    }

    @Test
    void isAnotherOneWhenASlotIsAddedTwice() {
        grant(allocations, slot(one, 1, "a", SLOT));
        long once = state().hash();
        adopt(allocations, slot(other, 1, "a", SLOT));
        long onTwoWorkers = state().hash();
        adopt(allocations, slot(one, 1, "a", SLOT));
        long twiceOnOne = state().hash();
        assertThat(twiceOnOne).isNotEqualTo(once).isNotEqualTo(onTwoWorkers);
        assertThat(onTwoWorkers).isNotEqualTo(once);
    }

    @Test
    void tellsWorkersJobsProfilesAndNumbersApart() {
        grant(allocations, slot(one, 1, "a", SLOT));
        long hash = state().hash();
        ResourceProfile withGpu = new ResourceProfile(1_000, 1_000, 0, 0, new TreeMap<>(java.util.Map.of("gpu", 1L)));
        List<Function<WorkerEntry, SlotEntry>> others = List.of(
                worker -> slot(worker, 2, "a", SLOT),
                worker -> slot(worker, 1, "b", SLOT),
                worker -> slot(worker, 1, "a", ResourceProfile.of(1_000, 1_001)),
                worker -> slot(worker, 1, "a", withGpu));
        for (Function<WorkerEntry, SlotEntry> other : others) {
            WorkerRegistry registry = new WorkerRegistry(TestCluster.noFlush());
            Allocations changed = allocations(registry);
            adopt(changed, other.apply(add(registry, "w1")));
            assertThat(hashOf(changed)).isNotEqualTo(hash);
        }
        WorkerRegistry registry = new WorkerRegistry(TestCluster.noFlush());
        Allocations moved = allocations(registry);
        grant(moved, slot(add(registry, "w2"), 1, "a", SLOT));
        assertThat(hashOf(moved)).isNotEqualTo(hash);
    }

    @Test
    void isEmptyAgainWhenAllSlotsHaveEnded() {
        SlotEntry slot = slot(one, 1, "a", SLOT);
        grant(allocations, slot);
        grant(allocations, slot(other, 2, "b", SLOT));
        allocations.remove(slot);
        allocations.remove(other);
        assertThat(state()).isEqualTo(new LedgerState(0, 0, 2, 2, 0));
    }

    @Test
    void isTheSumOfWhatEachSlotAddsByItself() {
        SlotEntry[] run = {slot(one, 1, "a", SLOT), slot(one, 2, "a", SLOT), slot(one, 3, "a", SLOT)};
        grant(allocations, run);
        long sum = 0;
        for (SlotEntry slot : run) {
            sum += LedgerHash.of(slot.allocation, new WorkerId("w1"), new JobId("a"), SLOT);
        }
        assertThat(state()).isEqualTo(new LedgerState(sum, 3, 3, 0, 0));
    }

    @Test
    void showsNothingOfABatchBeforeItIsWhole() {
        LedgerState before = state();
        allocations.grant(List.of(slot(one, 1, "a", SLOT)), 0);
        allocations.adopt(List.of(slot(other, 2, "b", SLOT)));
        assertThat(allocations.published()).isEqualTo(before);
        allocations.publish();
        assertThat(allocations.published().slots()).isEqualTo(2);
    }
}
