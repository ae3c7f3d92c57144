package io.berth.core.resources.blocklist;

import static io.berth.core.resources.TestCluster.TWO_SLOTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.gateway.ClusterDetails.WorkerDetails;
import io.berth.core.resources.FakeBackend;
import io.berth.core.resources.TestCluster;
import io.berth.spi.WorkerId;
import io.berth.spi.backend.WorkerSpec;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A block belongs to the id of a process, also before the process registers. */
class PendingBlocksTest {

    private static final WorkerId FIRST = new WorkerId("local-1");

    private final TestCluster cluster = TestCluster.withRealPolicies();
    private final FakeBackend backend = new FakeBackend(WorkerSpec.of("small", TWO_SLOTS)
            .defaultSlots(2)
            .minimum(1)
            .maximum(9)
            .build());

    @BeforeEach
    void blockAPendingWorker() {
        cluster.manager.backendAdded(backend);
        cluster.time.settle();
        started(FIRST);
        assertThat(cluster.call(cluster.manager.blockWorkers("local-1", 600_000, "disk")))
                .hasSize(1);
    }

    private void started(WorkerId id) {
        cluster.manager.workerStarted("local", id, "small");
        cluster.time.advance(200);
    }

    private void ends(WorkerId id) {
        cluster.manager.workerEnded("local", id, "exit 1");
        cluster.time.advance(200);
    }

    /** A job that needs as many slots as one worker has. One that it does not need is beyond the minimum then. */
    private void needsOneWorker() {
        cluster.declare(cluster.job("count", 1), 2, 2);
        cluster.time.advance(1_000);
        assertThat(backend.needed("small")).isEqualTo(1);
    }

    private List<String> ids() {
        return cluster.details().workers().stream().map(WorkerDetails::id).toList();
    }

    @Test
    void aJobDoesNotWaitForABlockedWorkerButForAnotherOne() {
        needsOneWorker();
        assertThat(backend.unwanted()).containsExactly(FIRST);
    }

    @Test
    void theRequestThatFollowsABlockedProcessIsNotBlocked() {
        ends(FIRST);
        List<String> requested = ids();
        needsOneWorker();
        assertThat(ids()).isEqualTo(requested);
    }

    @Test
    void theNextProcessOfTheRequestIsNotBlocked() {
        ends(FIRST);
        started(new WorkerId("local-2"));
        needsOneWorker();
        assertThat(backend.unwanted()).isEmpty();
        assertThat(ids()).containsExactly("local-2");
    }

    @Test
    void aProcessThatIsStartedAgainWithABlockedIdIsBlocked() {
        ends(FIRST);
        started(FIRST);
        needsOneWorker();
        assertThat(backend.unwanted()).containsExactly(FIRST);
    }

    @Test
    void aProcessThatIsStartedAgainAfterItsBlockIsNotBlocked() {
        ends(FIRST);
        started(FIRST);
        cluster.call(cluster.manager.unblockWorkers("local-1"));
        needsOneWorker();
        assertThat(backend.unwanted()).isEmpty();
    }
}
