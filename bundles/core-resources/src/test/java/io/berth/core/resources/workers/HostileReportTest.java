package io.berth.core.resources.workers;

import static io.berth.core.resources.TestCluster.TWO_SLOTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.FencingToken;
import io.berth.core.api.JobMasterId;
import io.berth.core.api.gateway.ClusterDetails.WorkerDetails;
import io.berth.core.api.gateway.RegistrationResponse;
import io.berth.core.api.gateway.SlotReport;
import io.berth.core.resources.FakeWorker;
import io.berth.core.resources.TestCluster;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What a worker reports is bounded, so that no sum of the bookkeeping overflows in its middle (F78). */
class HostileReportTest {

    private static final ResourceProfile HUGE = ResourceProfile.of(Long.MAX_VALUE, 1);

    private final TestCluster cluster = new TestCluster();

    private static void has(FakeWorker worker, int number, ResourceProfile profile) {
        AllocationId allocation = new AllocationId(7, number);
        worker.slots.put(
                allocation,
                new SlotReport.Slot(
                        allocation,
                        new JobId("count"),
                        new JobMasterId(new FencingToken(1, new UUID(0, 1))),
                        "all",
                        "default",
                        profile,
                        false,
                        0,
                        0));
    }

    @Test
    void F78_aReportAboveTheBoundsLosesItsWorkerAndNobodyElse() {
        FakeWorker hostile = cluster.worker("hostile");
        FakeWorker honest = cluster.worker("honest");
        has(hostile, 1, HUGE);
        has(hostile, 2, HUGE);
        cluster.time.advance(60_000);

        assertThat(hostile.told)
                .anyMatch(line -> line.startsWith("disconnect: its slot report is rejected: worker hostile: the sum"));
        assertThat(cluster.details().workers()).extracting(WorkerDetails::id).containsExactly("honest");
        assertThat(honest.told).as("its heartbeats go on").noneMatch(line -> line.startsWith("disconnect"));
    }

    @Test
    void F78_aRegistrationWithSlotsAboveTheBoundsIsRejectedAndKeepsNothing() {
        FakeWorker hostile = new FakeWorker("hostile", 1);
        has(hostile, 1, ResourceProfile.of(1_000, 1L << 50));
        has(hostile, 2, ResourceProfile.of(1_000, 1L << 50));
        RegistrationResponse response = cluster.register(hostile, hostile.registration(TWO_SLOTS, 2, "standalone", ""));

        assertThat(response)
                .isInstanceOfSatisfying(
                        RegistrationResponse.Rejected.class,
                        rejected -> assertThat(rejected.reason())
                                .contains("worker hostile: the sum of its slots up to", "allowed is up to"));
        assertThat(cluster.details().workers()).isEmpty();
    }
}
