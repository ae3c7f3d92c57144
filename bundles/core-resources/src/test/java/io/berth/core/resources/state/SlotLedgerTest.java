package io.berth.core.resources.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.policy.LedgerHash;
import io.berth.core.api.policy.LedgerState;
import io.berth.core.api.policy.MatchingRule;
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

    private final WorkerRegistry workers = new WorkerRegistry();
    private final WorkerEntry one = workers.add(new WorkerId("w1"), "test", "", SIZE, 8);
    private final WorkerEntry other = workers.add(new WorkerId("w2"), "test", "", SIZE, 8);

    private static SlotEntry slot(WorkerEntry worker, long number, String job, ResourceProfile profile) {
        return new SlotEntry(
                new AllocationId(1, number),
                worker,
                new SlotGrant(
                        new JobEntry(new JobId(job), Optional.empty(), MatchingRule.EXACT),
                        new RequirementMapping.Kind(new GroupKey("all", "default"), profile),
                        1,
                        GrantRound.NONE));
    }

    private static void grant(WorkerRegistry registry, SlotEntry... run) {
        registry.grantSlots(List.of(run), 0);
        registry.publishSlots();
    }

    private static void adopt(WorkerRegistry registry, SlotEntry slot) {
        registry.adoptSlots(List.of(slot));
        registry.publishSlots();
    }

    private LedgerState state() {
        return workers.slotLedger().state();
    }

    private static long hashOf(WorkerRegistry registry) {
        return registry.slotLedger().state().hash();
    }

    @Test
    void isTheSameInWhateverOrderTheSameSlotsCame() {
        grant(workers, slot(one, 1, "a", SLOT));
        adopt(workers, slot(other, 2, "b", SLOT));
        WorkerRegistry again = new WorkerRegistry();
        WorkerEntry first = again.add(new WorkerId("w2"), "test", "", SIZE, 8);
        WorkerEntry second = again.add(new WorkerId("w1"), "test", "", SIZE, 8);
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
        grant(workers, slot);
        grant(workers, slot(one, 2, "a", SLOT));
        LedgerState both = state();
        workers.removeSlot(slot);
        assertThat(state().hash()).isNotEqualTo(both.hash());
        assertThat(state().changes()).isEqualTo(both.changes() + 1);
    }

    @Test
    void isAnotherOneWhenASlotStandsTwice() {
        grant(workers, slot(one, 1, "a", SLOT));
        long once = state().hash();
        adopt(workers, slot(other, 1, "a", SLOT));
        long onTwoWorkers = state().hash();
        adopt(workers, slot(one, 1, "a", SLOT));
        long twiceOnOne = state().hash();
        assertThat(twiceOnOne).isNotEqualTo(once).isNotEqualTo(onTwoWorkers);
        assertThat(onTwoWorkers).isNotEqualTo(once);
    }

    @Test
    void tellsWorkersJobsProfilesAndNumbersApart() {
        grant(workers, slot(one, 1, "a", SLOT));
        long hash = state().hash();
        ResourceProfile withGpu = new ResourceProfile(1_000, 1_000, 0, 0, new TreeMap<>(java.util.Map.of("gpu", 1L)));
        List<Function<WorkerEntry, SlotEntry>> others = List.of(
                worker -> slot(worker, 2, "a", SLOT),
                worker -> slot(worker, 1, "b", SLOT),
                worker -> slot(worker, 1, "a", ResourceProfile.of(1_000, 1_001)),
                worker -> slot(worker, 1, "a", withGpu));
        for (Function<WorkerEntry, SlotEntry> other : others) {
            WorkerRegistry changed = new WorkerRegistry();
            adopt(changed, other.apply(changed.add(new WorkerId("w1"), "test", "", SIZE, 8)));
            assertThat(hashOf(changed)).isNotEqualTo(hash);
        }
        WorkerRegistry moved = new WorkerRegistry();
        grant(moved, slot(moved.add(new WorkerId("w2"), "test", "", SIZE, 8), 1, "a", SLOT));
        assertThat(hashOf(moved)).isNotEqualTo(hash);
    }

    @Test
    void isEmptyAgainWhenAllSlotsHaveEnded() {
        SlotEntry slot = slot(one, 1, "a", SLOT);
        grant(workers, slot);
        grant(workers, slot(other, 2, "b", SLOT));
        workers.removeSlot(slot);
        workers.remove(other);
        assertThat(state()).isEqualTo(new LedgerState(0, 0, 2, 2, 0));
    }

    @Test
    void isTheSumOfWhatEachSlotAddsByItself() {
        SlotEntry[] run = {slot(one, 1, "a", SLOT), slot(one, 2, "a", SLOT), slot(one, 3, "a", SLOT)};
        grant(workers, run);
        long sum = 0;
        for (SlotEntry slot : run) {
            sum += LedgerHash.of(slot.allocation, new WorkerId("w1"), new JobId("a"), SLOT);
        }
        assertThat(state()).isEqualTo(new LedgerState(sum, 3, 3, 0, 0));
    }

    @Test
    void showsNothingOfABatchBeforeItIsWhole() {
        LedgerState before = state();
        workers.grantSlots(List.of(slot(one, 1, "a", SLOT)), 0);
        workers.adoptSlots(List.of(slot(other, 2, "b", SLOT)));
        assertThat(state()).isEqualTo(before);
        workers.publishSlots();
        assertThat(state().slots()).isEqualTo(2);
    }
}
