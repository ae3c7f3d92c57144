package io.berth.core.resources.workers;

import static io.berth.core.resources.TestCluster.SLOT;
import static io.berth.core.resources.TestCluster.TWO_SLOTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.gateway.ClusterDetails.SlotDetails;
import io.berth.core.api.gateway.ClusterDetails.WorkerDetails;
import io.berth.core.api.gateway.SlotReport;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequest;
import io.berth.core.resources.FakeJobMaster;
import io.berth.core.resources.FakeWorker;
import io.berth.core.resources.TestCluster;
import io.berth.spi.AllocationId;
import org.junit.jupiter.api.Test;

/** A worker is the truth of what it has, as far as its reports are not older than what is known (reference 1.5). */
class SlotReportsTest {

    private final TestCluster cluster = new TestCluster();

    @Test
    void aSlotOfAFailedCallIsRequestedAgainAndTheOldOneIsAdoptedIfTheWorkerHasIt() {
        FakeWorker worker = cluster.worker("w1");
        worker.losesAnswers = true;
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, 1, 1);
        cluster.time.advance(50);
        assertThat(cluster.states(job))
                .as("nobody knows whether the worker has it")
                .isEmpty();
        worker.losesAnswers = false;
        cluster.time.advance(300);
        assertThat(worker.requested)
                .extracting(SlotRequest::allocation)
                .containsExactly(new AllocationId(7, 1), new AllocationId(7, 2));

        cluster.time.advance(2_000);
        assertThat(cluster.details().slots())
                .extracting(SlotDetails::allocation)
                .containsExactly("7-1", "7-2");
        assertThat(worker.slots).hasSize(2);
    }

    @Test
    void flip6_aReportWithoutAnAllocatedSlotFreesItAndItIsRequestedAgain() {
        FakeWorker worker = cluster.worker("w1");
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, 1, 1);
        cluster.time.advance(50);
        worker.take();
        cluster.time.advance(2_000);
        worker.slots.clear();
        cluster.time.advance(2_100);

        assertThat(worker.requested).hasSize(2);
        assertThat(worker.slots).containsOnlyKeys(new AllocationId(7, 2));
    }

    @Test
    void flip6_aReportWithoutAPendingSlotKeepsIt() {
        FakeWorker worker = cluster.worker("w1");
        FakeJobMaster job = cluster.job("count", 1);
        worker.failsLate = true;
        cluster.declare(job, 1, 1);
        cluster.time.advance(50);
        // The request is still on its way to the worker, which answers two heartbeats and registers again meanwhile.
        worker.slots.clear();
        cluster.time.advance(4_100);
        assertThat(cluster.states(job)).as("after heartbeats").containsExactly("pending");
        cluster.register(worker, "standalone", "");
        cluster.time.advance(100);

        assertThat(cluster.states(job)).as("after a registration").containsExactly("pending");
        assertThat(worker.requested).hasSize(1);
    }

    @Test
    void aReportThatWasMadeBeforeASlotWasAcknowledgedDoesNotFreeIt() {
        FakeWorker worker = cluster.worker("w1");
        FakeJobMaster job = cluster.job("count", 1);
        worker.holdAnswers = true;
        cluster.time.advance(2_000);
        // The answer to the heartbeat, without slots, waits; meanwhile a slot is requested and granted.
        worker.holdAnswers = false;
        cluster.declare(job, 1, 1);
        cluster.time.advance(50);
        assertThat(cluster.states(job)).containsExactly("allocated");
        worker.answer();
        cluster.time.settle();

        assertThat(cluster.states(job)).containsExactly("allocated");
        cluster.time.advance(5_000);
        assertThat(worker.requested).hasSize(1);
    }

    @Test
    void aReportThatWasMadeBeforeASlotWasFreedDoesNotBringItBack() {
        FakeWorker worker = cluster.worker("w1");
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, 1, 1);
        cluster.time.advance(50);
        worker.holdAnswers = true;
        cluster.time.advance(2_000);
        cluster.declare(job, 0, 0);
        cluster.free(worker, new AllocationId(7, 1));
        worker.answer();
        cluster.time.settle();

        assertThat(cluster.states(job)).isEmpty();
    }

    @Test
    void aSlotThatASecondWorkerReportsStaysWithTheFirst() {
        FakeWorker first = cluster.worker("w1");
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, 1, 1);
        cluster.time.advance(50);
        FakeWorker second = cluster.worker("w2");
        second.slots.putAll(first.slots);
        cluster.time.advance(2_100);

        assertThat(cluster.details().slots()).extracting(SlotDetails::worker).containsExactly("w1");
        assertThat(cluster.details().workers())
                .extracting(WorkerDetails::free)
                .as("what the second one says takes no room there")
                .containsExactly(SLOT.toString(), TWO_SLOTS.toString());
        cluster.free(second, new AllocationId(7, 1));
        assertThat(cluster.states(job)).as("nor does it take the slot away").containsExactly("allocated");
    }

    @Test
    void aReportedSlotThatNobodyAskedForCountsForItsJob() {
        FakeWorker worker = cluster.worker("w1");
        FakeWorker other = cluster.worker("w2");
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, 1, 1);
        cluster.time.advance(50);
        AllocationId unknown = new AllocationId(6, 1);
        other.slots.put(unknown, new SlotReport.Slot(unknown, job.job, job.id, "all", "default", SLOT, true, 1, 1));
        cluster.time.advance(2_100);
        assertThat(cluster.states(job)).hasSize(2);
        cluster.declare(job, 2, 2);
        cluster.time.advance(1_000);

        assertThat(worker.requested.size() + other.requested.size())
                .as("it has what it asks for")
                .isEqualTo(1);
    }
}
