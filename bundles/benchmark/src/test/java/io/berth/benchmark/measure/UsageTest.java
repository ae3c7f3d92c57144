package io.berth.benchmark.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.benchmark.workload.SplitMix;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class UsageTest {

    private static final int BYTES = 1 << 22;

    @Test
    void countsWhatAnotherThreadAllocates() throws Exception {
        ExecutorService other = Executors.newSingleThreadExecutor();
        try {
            other.submit(() -> {}).get();
            Usage before = Usage.now();
            byte[] made = other.submit(() -> new byte[BYTES]).get();
            Usage after = Usage.now();

            assertThat(made).hasSize(BYTES);
            assertThat(after.bytesSince(before)).isBetween((long) BYTES, 2L * BYTES);
        } finally {
            other.shutdownNow();
        }
    }

    @Test
    void countsTheTimeOfAThreadThatStartedInBetween() throws Exception {
        Usage before = Usage.now();
        ExecutorService other = Executors.newSingleThreadExecutor();
        try {
            long worked = other.submit(() -> {
                        long sum = 0;
                        for (int round = 0; round < 200; round++) {
                            sum += new SplitMix(round).next(1_000)
                                    + Long.toString(round).hashCode();
                        }
                        return sum;
                    })
                    .get();
            Usage after = Usage.now();

            assertThat(worked).isNotZero();
            assertThat(after.cpuNanosSince(before)).isPositive();
        } finally {
            other.shutdownNow();
        }
    }
}
