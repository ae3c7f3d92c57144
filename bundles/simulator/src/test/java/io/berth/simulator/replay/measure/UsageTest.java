package io.berth.simulator.replay.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.berth.core.api.FencingToken;
import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequest;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequests;
import io.berth.simulator.replay.Small;
import io.berth.simulator.replay.cluster.Dimensions;
import io.berth.simulator.replay.cluster.ReplayedJob;
import io.berth.simulator.replay.cluster.ReplayedWorker;
import io.berth.simulator.traces.Node;
import io.berth.simulator.traces.TraceJob;
import io.berth.simulator.traces.TraceJob.Demand;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class UsageTest {

    private final List<Node> nodes =
            List.of(new Node("a", "", Small.profile(8, 100, 4)), new Node("b", "", Small.profile(8, 100, 0)));
    private final List<TraceJob> jobs = List.of(
            new TraceJob("gpu", 0, OptionalLong.of(1), List.of(new Demand(Small.profile(2, 10, 1), 1)), "", ""),
            new TraceJob("cpu", 0, OptionalLong.of(1), List.of(new Demand(Small.profile(7, 1, 0), 1)), "", ""));
    private final Dimensions dimensions = Dimensions.of(nodes, jobs);
    private final Usage usage = new Usage(dimensions, 2, jobs, 0, 100);
    private final ReplayedWorker a = Small.worker(0, nodes.get(0), dimensions);
    private final ReplayedWorker b = Small.worker(1, nodes.get(1), dimensions);
    private int allocations;

    private AllocationId slot(ReplayedWorker worker, ResourceProfile profile) {
        AllocationId allocation = new AllocationId(1, ++allocations);
        ReplayedJob job = new ReplayedJob(0, jobs.get(0), lost -> {});
        worker.requestSlots(new SlotRequests(
                new ResourceManagerId(new FencingToken(1, new UUID(0, 0))),
                List.of(new SlotRequest(
                        allocation, new JobId("j0"), job.registration().endpoint(), "all", "0", profile, 1))));
        usage.changed(worker, false);
        return allocation;
    }

    @Test
    void utilizationAndFreeCapacityAreWeightedByTime() {
        usage.changed(a, true);
        usage.changed(b, true);
        usage.pass(0, 50, 0);
        slot(a, Small.profile(8, 50, 2));
        usage.pass(50, 75, 3);
        slot(b, Small.profile(4, 0, 0));
        usage.pass(75, 150, 1);

        // Cpu: 0 of 16 for 50, 8 for 25, 12 for 25 of the window.
        assertThat(usage.utilization().get("cpu")).isCloseTo((8 * 25 + 12 * 25) / 1_600.0, within(1e-12));
        assertThat(usage.utilization().get("gpu")).isCloseTo(2 * 50 / 400.0, within(1e-12));
        assertThat(usage.freeWhileWaiting().get("cpu")).isCloseTo((8 * 25 + 4 * 25) / 800.0, within(1e-12));
        assertThat(usage.waitingShare()).isEqualTo(0.5);
        assertThat(usage.meanWorkersUsed()).isCloseTo((25 + 2 * 25) / 100.0, within(1e-12));
        assertThat(usage.mostWorkersUsed()).isEqualTo(2);
    }

    @Test
    void aResourceIsStrandedWhereCpuOrMemoryIsTooLittleForAnySlotThatNeedsIt() {
        usage.changed(a, true);
        usage.changed(b, true);
        AllocationId most = slot(a, Small.profile(7, 1, 1));
        assertThat(usage.strandedNow()).as("one core is left, two are needed").containsOnly(Map.entry("gpu", 0.75));

        a.free(most);
        usage.changed(a, false);
        assertThat(usage.strandedNow().get("gpu")).isZero();

        slot(a, Small.profile(1, 95, 1));
        assertThat(usage.strandedNow().get("gpu"))
                .as("5 MiB are left, 10 are needed")
                .isEqualTo(0.75);
        usage.pass(0, 100, 0);
        assertThat(usage.stranded().get("gpu")).isEqualTo(0.75);
    }

    @Test
    void anAbsentWorkerDoesNotCount() {
        usage.changed(a, true);
        usage.changed(b, true);
        slot(b, Small.profile(8, 0, 0));
        a.end();
        usage.changed(a, true);

        assertThat(usage.utilizationNow()).containsEntry("cpu", 1.0).doesNotContainKey("gpu");
        assertThat(usage.workersUsedNow()).isEqualTo(1);
    }
}
