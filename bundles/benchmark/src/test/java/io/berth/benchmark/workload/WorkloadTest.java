package io.berth.benchmark.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.spi.ResourceProfile;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The figures come from an independent implementation of the same definition. */
class WorkloadTest {

    private static final long MEBI = 1L << 20;

    @Test
    void drawsWhatSplitmix64Draws() {
        SplitMix random = new SplitMix(Workload.SEED);

        assertThat(new int[] {random.next(1_000), random.next(1_000), random.next(1_000)})
                .containsExactly(114, 451, 379);
        assertThat(random.next(Integer.MAX_VALUE)).isEqualTo(1_749_510_515);
    }

    @Test
    void aMixedWorkloadIsTheSameEverywhere() {
        Workload workload = Workload.of(1_000, 10_000, 20, Workload.JOBS, Workload.SEED, 0, false);

        assertThat(workload.worker()).isEqualTo(ResourceProfile.of(12_500, 36_608 * MEBI));
        assertThat(workload.profile(0)).isEqualTo(ResourceProfile.of(1_500, 1_024 * MEBI));
        assertThat(workload.profile(19)).isEqualTo(ResourceProfile.of(1_400, 3_840 * MEBI));
        assertThat(hash(workload)).isEqualTo(-3_852_968_067_916_341_472L);
        assertThat(Arrays.copyOf(workload.counts()[0], 5)).containsExactly(48, 41, 45, 53, 51);
    }

    @Test
    void manyProfilesAreTheSameEverywhere() {
        Workload workload = Workload.of(100, 1_000, 200, Workload.JOBS, Workload.SEED, 0, false);

        assertThat(workload.worker()).isEqualTo(ResourceProfile.of(12_300, 47_616 * MEBI));
        assertThat(workload.profile(199)).isEqualTo(ResourceProfile.of(1_700, 5_376 * MEBI));
        assertThat(hash(workload)).isEqualTo(341_633_135_587_416_922L);
    }

    private static long hash(Workload workload) {
        long hash = 0;
        for (int request = 0; request < workload.requests(); request++) {
            hash = 31 * hash + workload.profileOf(request);
        }
        for (int profile = 0; profile < workload.profiles(); profile++) {
            hash = 31 * hash + workload.profile(profile).cpuMillis();
            hash = 31 * hash + workload.profile(profile).heapBytes() / MEBI;
        }
        return hash;
    }

    @Test
    void lowerBoundsAreThePublishedOnes() {
        assertThat(Workload.of(1_000, 10_000, 20, 10, Workload.SEED, 0, false).lowerBound())
                .isEqualTo(850);
        assertThat(Workload.of(1_000, 100_000, 20, 10, Workload.SEED, 0, false).lowerBound())
                .isEqualTo(850);
        assertThat(Workload.of(10_000, 100_000, 20, 10, Workload.SEED, 0, false).lowerBound())
                .isEqualTo(8_489);
        assertThat(Workload.of(100, 1_000, 200, 10, Workload.SEED, 0, false).lowerBound())
                .isEqualTo(85);
        assertThat(Workload.of(10_000, 100_000, 200, 10, Workload.SEED, 0, false)
                        .lowerBound())
                .isEqualTo(8_494);
    }

    @Test
    void withOneProfileTheRequestsFillNineTenthsOfTheWorkers() {
        Workload workload = Workload.of(10_000, 100_000, 1, Workload.JOBS, Workload.SEED, 0, false);

        assertThat(workload.profile(0)).isEqualTo(ResourceProfile.of(1_000, 1_024 * MEBI));
        assertThat(workload.worker()).isEqualTo(ResourceProfile.of(12_000, 12_288 * MEBI));
        assertThat(workload.defaultSlot()).isEqualTo(workload.profile(0));
        assertThat(workload.lowerBound()).isEqualTo(8_334);
    }

    @Test
    void withFewSlotsAWorkerStillHoldsEight() {
        assertThat(Workload.of(100, 10, 1, 10, 1, 0, false).worker())
                .isEqualTo(ResourceProfile.of(8_000, 8_192 * MEBI));
    }

    @Test
    void eachRequestIsCountedForItsJob() {
        Workload workload = Workload.of(10, 103, 5, 10, 7, 0, false);

        int[][] counts = workload.counts();

        assertThat(Arrays.stream(counts)
                        .mapToInt(ofJob -> Arrays.stream(ofJob).sum())
                        .toArray())
                .containsExactly(11, 11, 11, 10, 10, 10, 10, 10, 10, 10);
        assertThat(counts[2][workload.profileOf(102)]).isPositive();
    }

    @Test
    void aHigherFillMakesSmallerWorkers() {
        Workload usual = Workload.of(100, 10_000, 20, 10, 7, 0, false);
        Workload over = Workload.of(100, 10_000, 20, 10, 7, 1.2, false);

        assertThat(over.worker().cpuMillis()).isLessThan(usual.worker().cpuMillis());
        assertThat(over.lowerBound()).isGreaterThan(100);
        assertThat(usual.lowerBound()).isLessThanOrEqualTo(86);
    }

    @Test
    void splitMemoryHasTheSameTotal() {
        Workload whole = Workload.of(10, 100, 5, 10, 7, 0, false);
        Workload split = Workload.of(10, 100, 5, 10, 7, 0, true);

        assertThat(split.worker().heapBytes() + split.worker().managedBytes())
                .isEqualTo(whole.worker().heapBytes());
        assertThat(split.profile(3).heapBytes()).isEqualTo(split.profile(3).managedBytes());
        assertThat(split.profile(3).cpuMillis()).isEqualTo(whole.profile(3).cpuMillis());
        assertThat(split.lowerBound()).isEqualTo(whole.lowerBound());
    }
}
