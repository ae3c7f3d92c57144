package io.berth.testcluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.dataflow.api.Collector;
import io.berth.dataflow.api.Configuration;
import io.berth.dataflow.api.ConfigurationException;
import io.berth.dataflow.api.Counter;
import io.berth.dataflow.api.KeyedContext;
import io.berth.dataflow.api.KeyedProcess;
import io.berth.dataflow.api.Keying;
import io.berth.dataflow.api.OperatorContext;
import io.berth.dataflow.api.OperatorFactory;
import io.berth.dataflow.api.Pair;
import io.berth.dataflow.api.ProcessOperator;
import io.berth.dataflow.api.Serializer;
import io.berth.dataflow.api.Serializers;
import io.berth.dataflow.api.StreamOperator;
import io.berth.dataflow.api.Text;
import io.berth.dataflow.api.connect.SideOutput;
import io.berth.dataflow.api.connect.SideOutputFactory;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OperatorHarnessTest {

    /** Emits a text that it reuses, each one longer than the minimum; the others go beside. */
    private static final class LongOnes implements SideOutputFactory<Text, Text> {

        private static final SideOutput<Text> SHORT = new SideOutput<>("short", Serializers::text);

        @Override
        public ProcessOperator<Text, Text> create(Configuration configuration) {
            long minimum = configuration.number("minimum", 3, 1, 100);
            return new ProcessOperator<>() {
                private final Text reused = new Text();
                private Collector<Text> beside = text -> {};
                private Counter all = amount -> {};

                @Override
                public void open(OperatorContext context) {
                    beside = SHORT.collector(context);
                    all = context.counter("all");
                }

                @Override
                public void process(Text text, Collector<Text> out) {
                    all.add(1);
                    Collector<Text> where = text.length() < minimum ? beside : out;
                    where.collect(reused.view(text.bytes(), text.offset(), text.length()));
                }
            };
        }

        @Override
        public Optional<Serializer<Text>> outputSerializer(Configuration configuration) {
            return Optional.of(Serializers.text());
        }

        @Override
        public List<SideOutput<?>> sideOutputs(Configuration configuration) {
            return List.of(SHORT);
        }
    }

    @Test
    void keepsCopiesOfWhatAnOperatorEmits() throws Exception {
        try (OperatorHarness<Text, Text> harness = OperatorHarness.of(new LongOnes(), Map.of("minimum", "2"))) {
            harness.process(Text.of("one"), Text.of("a"), Text.of("three"), Text.of(""));
            assertThat(harness.output()).containsExactly(Text.of("one"), Text.of("three"));
            assertThat(harness.sideOutput("short")).containsExactly(Text.of("a"), Text.of(""));
            assertThat(harness.counter("all")).isEqualTo(4);
            assertThat(harness.counter("none")).isZero();
            assertThatThrownBy(() -> harness.sideOutput("long")).hasMessageContaining("it has [short]");
        }
    }

    @Test
    void aKeyedOperatorHasStateForEachKey() throws Exception {
        try (OperatorHarness<Long, Pair<Long, Long>> harness = OperatorHarness.of(Numbers.sums())) {
            harness.process(1L, 2L, 11L, 21L);
            assertThat(harness.output()).isEmpty();
            harness.endOfInput();
            assertThat(harness.output()).containsExactlyInAnyOrder(new Pair<>(1L, 33L), new Pair<>(2L, 2L));
        }
    }

    /** Of long records, with a counter and what else a test gives it. */
    private static OperatorFactory<Long, Long> keyed(KeyedProcess<Long, Long, Long> operator, boolean keying) {
        return new OperatorFactory<>() {
            @Override
            public StreamOperator create(Configuration configuration) {
                return operator;
            }

            @Override
            public Optional<Keying<?, Long>> keying(Configuration configuration) {
                return keying ? Optional.of(new Keying<>(number -> number, Serializers.longs())) : Optional.empty();
            }
        };
    }

    /** Counts what it processes, and remembers its end. */
    private static final class Counting implements KeyedProcess<Long, Long, Long> {

        private Counter counter = amount -> {};
        private boolean closed;

        @Override
        public void open(KeyedContext<Long> context) {
            counter = context.counter("records");
        }

        @Override
        public void process(Long key, Long record, Collector<Long> out) {
            if (record < 0) {
                throw new IllegalStateException("below zero");
            }
            counter.add(record);
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    @Test
    void countersOfAKeyedOperatorAreThoseOfTheHarness() throws Exception {
        Counting operator = new Counting();
        try (OperatorHarness<Long, Long> harness = OperatorHarness.of(keyed(operator, true))) {
            harness.process(2L, 3L);
            assertThat(harness.counter("records")).isEqualTo(5);
            assertThatThrownBy(() -> harness.process(-1L)).hasMessage("below zero");
            assertThat(operator.closed).isFalse();
        }
        assertThat(operator.closed).isTrue();
    }

    @Test
    void refusesWhatItCannotRun() {
        Counting operator = new Counting();
        assertThatThrownBy(() -> OperatorHarness.of(keyed(operator, false))).hasMessageContaining("override keying");
        assertThat(operator.closed).isTrue();
        assertThatThrownBy(() -> OperatorHarness.of(Numbers.source(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("BerthTestCluster");
        assertThatThrownBy(() -> OperatorHarness.of(new LongOnes(), Map.of("minimum", "0")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("minimum");
        OperatorFactory<Long, Long> asks = configuration -> new ProcessOperator<Long, Long>() {
            @Override
            public void open(OperatorContext context) {
                context.sideOutput("late");
            }

            @Override
            public void process(Long record, Collector<Long> out) {}
        };
        assertThatThrownBy(() -> OperatorHarness.of(asks)).hasMessageContaining("no side output 'late'");
    }

    @Test
    void whatFailsWhenItClosesDoesNotHideWhyItDidNotOpen() {
        OperatorFactory<Long, Long> fails = configuration -> new ProcessOperator<Long, Long>() {
            @Override
            public void open(OperatorContext context) {
                throw new IllegalStateException("not opened");
            }

            @Override
            public void process(Long record, Collector<Long> out) {}

            @Override
            public void close() {
                throw new IllegalStateException("not closed");
            }
        };
        assertThatThrownBy(() -> OperatorHarness.of(fails))
                .hasMessage("not opened")
                .hasSuppressedException(new IllegalStateException("not closed"));
    }
}
