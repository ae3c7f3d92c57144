package io.berth.core.resources;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequest;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The cost of one event does not grow with the cluster. The test counts the changes in the input of the planner and the
 * bytes that the thread allocates, where each list of all workers or jobs shows; no time is measured.
 */
class EventCostTest {

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int SMALL = 100;
    private static final int LARGE = 2_000;
    private static final int EVENTS = 12;
    private static final int SLOTS_OF_A_JOB = 10;

    /** A cluster that is full, with as many jobs as follow from that, and one job that waits for more. */
    private static final class Full {

        private final RunPlanner planner = new RunPlanner();
        private final TestCluster cluster = TestCluster.with(planner);
        private final List<FakeWorker> workers = new ArrayList<>();

        Full(int count) {
            for (int number = 0; number < count; number++) {
                workers.add(cluster.worker("w" + number));
            }
            for (int number = 0; number < 2 * count / SLOTS_OF_A_JOB; number++) {
                cluster.declare(cluster.job("job-" + number, number), 0, SLOTS_OF_A_JOB);
            }
            cluster.time.advance(1_000);
            cluster.declare(cluster.job("waits", count), 0, EVENTS + 1);
            cluster.time.advance(1_000);
            assertThat(workers).allMatch(worker -> worker.slots.size() == 2);
        }

        private int requested() {
            return workers.stream().mapToInt(worker -> worker.requested.size()).sum();
        }

        /** Frees a slot of a worker, and waits until another job has it and is notified of its remaining shortage. */
        private long free(FakeWorker worker) {
            SlotRequest slot = worker.requested.get(0);
            long before = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
            cluster.free(worker, slot.allocation());
            cluster.time.advance(700);
            return THREADS.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
        }

        /** The least of several: one falls together with a heartbeat or a sweep, which look at all now and then. */
        private long leastBytes() {
            long least = Long.MAX_VALUE;
            for (int event = 0; event < EVENTS; event++) {
                int before = requested();
                least = Math.min(least, free(workers.get(event)));
                assertThat(requested()).isEqualTo(before + 1);
            }
            return least;
        }
    }

    @Test
    void thatOfAFreedSlotIsTheSameInAClusterTwentyTimesAsLarge() {
        Full small = new Full(SMALL);
        small.leastBytes();
        long few = new Full(SMALL).leastBytes();
        long many = new Full(LARGE).leastBytes();
        assertThat(many).isLessThan(few + few / 2);
    }

    @Test
    void thePlannerReceivesTheWorkerAndTheUnitsThatChanged() {
        Full full = new Full(SMALL);
        full.planner.inputs.clear();
        full.free(full.workers.get(3));
        full.free(full.workers.get(7));
        assertThat(full.planner.inputs).isNotEmpty().allSatisfy(input -> {
            assertThat(input.workers()).hasSizeLessThanOrEqualTo(2);
            assertThat(input.units()).hasSizeLessThanOrEqualTo(2);
        });
    }
}
