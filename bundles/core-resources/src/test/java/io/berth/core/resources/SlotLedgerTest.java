package io.berth.core.resources;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.policy.LedgerState;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SlotLedgerTest {

    private static final ResourceProfile SIZE = ResourceProfile.of(8_000, 8_000);
    private static final ResourceProfile SLOT = ResourceProfile.of(1_000, 1_000);

    private final WorkerRegistry workers = new WorkerRegistry();
    private final WorkerEntry one = workers.add(new WorkerId("w1"), "test", "", SIZE, 8);
    private final WorkerEntry other = workers.add(new WorkerId("w2"), "test", "", SIZE, 8);

    private static SlotEntry slot(long number, String job, ResourceProfile profile) {
        return new SlotEntry(
                new AllocationId(1, number), new JobId(job), new GroupKey("all", "default"), profile, 1);
    }

    private LedgerState state() {
        return workers.slotLedger().state();
    }

    private static long hashOf(WorkerRegistry registry) {
        return registry.slotLedger().state().hash();
    }

    @Test
    void isTheSameInWhateverOrderTheSameSlotsCame() {
        workers.grantSlot(one, slot(1, "a", SLOT));
        workers.adoptSlot(other, slot(2, "b", SLOT));
        WorkerRegistry again = new WorkerRegistry();
        WorkerEntry first = again.add(new WorkerId("w2"), "test", "", SIZE, 8);
        WorkerEntry second = again.add(new WorkerId("w1"), "test", "", SIZE, 8);
        again.grantSlot(first, slot(2, "b", SLOT));
        again.grantSlot(second, slot(1, "a", SLOT));
        assertThat(hashOf(again)).isEqualTo(state().hash());
        assertThat(state()).extracting(LedgerState::slots, LedgerState::granted, LedgerState::reported)
                .containsExactly(2, 1L, 1L);
    }

    @Test
    void isAnotherOneWhenASlotIsLost() {
        SlotEntry slot = slot(1, "a", SLOT);
        workers.grantSlot(one, slot);
        workers.grantSlot(one, slot(2, "a", SLOT));
        LedgerState both = state();
        workers.removeSlot(one, slot);
        assertThat(state().hash()).isNotEqualTo(both.hash());
        assertThat(state().changes()).isEqualTo(both.changes() + 1);
    }

    @Test
    void isAnotherOneWhenASlotStandsTwice() {
        workers.grantSlot(one, slot(1, "a", SLOT));
        long once = state().hash();
        workers.adoptSlot(other, slot(1, "a", SLOT));
        long onTwoWorkers = state().hash();
        workers.adoptSlot(one, slot(1, "a", SLOT));
        long twiceOnOne = state().hash();
        assertThat(twiceOnOne).isNotEqualTo(once).isNotEqualTo(onTwoWorkers);
        assertThat(onTwoWorkers).isNotEqualTo(once);
    }

    @Test
    void tellsWorkersJobsProfilesAndNumbersApart() {
        workers.grantSlot(one, slot(1, "a", SLOT));
        long hash = state().hash();
        for (SlotEntry slot : new SlotEntry[] {
            slot(2, "a", SLOT), slot(1, "b", SLOT), slot(1, "a", ResourceProfile.of(1_000, 1_001)),
            slot(1, "a", new ResourceProfile(1_000, 1_000, 0, 0, new TreeMap<>(java.util.Map.of("gpu", 1L))))
        }) {
            WorkerRegistry changed = new WorkerRegistry();
            changed.grantSlot(changed.add(new WorkerId("w1"), "test", "", SIZE, 8), slot);
            assertThat(hashOf(changed)).isNotEqualTo(hash);
        }
        WorkerRegistry moved = new WorkerRegistry();
        moved.grantSlot(moved.add(new WorkerId("w2"), "test", "", SIZE, 8), slot(1, "a", SLOT));
        assertThat(hashOf(moved)).isNotEqualTo(hash);
    }

    @Test
    void isEmptyAgainWhenAllSlotsHaveEnded() {
        SlotEntry slot = slot(1, "a", SLOT);
        workers.grantSlot(one, slot);
        workers.grantSlot(other, slot(2, "b", SLOT));
        workers.removeSlot(one, slot);
        workers.remove(other);
        assertThat(state()).isEqualTo(new LedgerState(0, 0, 2, 2, 0));
    }
}
