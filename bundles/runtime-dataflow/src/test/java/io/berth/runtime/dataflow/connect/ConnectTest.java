package io.berth.runtime.dataflow.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.time.Clock;
import io.berth.dataflow.api.Configuration;
import io.berth.dataflow.api.Sink;
import io.berth.dataflow.api.SplitReader;
import io.berth.runtime.dataflow.TestContext;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ConnectTest {

    private static final class ManualClock implements Clock {
        private long nanos;

        @Override
        public long nanos() {
            return nanos;
        }

        @Override
        public long wallMillis() {
            return nanos / 1_000_000;
        }
    }

    private final ManualClock clock = new ManualClock();

    private List<SplitReader<Long>> lanes(int parallelism, Map<String, String> settings) {
        Generator generator = new GeneratorFactory(clock).create(new Configuration("generator", settings));
        generator.open(new TestContext(0, parallelism, 1));
        return generator.enumerateSplits().stream().map(generator::read).toList();
    }

    private static List<Long> all(List<SplitReader<Long>> lanes) throws Exception {
        List<Long> numbers = new ArrayList<>();
        for (SplitReader<Long> lane : lanes) {
            while (lane.step(numbers::add)) {
                assertThat(numbers).hasSizeLessThan(100_000);
            }
            assertThat(lane.recordsLeft()).hasValue(0);
        }
        return numbers;
    }

    @Test
    void lanesShareTheSequence() throws Exception {
        assertThat(all(lanes(3, Map.of("records", "2001", "start", "-5"))))
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.range(-5, 1_996).boxed().toList());
        assertThat(all(lanes(4, Map.of("records", "2")))).containsExactly(0L, 1L);
        assertThat(all(lanes(2, Map.of("records", "0")))).isEmpty();
    }

    @Test
    void randomNumbersFollowTheSeedAndStayWithinTheirBounds() throws Exception {
        Map<String, String> settings =
                Map.of("values", "random", "records", "5000", "seed", "7", "minimum", "-2", "maximum", "2");
        List<Long> numbers = all(lanes(2, settings));
        assertThat(numbers).contains(-2L, -1L, 0L, 1L, 2L).allMatch(n -> n >= -2 && n <= 2);
        assertThat(all(lanes(2, settings))).isEqualTo(numbers);
        assertThat(all(lanes(1, Map.of("values", "random", "records", "3", "seed", "8"))))
                .doesNotHaveDuplicates();
        assertThat(all(lanes(1, Map.of("values", "random", "records", "100", "minimum", "" + Long.MAX_VALUE))))
                .containsOnly(Long.MAX_VALUE);
    }

    @Test
    void theRateIsKeptAndAPauseIsNotCaughtUpBeyondASecond() throws Exception {
        SplitReader<Long> lane = lanes(2, Map.of("rate", "2000")).get(0);
        List<Long> numbers = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            lane.step(numbers::add);
        }
        assertThat(numbers).hasSize(1);
        clock.nanos = 500_000_000;
        for (int i = 0; i < 10; i++) {
            lane.step(numbers::add);
        }
        assertThat(numbers).hasSize(501);
        clock.nanos = 3_600_000_000_000L;
        for (int i = 0; i < 10; i++) {
            lane.step(numbers::add);
        }
        assertThat(numbers).hasSize(1501);
        assertThat(lane.recordsLeft()).isEmpty();
    }

    private static void refused(Map<String, String> settings, String... words) {
        assertThatThrownBy(() -> new GeneratorFactory().create(new Configuration("generator", settings)))
                .hasMessageContainingAll(words);
    }

    @Test
    void wrongSettingsAreRefusedByName() {
        refused(Map.of("rate", "0"), "rate is '0'", "from 1 to 1000000000");
        refused(Map.of("seed", "1"), "seed is '1'", "only with values = random");
        refused(Map.of("values", "random", "start", "1"), "start is '1'", "only with values = sequence");
        refused(Map.of("values", "random", "minimum", "5", "maximum", "4"), "maximum is '4'", "at least minimum, 5");
        refused(Map.of("values", "primes"), "values is 'primes'", "sequence, random");
    }

    @Test
    void printsWithVertexAndSubtaskUpToItsLimit() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintSinkFactory factory = new PrintSinkFactory(() -> new PrintStream(bytes, false, StandardCharsets.UTF_8));
        Sink<Object> sink = factory.create(new Configuration("print-sink", Map.of("limit", "2")));
        sink.open(new TestContext(3, 4, 1));
        for (Object record : List.of("a", 1L, "c", "d")) {
            sink.write(record);
        }
        sink.endOfInput();
        assertThat(bytes.toString(StandardCharsets.UTF_8).lines())
                .containsExactly("[vertex/3] a", "[vertex/3] 1", "[vertex/3] prints no more: its limit is 2 lines");
    }
}
