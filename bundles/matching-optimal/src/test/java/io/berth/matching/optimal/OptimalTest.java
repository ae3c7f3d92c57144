package io.berth.matching.optimal;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.policy.support.packing.MixedPlacement;
import io.berth.policy.support.packing.PackingSession;
import io.berth.spi.ResourceProfile;
import io.berth.spi.backend.WorkerSpec;
import io.berth.spi.matching.MatchingStrategyFactory;
import io.berth.testkit.ArrayAdmittedView;
import io.berth.testkit.ArrayWorkersView;
import io.berth.testkit.MatchingStrategyContract;
import io.berth.testkit.RecordedPlacement;
import io.berth.testkit.RecordedPlacement.Run;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OptimalTest implements MatchingStrategyContract {

    @Override
    public MatchingStrategyFactory factory() {
        return new OptimalFactory();
    }

    /** Three slots of 0.34 leave a third of each worker; with 0.30 and 0.36 each worker is full. */
    @Test
    void findsTheMixThatFillsEachWorker() {
        ArrayWorkersView workers = new ArrayWorkersView();
        ResourceProfile size = ResourceProfile.of(10_000, 10_000);
        IntStream.range(0, 40).forEach(each -> workers.worker(size));
        RecordedPlacement plan = place(
                workers,
                new ArrayAdmittedView(workers)
                        .add("a", ResourceProfile.of(5_000, 5_000), 12)
                        .add("b", ResourceProfile.of(3_000, 3_000), 24)
                        .add("c", ResourceProfile.of(2_000, 2_000), 24));
        assertThat(plan.reasons()).isEmpty();
        assertThat(used(plan)).isEqualTo(18);
    }

    @Test
    void needsHardlyMoreWorkersThanTheVolumeBound() {
        for (long seed = 1; seed <= 3; seed++) {
            Random random = new Random(seed);
            ArrayWorkersView workers = new ArrayWorkersView();
            ResourceProfile size = ResourceProfile.of(12_000, 48_000);
            IntStream.range(0, 2_000).forEach(each -> workers.worker(size));
            ArrayAdmittedView admitted = new ArrayAdmittedView(workers);
            long cpu = 0;
            long heap = 0;
            for (int nth = 0; nth < 20; nth++) {
                int takesCpu = 100 * (1 + random.nextInt(20));
                int takesHeap = 256 * (1 + random.nextInt(32));
                admitted.add("p" + nth, ResourceProfile.of(takesCpu, takesHeap), 700);
                cpu += takesCpu * 700L;
                heap += takesHeap * 700L;
            }
            long bound = Math.max((cpu + 11_999) / 12_000, (heap + 47_999) / 48_000);
            RecordedPlacement plan = place(workers, admitted);
            assertThat(plan.reasons()).isEmpty();
            assertThat(used(plan)).as("seed %s", seed).isLessThanOrEqualTo(bound + bound / 100);
        }
    }

    @Test
    void opensTheCheapestWorkersForAMix() {
        WorkerSpec memory = WorkerSpec.of("memory", ResourceProfile.of(4_000, 16_000))
                .costPerHour(2)
                .build();
        WorkerSpec plain = WorkerSpec.of("plain", ResourceProfile.of(8_000, 8_000))
                .costPerHour(2)
                .build();
        ArrayWorkersView workers = new ArrayWorkersView().spec(memory, 50).spec(plain, 50);
        RecordedPlacement plan = place(
                workers,
                new ArrayAdmittedView(workers)
                        .add("a", ResourceProfile.of(1_000, 4_000), 16)
                        .add("b", ResourceProfile.of(2_000, 2_000), 16));
        assertThat(plan.reasons()).isEmpty();
        assertThat(plan.opened()).hasSize(8);
        assertThat(plan.opened().stream().filter(spec -> spec == 0).count()).isEqualTo(4);
    }

    private static long used(RecordedPlacement plan) {
        return plan.runs().stream().mapToInt(Run::worker).distinct().count();
    }

    private RecordedPlacement place(ArrayWorkersView workers, ArrayAdmittedView admitted) {
        RecordedPlacement plan = new RecordedPlacement(workers);
        new PackingSession(workers, MixedPlacement.optimal(workers, () -> true)).place(admitted, plan);
        return plan;
    }
}
