package io.berth.core.policies.meters;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.operations.PolicyMetrics.Times;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TimeHistogramTest {

    static Stream<Arguments> distributions() {
        Random random = new Random(7);
        return Stream.of(
                distribution("one value", () -> 123_457),
                distribution("few nanoseconds", () -> random.nextInt(40)),
                distribution("uniform", () -> random.nextInt(1_000_000_000)),
                distribution("exponential", () -> (long) (-Math.log(1 - random.nextDouble()) * 50_000)),
                distribution("heavy tail", () -> (long) (1_000 / Math.pow(1 - random.nextDouble(), 1.2))),
                distribution(
                        "two humps",
                        () -> random.nextInt(10) == 0
                                ? 2_000_000_000L + random.nextInt(1_000)
                                : 900 + random.nextInt(100)),
                distribution("powers of two", () -> 1L << random.nextInt(40)));
    }

    private static Arguments distribution(String name, LongSupplier values) {
        return Arguments.of(name, values);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("distributions")
    void percentilesAreWithinOneThirtySecondOfTheExactOnes(String name, LongSupplier values) {
        TimeHistogram histogram = new TimeHistogram();
        long[] exact = new long[50_000];
        for (int index = 0; index < exact.length; index++) {
            exact[index] = values.getAsLong();
            histogram.record(exact[index]);
        }
        Arrays.sort(exact);
        Times times = histogram.times();
        assertThat(times.count()).isEqualTo(exact.length);
        assertThat(times.sumNanos()).isEqualTo(Arrays.stream(exact).sum());
        assertThat(times.maxNanos()).isEqualTo(exact[exact.length - 1]);
        within(times.p50Nanos(), exact, 0.5);
        within(times.p90Nanos(), exact, 0.9);
        within(times.p99Nanos(), exact, 0.99);
        within(times.p999Nanos(), exact, 0.999);
    }

    private static void within(long measured, long[] sorted, double share) {
        long exact = sorted[(int) Math.ceil(share * sorted.length) - 1];
        assertThat(Math.abs(measured - exact))
                .as("%s of the times: measured %s, exact %s", share, measured, exact)
                .isLessThanOrEqualTo(exact / 32);
    }

    @Test
    void aHistogramWithoutValuesHasNoTimes() {
        assertThat(new TimeHistogram().times()).isEqualTo(Times.NONE);
    }

    @Test
    void countsValuesOutsideItsRangeAtItsEnds() {
        TimeHistogram histogram = new TimeHistogram();
        histogram.record(-5);
        histogram.record(Long.MAX_VALUE);
        Times times = histogram.times();
        assertThat(times.count()).isEqualTo(2);
        assertThat(times.p50Nanos()).isZero();
        assertThat(times.maxNanos()).isEqualTo((1L << 41) - 1);
        assertThat(times.p999Nanos()).isBetween(times.maxNanos() - times.maxNanos() / 32, times.maxNanos());
    }

    @Test
    void theSumOfTwoHistogramsEqualsOneWithAllValues() {
        Random random = new Random(3);
        TimeHistogram first = new TimeHistogram();
        TimeHistogram second = new TimeHistogram();
        TimeHistogram both = new TimeHistogram();
        for (int index = 0; index < 10_000; index++) {
            long value = random.nextInt(1 << random.nextInt(30) + 1);
            (index % 3 == 0 ? first : second).record(value);
            both.record(value);
        }
        first.add(second);
        assertThat(first.times()).isEqualTo(both.times());
    }

    @Test
    void losesNoValueOfManyThreads() throws Exception {
        TimeHistogram histogram = new TimeHistogram();
        List<Thread> threads = new ArrayList<>();
        for (int nth = 1; nth <= 4; nth++) {
            long value = nth * 1_000L;
            Thread thread = new Thread(() -> {
                for (int count = 0; count < 100_000; count++) {
                    histogram.record(value);
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(histogram.times().count()).isEqualTo(400_000);
        assertThat(histogram.times().sumNanos()).isEqualTo(100_000 * 10_000L);
        assertThat(histogram.times().maxNanos()).isEqualTo(4_000);
    }
}
