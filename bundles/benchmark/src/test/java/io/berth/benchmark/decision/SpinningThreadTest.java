package io.berth.benchmark.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.benchmark.measure.ThreadTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class SpinningThreadTest {

    private static final String NAME = "berth-benchmark-spinning";
    private static final long SOME_NANOS = 20_000_000;

    @Test
    @Timeout(60)
    void takesAProcessorUntilItIsClosed() {
        try (SpinningThread thread = new SpinningThread()) {
            assertThat(thread).isNotNull();
            while (ThreadTime.nanos(NAME) < SOME_NANOS
                    && !Thread.currentThread().isInterrupted()) {
                Thread.onSpinWait();
            }
        }
        while (ThreadTime.nanos(NAME) > 0 && !Thread.currentThread().isInterrupted()) {
            Thread.onSpinWait();
        }
    }
}
