package io.berth.core.resources.explanation;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.gateway.ResourceManagerGateway.GroupRequirement;
import io.berth.core.api.job.GroupRoom;
import io.berth.core.api.job.LabelChange;
import io.berth.core.api.policy.PoolDefinition;
import io.berth.core.api.policy.PoolDefinition.Limits;
import io.berth.core.api.policy.PoolDefinition.Members;
import io.berth.core.resources.FakeBackend;
import io.berth.core.resources.FakeJobMaster;
import io.berth.core.resources.TestCluster;
import io.berth.spi.ResourceProfile;
import io.berth.spi.backend.WorkerSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** JobMasters learn by heartbeats how many more slots they could get. */
class JobRoomsTest {

    private static final ResourceProfile SLOT = TestCluster.SLOT;

    private final TestCluster cluster = new TestCluster();

    private void twoHeartbeats() {
        cluster.time.advance(2 * TestCluster.settings().build().heartbeatIntervalMillis());
    }

    private void movesToGpu(String worker) {
        cluster.call(cluster.manager.relabelWorkers(
                worker, new LabelChange(new TreeMap<>(Map.of("gpu", "yes")), List.of(), new TreeMap<>(), List.of())));
    }

    @Test
    void theRoomOfTheOwnPoolIsCountedByWhatASlotNeeds() {
        PoolDefinition gpu = new PoolDefinition(
                "gpu",
                0,
                new Members(new TreeSet<>(), new TreeSet<>(), new TreeMap<>(Map.of("gpu", Optional.empty()))),
                Optional.empty(),
                Limits.NONE,
                true);
        cluster.pools(gpu);
        cluster.worker("w1");
        cluster.worker("w2");
        cluster.worker("w3");
        movesToGpu("w3");
        FakeJobMaster small = cluster.job("small", 1);
        FakeJobMaster large = cluster.job("large", 2);
        FakeJobMaster other = cluster.jobOf("gpu", "other", 3);
        cluster.declare(small, 1, 1);
        cluster.declare(large, new GroupRequirement("default", SLOT.times(2), 1, 1));
        cluster.declare(other, 1, 1);
        twoHeartbeats();
        assertThat(small.room).containsExactly(new GroupRoom("default", 1, 0, Optional.empty()));
        assertThat(large.room).containsExactly(new GroupRoom("default", 0, 0, Optional.empty()));
        assertThat(other.room).containsExactly(new GroupRoom("default", 1, 0, Optional.empty()));
        cluster.worker("w4");
        twoHeartbeats();
        assertThat(small.room).extracting(GroupRoom::free).containsExactly(3L);
        movesToGpu("w4");
        twoHeartbeats();
        assertThat(small.room).extracting(GroupRoom::free).containsExactly(1L);
        assertThat(other.room).extracting(GroupRoom::free).containsExactly(3L);
    }

    @Test
    void workersThatMayBeStartedAreCountedByTheirLimit() {
        FakeBackend backend = new FakeBackend(
                WorkerSpec.of("small", SLOT.times(2)).defaultSlots(2).maximum(3).build());
        cluster.manager.backendAdded(backend);
        FakeJobMaster job = cluster.job("a", 1);
        cluster.declare(job, 0, 0);
        twoHeartbeats();
        assertThat(job.room).containsExactly(new GroupRoom("default", 0, 6, Optional.empty()));
    }

    @Test
    void whatTheQueueMayStillUseIsCountedInSlots() {
        cluster.worker("w1");
        FakeJobMaster job = cluster.job("a", 1);
        cluster.declare(job, 1, 1);
        cluster.planner.queueRoom = Optional.of(new TreeMap<>(Map.of("cpu", 5 * SLOT.cpuMillis() / 2, "gpu", 0L)));
        twoHeartbeats();
        assertThat(job.room).extracting(GroupRoom::queue).containsExactly(Optional.of(2L));
    }

    @Test
    void whatManyDifferentJobsNeedIsCountedUpToALimit() {
        cluster.worker("w1");
        List<FakeJobMaster> jobs = new ArrayList<>();
        for (int number = 0; number <= JobRooms.MAX_NEEDS; number++) {
            FakeJobMaster job = cluster.job("job-" + number, number);
            cluster.declare(
                    job, new GroupRequirement("default", ResourceProfile.of(1_000_000 + number, 1L << 40), 0, 0));
            jobs.add(job);
        }
        twoHeartbeats();
        assertThat(jobs).filteredOn(job -> job.room.isEmpty()).hasSize(1);
    }
}
