package io.berth.core.resources.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.fake.ManualTime;
import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.policy.LedgerHash;
import io.berth.core.api.policy.LedgerState;
import io.berth.core.api.policy.PlanningInput.Origin;
import io.berth.core.resources.TestCluster;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class SlotLedgerTest {

    private static final ResourceProfile SIZE = ResourceProfile.of(8_000, 8_000);
    private static final ResourceProfile SLOT = ResourceProfile.of(1_000, 1_000);

    private final Cluster cluster = new Cluster();
    private final WorkerEntry one = cluster.add("w1");
    private final WorkerEntry other = cluster.add("w2");

    /** Workers, jobs and slots. */
    private static final class Cluster {

        private final Changes changes = TestCluster.noFlush();
        private final WorkerRegistry workers = new WorkerRegistry(changes);
        private final RequirementLedger jobs = new RequirementLedger(changes);
        private final Allocations allocations = new Allocations(workers, jobs, new ManualTime(), changes);

        private WorkerEntry add(String name) {
            return workers.add(new WorkerId(name), Origin.of("test"), SIZE, 8, WorkerLabels.NONE);
        }

        private SlotEntry slot(WorkerEntry worker, long number, String job, ResourceProfile profile) {
            return new SlotEntry(
                    new AllocationId(1, number),
                    worker,
                    new SlotGrant(
                            jobs.job(new JobId(job)),
                            new RequirementMapping.Kind(new GroupKey("all", "default"), profile),
                            1,
                            GrantRound.NONE,
                            0));
        }

        private void grant(SlotEntry... run) {
            allocations.grant(List.of(run), 0);
        }

        private void adopt(SlotEntry slot) {
            allocations.adopt(List.of(slot));
        }

        private LedgerState state(String pool) {
            allocations.publish();
            return jobs.ofPool(pool).published();
        }

        private LedgerState state() {
            return state("default");
        }
    }

    private SlotEntry slot(WorkerEntry worker, long number, String job, ResourceProfile profile) {
        return cluster.slot(worker, number, job, profile);
    }

    private LedgerState state() {
        return cluster.state();
    }

    @Test
    void isTheSameInWhateverOrderTheSameSlotsCame() {
        cluster.grant(slot(one, 1, "a", SLOT));
        cluster.adopt(slot(other, 2, "b", SLOT));
        Cluster again = new Cluster();
        again.grant(again.slot(again.add("w2"), 2, "b", SLOT));
        again.grant(again.slot(again.add("w1"), 1, "a", SLOT));
        assertThat(again.state().hash()).isEqualTo(state().hash());
        assertThat(state())
                .extracting(LedgerState::slots, LedgerState::granted, LedgerState::reported)
                .containsExactly(2, 1L, 1L);
    }

    @Test
    void isAnotherOneWhenASlotIsLost() {
        SlotEntry slot = slot(one, 1, "a", SLOT);
        cluster.grant(slot);
        cluster.grant(slot(one, 2, "a", SLOT));
        LedgerState both = state();
        cluster.allocations.remove(slot);
        assertThat(state().hash()).isNotEqualTo(both.hash());
        assertThat(state().changes()).isEqualTo(both.changes() + 1);
    }

    @Test
    void isAnotherOneWhenASlotIsAddedTwice() {
        cluster.grant(slot(one, 1, "a", SLOT));
        long once = state().hash();
        cluster.adopt(slot(other, 1, "a", SLOT));
        long onTwoWorkers = state().hash();
        cluster.adopt(slot(one, 1, "a", SLOT));
        long twiceOnOne = state().hash();
        assertThat(twiceOnOne).isNotEqualTo(once).isNotEqualTo(onTwoWorkers);
        assertThat(onTwoWorkers).isNotEqualTo(once);
    }

    @Test
    void tellsWorkersJobsProfilesAndNumbersApart() {
        cluster.grant(slot(one, 1, "a", SLOT));
        long hash = state().hash();
        ResourceProfile withGpu = new ResourceProfile(1_000, 1_000, 0, 0, new TreeMap<>(java.util.Map.of("gpu", 1L)));
        List<Function<Cluster, SlotEntry>> others = List.of(
                changed -> changed.slot(changed.add("w1"), 2, "a", SLOT),
                changed -> changed.slot(changed.add("w1"), 1, "b", SLOT),
                changed -> changed.slot(changed.add("w1"), 1, "a", ResourceProfile.of(1_000, 1_001)),
                changed -> changed.slot(changed.add("w1"), 1, "a", withGpu));
        for (Function<Cluster, SlotEntry> other : others) {
            Cluster changed = new Cluster();
            changed.adopt(other.apply(changed));
            assertThat(changed.state().hash()).isNotEqualTo(hash);
        }
        Cluster moved = new Cluster();
        moved.grant(moved.slot(moved.add("w2"), 1, "a", SLOT));
        assertThat(moved.state().hash()).isNotEqualTo(hash);
    }

    @Test
    void isEmptyAgainWhenAllSlotsHaveEnded() {
        SlotEntry slot = slot(one, 1, "a", SLOT);
        cluster.grant(slot);
        cluster.grant(slot(other, 2, "b", SLOT));
        cluster.allocations.remove(slot);
        cluster.allocations.remove(other);
        assertThat(state()).isEqualTo(new LedgerState(0, 0, 2, 2, 0));
    }

    @Test
    void isTheSumOfWhatEachSlotAddsByItself() {
        SlotEntry[] run = {slot(one, 1, "a", SLOT), slot(one, 2, "a", SLOT), slot(one, 3, "a", SLOT)};
        cluster.grant(run);
        long sum = 0;
        for (SlotEntry slot : run) {
            sum += LedgerHash.of(slot.allocation, new WorkerId("w1"), new JobId("a"), SLOT);
        }
        assertThat(state()).isEqualTo(new LedgerState(sum, 3, 3, 0, 0));
    }

    @Test
    void showsNothingOfABatchBeforeItIsWhole() {
        LedgerState before = state();
        cluster.allocations.grant(List.of(slot(one, 1, "a", SLOT)), 0);
        cluster.allocations.adopt(List.of(slot(other, 2, "b", SLOT)));
        assertThat(cluster.jobs.ofPool("default").published()).isEqualTo(before);
        cluster.allocations.publish();
        assertThat(cluster.jobs.ofPool("default").published().slots()).isEqualTo(2);
    }

    @Test
    void theSlotsOfAJobComeAlongWhenItsPoolIsKnown() {
        cluster.adopt(slot(one, 1, "a", SLOT));
        cluster.adopt(slot(other, 2, "b", SLOT));
        LedgerState both = state();
        cluster.jobs.assign(cluster.jobs.job(new JobId("a")), "gpu");
        LedgerState stayed = state();
        LedgerState moved = cluster.state("gpu");
        assertThat(stayed.slots()).isEqualTo(1);
        assertThat(moved.slots()).isEqualTo(1);
        assertThat(stayed.hash() + moved.hash()).isEqualTo(both.hash());
    }
}
