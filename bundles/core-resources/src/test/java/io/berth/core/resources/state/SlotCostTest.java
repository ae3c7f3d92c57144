package io.berth.core.resources.state;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.policy.PlanningInput.Origin;
import io.berth.core.resources.TestCluster;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import java.lang.management.ManagementFactory;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;

/** What the ResourceManager allocates for one of many slots, in bytes; no time is measured. */
class SlotCostTest {

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final ResourceProfile SIZE = ResourceProfile.of(1_000, 1_000);
    private static final int COUNT = 10_000;

    private final JobEntry job = new RequirementLedger(TestCluster.noFlush()).job(new JobId("a"));
    private final WorkerEntry worker = new WorkerRegistry(TestCluster.noFlush())
            .add(new WorkerId("w"), Origin.of("test"), SIZE.times(COUNT), COUNT, WorkerLabels.NONE);
    private final SlotGrant grant = new SlotGrant(job, job.kind("all", "default", SIZE), 1, GrantRound.NONE, 0);

    private static long bytesOfEach(IntConsumer one) {
        one.accept(0);
        long before = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
        for (int at = 0; at < COUNT; at++) {
            one.accept(at);
        }
        return (THREADS.getThreadAllocatedBytes(Thread.currentThread().getId()) - before) / COUNT;
    }

    @Test
    void aSlotKeepsNothingThatThoseOfItsGrantShare() {
        AllocationId allocation = new AllocationId(1, 1);
        SlotEntry[] slots = new SlotEntry[COUNT];
        assertThat(bytesOfEach(at -> slots[at] = new SlotEntry(allocation, worker, grant)))
                .isLessThanOrEqualTo(48);
    }

    @Test
    void checkingWhetherASlotFitsAllocatesNothing() {
        int[] fitting = {0};
        assertThat(bytesOfEach(at -> fitting[0] += worker.fits(SIZE, 1))).isZero();
        assertThat(fitting[0]).isEqualTo(COUNT + 1);
    }

    @Test
    void takingFromAWorkerAndGivingBackAllocatesNothingBetweenReads() {
        FreeRoom room = new FreeRoom(SIZE.times(COUNT));
        assertThat(bytesOfEach(at -> {
                    room.take(SIZE, 1);
                    room.give(SIZE);
                }))
                .isZero();
    }

    @Test
    void aTableThatExpectsItsSlotsTakesTwelveBytesForEach() {
        SlotEntry[] slots = new SlotEntry[COUNT];
        for (int at = 0; at < COUNT; at++) {
            slots[at] = new SlotEntry(new AllocationId(1, at), worker, grant);
        }
        SlotTable table = new SlotTable();
        long before = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
        table.expect(COUNT);
        for (SlotEntry slot : slots) {
            table.put(slot);
        }
        long room = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
        assertThat(table.size()).isEqualTo(COUNT);
        assertThat(room / COUNT).isLessThanOrEqualTo(12);
    }

    @Test
    void findingWhichWorkersChangedAllocatesNothingHoweverManyThereAre() {
        WorkerRegistry registry = new WorkerRegistry(TestCluster.noFlush());
        for (int number = 0; number < COUNT; number++) {
            registry.add(new WorkerId("w" + number), Origin.of("test"), SIZE, 1, WorkerLabels.NONE);
        }
        WorkerEntry last = registry.at(COUNT - 1).orElseThrow();
        int[] found = {0};
        IntConsumer counting = index -> found[0]++;
        registry.eachUncounted(counting);
        assertThat(found[0]).isEqualTo(COUNT);
        assertThat(bytesOfEach(at -> {
                    registry.changed(last);
                    registry.eachUncounted(counting);
                }))
                .isZero();
        assertThat(found[0]).isEqualTo(2 * COUNT + 1);
    }

    @Test
    void findingToWhomSlotsOfAJobAreOfferedAllocatesNothing() {
        int[] found = {0};
        assertThat(bytesOfEach(at -> found[0] += job.target().isPresent() ? 1 : 0))
                .isZero();
        assertThat(found[0]).isZero();
    }
}
