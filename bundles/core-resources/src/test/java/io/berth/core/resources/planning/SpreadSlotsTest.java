package io.berth.core.resources.planning;

import static io.berth.core.resources.TestCluster.SLOT;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.gateway.ClusterDetails.SlotDetails;
import io.berth.core.api.gateway.ResourceManagerGateway.GroupRequirement;
import io.berth.core.api.job.LabelChange;
import io.berth.core.api.job.PlacementConstraints;
import io.berth.core.api.job.PlacementConstraints.Spread;
import io.berth.core.resources.FakeJobMaster;
import io.berth.core.resources.FakeWorker;
import io.berth.core.resources.TestCluster;
import io.berth.spi.ResourceProfile;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Slots of a group that is spread over the values of a label, with the policies that decide by default. */
class SpreadSlotsTest {

    private static final PlacementConstraints OVER_ZONES =
            new PlacementConstraints(List.of(), List.of(), new TreeMap<>(), Optional.of(new Spread("zone", 1)));

    private final TestCluster cluster = TestCluster.withRealPolicies();

    private FakeWorker worker(String name, String zone, int slots) {
        FakeWorker worker =
                cluster.worker(name, ResourceProfile.of(slots * SLOT.cpuMillis(), slots * SLOT.heapBytes()));
        cluster.call(cluster.manager.relabelWorkers(
                name, new LabelChange(new TreeMap<>(Map.of("zone", zone)), List.of(), new TreeMap<>(), List.of())));
        return worker;
    }

    private SortedMap<String, Integer> slots(FakeJobMaster job) {
        SortedMap<String, Integer> counts = new TreeMap<>();
        cluster.details().slots().stream()
                .filter(slot -> slot.job().equals(job.job.value()))
                .map(SlotDetails::worker)
                .forEach(worker -> counts.merge(worker, 1, Integer::sum));
        return counts;
    }

    @Test
    void theSlotsThatAJobHasCountWhenItGetsMore() {
        worker("a1", "a", 2);
        FakeWorker b = worker("b1", "b", 4);
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, new GroupRequirement("default", SLOT, 1, 9, OVER_ZONES));
        cluster.time.advance(10_000);
        assertThat(slots(job)).as("zone a is full").isEqualTo(Map.of("a1", 2, "b1", 3));

        worker("a2", "a", 4);
        cluster.time.advance(10_000);
        assertThat(slots(job)).as("one more in b, three in a").isEqualTo(Map.of("a1", 2, "a2", 3, "b1", 4));

        b.slots.keySet().stream().sorted().limit(2).toList().forEach(slot -> cluster.free(b, slot));
        cluster.time.advance(10_000);
        assertThat(slots(job)).as("what ended comes back").isEqualTo(Map.of("a1", 2, "a2", 3, "b1", 4));
    }
}
