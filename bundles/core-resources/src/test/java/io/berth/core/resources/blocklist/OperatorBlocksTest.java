package io.berth.core.resources.blocklist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.gateway.ClusterDetails.WorkerDetails;
import io.berth.core.api.gateway.ResourceManagerGateway;
import io.berth.core.api.gateway.ResourceManagerGateway.WorkerBlock;
import io.berth.core.resources.FakeJobMaster;
import io.berth.core.resources.FakeWorker;
import io.berth.core.resources.TestCluster;
import io.berth.spi.WorkerId;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Workers that an operator lets take no slots for a while. */
class OperatorBlocksTest {

    private final TestCluster cluster = new TestCluster();
    private final FakeWorker first = cluster.worker("w1");
    private final FakeWorker second = cluster.worker("w2");

    private List<WorkerBlock> block(String target, long millis, String reason) {
        return cluster.call(cluster.manager.blockWorkers(target, millis, reason));
    }

    private List<WorkerBlock> unblock(String target) {
        return cluster.call(cluster.manager.unblockWorkers(target));
    }

    private WorkerDetails details(String id) {
        return cluster.details().workers().stream()
                .filter(worker -> worker.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private FakeJobMaster jobOf(int slots) {
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, slots, slots);
        cluster.time.advance(1_000);
        return job;
    }

    @Test
    void aBlockedWorkerTakesNoSlotsUntilTheTimeIsOverAndIsListedWithWhatIsLeftOfIt() {
        assertThat(block("w1", 60_000, "its disk is full"))
                .containsExactly(new WorkerBlock(new WorkerId("w1"), 60_000, "its disk is full"));
        cluster.time.advance(20_000);
        jobOf(2);
        assertThat(first.requested).isEmpty();
        assertThat(second.requested).hasSize(2);
        assertThat(details("w1").blockedMillis()).isEqualTo(39_000);
        assertThat(details("w1").blockedReason()).isEqualTo("its disk is full");
        assertThat(details("w2").blockedMillis()).isZero();
        cluster.time.advance(39_000);
        assertThat(details("w1").blockedMillis()).isZero();
        assertThat(details("w1").blockedReason()).isEmpty();
    }

    @Test
    void aWorkerWhoseBlockIsLiftedReceivesSlotsAtOnceAndJobMastersAreNotified() {
        block("w1", 60_000, "x");
        block("w2", 60_000, "x");
        FakeJobMaster job = jobOf(1);
        assertThat(first.requested.size() + second.requested.size()).isZero();
        assertThat(unblock("w2")).extracting(WorkerBlock::worker).containsExactly(second.id);
        cluster.time.advance(1_000);
        assertThat(second.requested).hasSize(1);
        assertThat(job.blocked).endsWith(List.of(first.id));
        assertThat(unblock("w2")).as("it is lifted already").isEmpty();
    }

    @Test
    void anAddressMeansTheWorkersThere() {
        String address = details("w1").address();
        assertThat(block(address, 1_000, "x")).extracting(WorkerBlock::worker).contains(first.id);
        String host = address.substring(0, address.lastIndexOf(':'));
        assertThat(block(host, 1_000, "x")).extracting(WorkerBlock::worker).containsExactly(first.id, second.id);
        assertThat(unblock(host)).hasSize(2);
    }

    @Test
    void ofTwoTimesTheLaterOneHoldsWithItsReason() {
        block("w1", 60_000, "long");
        assertThat(block("w1", 1_000, "short")).containsExactly(new WorkerBlock(new WorkerId("w1"), 60_000, "long"));
        assertThat(block("w1", 90_000, "longer"))
                .containsExactly(new WorkerBlock(new WorkerId("w1"), 90_000, "longer"));
    }

    @Test
    void aBlockOfAWorkerThatIsGoneHoldsForTheNextProcessAndCanBeLifted() {
        block("w1", 600_000, "x");
        cluster.call(cluster.manager.disconnectWorker(first.instance, "gone"));
        FakeWorker again = new FakeWorker("w1", 2);
        cluster.register(again, "standalone", "");
        jobOf(4);
        assertThat(again.requested).isEmpty();
        cluster.call(cluster.manager.disconnectWorker(again.instance, "gone"));
        assertThat(unblock("w1")).hasSize(1);
    }

    @Test
    void refusesWhatIsOutOfBoundsAndChangesNothingForWhatIsNotThere() {
        assertThat(block("w9", 1_000, "x")).isEmpty();
        assertThat(unblock("w9")).isEmpty();
        assertThatThrownBy(() -> block("w1", 0, "x")).hasMessageContaining("time of a block is 0 ms: allowed are 1 to");
        assertThatThrownBy(() -> block("w1", ResourceManagerGateway.MAX_BLOCK_MILLIS + 1, "x"))
                .hasMessageContaining("allowed are 1 to 2592000000");
        assertThatThrownBy(() -> block("w1", 1, "x".repeat(201)))
                .hasMessageContaining("reason of a block has 201 characters: allowed are 200");
        assertThat(details("w1").blockedMillis()).isZero();
    }
}
