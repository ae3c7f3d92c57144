package io.berth.core.resources.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.policy.PlanningInput.Origin;
import io.berth.core.resources.TestCluster;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The tables of slots against a map that is sorted: whatever is done, both hold the same. */
class SlotTablesTest {

    private static final ResourceProfile SIZE = ResourceProfile.of(1_000, 1_000);
    private static final int STEPS = 20_000;

    private final JobEntry job = new RequirementLedger(TestCluster.noFlush()).job(new JobId("a"));
    private final WorkerEntry worker = new WorkerRegistry(TestCluster.noFlush())
            .add(new WorkerId("w"), Origin.of("test"), SIZE, 1, WorkerLabels.NONE);
    private final RequirementMapping.Kind kind = new RequirementMapping.Kind(new GroupKey("all", "default"), SIZE);
    private final SlotGrant grant = new SlotGrant(job, kind, 1, GrantRound.NONE, 0);
    private final SortedMap<AllocationId, SlotEntry> model = new TreeMap<>();

    private SlotEntry slot(long epoch, long number) {
        return new SlotEntry(new AllocationId(epoch, number), worker, grant);
    }

    /** Numbers that a table may mix up: few of them, some far apart. */
    private SlotEntry any(Random random) {
        long number = random.nextInt(300);
        return random.nextInt(5) == 0 ? slot(1L << random.nextInt(60), number << 32) : slot(7, number);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void aTableFindsWhatWasPutInAndNotTakenOut(long seed) {
        Random random = new Random(seed);
        SlotTable table = new SlotTable();
        for (int step = 0; step < STEPS; step++) {
            SlotEntry slot = any(random);
            // Now it grows, now it shrinks.
            if (random.nextInt(10) < (step / 4_000 % 2 == 0 ? 7 : 3)) {
                table.put(slot);
                model.put(slot.allocation, slot);
            } else {
                table.take(slot.allocation);
                model.remove(slot.allocation);
            }
            if (random.nextInt(500) == 0) {
                table.expect(random.nextInt(2_000));
            }
            SlotEntry other = any(random);
            assertThat(table.size()).isEqualTo(model.size());
            assertThat(table.find(other.allocation)).isEqualTo(Optional.ofNullable(model.get(other.allocation)));
            assertThat(table.find(slot.allocation)).isEqualTo(Optional.ofNullable(model.get(slot.allocation)));
        }
        model.forEach((allocation, slot) -> assertThat(table.find(allocation)).containsSame(slot));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void theSlotsOfAWorkerAreInTheOrderOfTheirAllocations(long seed) {
        Random random = new Random(seed);
        WorkerSlots slots = new WorkerSlots();
        for (int step = 0; step < STEPS / 4; step++) {
            SlotEntry slot = any(random);
            if (random.nextInt(10) < (step / 1_000 % 2 == 0 ? 7 : 2)) {
                slots.put(slot);
                model.put(slot.allocation, slot);
            } else {
                slots.take(slot.allocation);
                model.remove(slot.allocation);
            }
            assertThat(slots.find(slot.allocation)).isEqualTo(Optional.ofNullable(model.get(slot.allocation)));
            if (step % 50 == 0) {
                assertThat(slots).containsExactlyElementsOf(model.values());
            }
        }
        assertThat(slots).containsExactlyElementsOf(model.values());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void theSlotsOfAJobAreWhatWasPutInAndNotTakenOut(long seed) {
        Random random = new Random(seed);
        JobSlots slots = new JobSlots();
        List<SlotEntry> there = new ArrayList<>();
        for (int step = 0; step < STEPS / 4; step++) {
            if (there.isEmpty() || random.nextInt(10) < (step / 1_000 % 2 == 0 ? 7 : 2)) {
                SlotEntry slot = slot(3, step);
                slots.put(slot);
                there.add(slot);
                model.put(slot.allocation, slot);
            } else {
                SlotEntry slot = there.remove(random.nextInt(there.size()));
                assertThat(slots.take(slot)).isTrue();
                assertThat(slots.take(slot)).isFalse();
                model.remove(slot.allocation);
            }
            assertThat(slots.size()).isEqualTo(model.size());
            if (step % 50 == 0) {
                assertThat(slots.sorted()).containsExactlyElementsOf(model.values());
            }
        }
        assertThat(slots.sorted()).containsExactlyElementsOf(model.values());
    }
}
