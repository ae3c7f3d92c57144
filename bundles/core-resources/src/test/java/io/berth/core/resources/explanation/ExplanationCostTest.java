package io.berth.core.resources.explanation;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.fake.ManualTime;
import io.berth.core.api.job.PlacementConstraints;
import io.berth.core.api.job.ReasonCode;
import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.policy.PlanningInput.Origin;
import io.berth.core.api.time.SystemClock;
import io.berth.core.resources.TestCluster;
import io.berth.core.resources.backends.SpecStarts;
import io.berth.core.resources.backends.StartFailures;
import io.berth.core.resources.backends.WorkerDemand;
import io.berth.core.resources.settings.ResourceSettings;
import io.berth.core.resources.state.WorkerRegistry;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Prints what an explanation costs: the copy is made on the main thread, the rest elsewhere. */
class ExplanationCostTest {

    private static final int WORKERS = 10_000;
    private static final int SIZES = 64;
    private static final int ROUNDS = 40;

    @Test
    void ofTenThousandDifferentWorkersAndSixtyFourSizes() {
        WorkerRegistry registry = new WorkerRegistry(TestCluster.noFlush());
        for (int number = 0; number < WORKERS; number++) {
            registry.add(
                    new WorkerId("w" + number),
                    Origin.of("local"),
                    ResourceProfile.of(8_000 + number, 1L << 30),
                    4,
                    WorkerLabels.NONE);
        }
        WorkerDemand backends = new WorkerDemand(
                registry,
                new StartFailures(new ManualTime(), ResourceSettings::defaults),
                new SpecStarts(new ManualTime(), ResourceSettings::defaults),
                ResourceSettings::defaults,
                TestCluster.noFlush());
        SystemClock clock = new SystemClock();
        List<Long> copies = new ArrayList<>();
        List<Long> analyses = new ArrayList<>();
        WorkerKinds kinds = new WorkerKinds(registry);
        for (int round = 0; round < ROUNDS; round++) {
            for (int index = 0; index < WORKERS; index++) {
                registry.changed(registry.at(index).orElseThrow());
            }
            long begun = clock.nanos();
            ClusterCapacity counted = kinds.capacity("default", backends);
            long copied = clock.nanos();
            for (int size = 0; size < SIZES; size++) {
                RoomAnalysis.Room room = RoomAnalysis.of(
                                counted,
                                new SlotNeed(ResourceProfile.of(1_000 + size, 1L << 31), PlacementConstraints.NONE))
                        .explain(3);
                assertThat(room.code()).isEqualTo(ReasonCode.NO_MEMORY);
                assertThat(room.causes().get(0).count()).isEqualTo(WORKERS);
            }
            copies.add(copied - begun);
            analyses.add(clock.nanos() - copied);
        }
        System.out.println("explanation of " + WORKERS
                + " different workers that all changed: counted on the main thread in " + median(copies) + " us, "
                + SIZES + " sizes elsewhere " + median(analyses) + " us (median of " + ROUNDS + ")");
    }

    private static long median(List<Long> nanos) {
        return nanos.stream().sorted().skip(nanos.size() / 2).findFirst().orElseThrow() / 1_000;
    }
}
