package io.berth.core.resources;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.berth.core.api.gateway.ResourceManagerGateway.GroupRequirement;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The look for deadlocks does not take each job together with each other one. The test counts the bytes that the thread
 * allocates, where each copy of what is free shows; no time is measured.
 */
class DeadlockCostTest {

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** Each job has a slot of a small worker and one of a large worker, and loses the latter. */
    private static long bytesAfterAllLargeWorkersAreLost(int jobs) {
        TestCluster cluster = new TestCluster();
        List<FakeWorker> large = new ArrayList<>();
        for (int number = 0; number < jobs; number++) {
            cluster.worker("small-" + number, TestCluster.TWO_SLOTS);
            large.add(cluster.worker("large-" + number, TestCluster.SLOT.times(3)));
        }
        List<FakeJobMaster> waiting = new ArrayList<>();
        for (int number = 0; number < jobs; number++) {
            FakeJobMaster job = cluster.job("job-" + number, number);
            cluster.declare(
                    job,
                    new GroupRequirement("large", TestCluster.SLOT.times(3), 1, 1),
                    new GroupRequirement("small", TestCluster.SLOT, 1, 1));
            waiting.add(job);
        }
        cluster.time.advance(1_000);
        assertThat(waiting).allSatisfy(job -> assertThat(cluster.states(job)).hasSize(2));
        large.forEach(worker -> cluster.call(cluster.manager.disconnectWorker(worker.instance, "a test")));
        long before = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
        cluster.time.advance(100);
        long bytes = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
        assertThat(waiting)
                .as("nothing can serve them")
                .allSatisfy(job -> assertThat(job.wantedBack).isEmpty());
        return bytes;
    }

    /** The planner of the test copies what is free for each job, so twice what the number of jobs says is allowed for. */
    @Test
    void jobsThatNothingCanServeCostNoMoreThanOneLookEach() {
        bytesAfterAllLargeWorkersAreLost(10);
        long few = bytesAfterAllLargeWorkersAreLost(20);
        long many = bytesAfterAllLargeWorkersAreLost(100);
        assertThat(many).as("bytes for 100 jobs, with %s for 20", few).isLessThan(20 * few);
    }
}
