package io.berth.benchmark.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.policy.PlanningInput.GroupDemand;
import io.berth.spi.ResourceProfile;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class VolumeBoundTest {

    private static final List<ResourceProfile> NODES = List.of(node(2, 10, 0), node(8, 1, 0), node(4, 4, 2));

    private static ResourceProfile node(int cpu, int memory, int gpus) {
        return new ResourceProfile(cpu, memory, 0, 0, new TreeMap<>(Map.of("gpu", (long) gpus)));
    }

    private static int bound(int count, ResourceProfile profile) {
        return VolumeBound.of(NODES, List.of(new GroupDemand("group", profile, 0, count, 0)));
    }

    @Test
    void takesTheLargestOfEachDimensionFirst() {
        assertThat(bound(8, node(1, 0, 0))).isEqualTo(1);
        assertThat(bound(9, node(1, 0, 0))).isEqualTo(2);
        assertThat(bound(14, node(1, 0, 0))).isEqualTo(3);
        assertThat(bound(10, node(0, 1, 0))).isEqualTo(1);
        assertThat(bound(2, node(0, 0, 1))).isEqualTo(1);
    }

    @Test
    void isTheMaximumOverTheDimensions() {
        // cpu 7: the second node; memory 14: the first and the third.
        assertThat(bound(7, node(1, 2, 0))).isEqualTo(2);
    }

    @Test
    void continuesWithTheLargestWhenAllHaveTooLittle() {
        assertThat(bound(15, node(1, 0, 0))).isEqualTo(4);
        assertThat(bound(22, node(1, 0, 0))).isEqualTo(4);
        assertThat(bound(23, node(1, 0, 0))).isEqualTo(5);
    }

    @Test
    void leavesOutSlotsThatFitNowhere() {
        assertThat(bound(1, node(5, 5, 0))).isZero();
        assertThat(bound(1, node(0, 0, 3))).isZero();
    }

    @Test
    void doesNotOverflow() {
        List<ResourceProfile> large = Collections.nCopies(3, ResourceProfile.of(1_000, Long.MAX_VALUE));

        assertThat(VolumeBound.of(
                        large, List.of(new GroupDemand("group", ResourceProfile.of(1, Long.MAX_VALUE), 0, 7, 0))))
                .isEqualTo(7);
    }

    @Test
    void equalsTheBoundOfTheWorkloadForEqualWorkers() {
        Workload workload = Workload.of(100, 1_000, 200, 10, Workload.SEED, 0, false);
        List<GroupDemand> slots =
                workload.demands().stream().flatMap(List::stream).toList();

        assertThat(VolumeBound.of(Collections.nCopies(100, workload.worker()), slots))
                .isEqualTo(85);
    }
}
