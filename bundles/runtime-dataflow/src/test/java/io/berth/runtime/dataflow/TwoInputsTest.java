package io.berth.runtime.dataflow;

import static io.berth.runtime.dataflow.MiniCluster.operator;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.job.JobGraph.Partitioning;
import io.berth.core.api.task.FailureKind;
import io.berth.core.api.task.RuntimeSettings;
import io.berth.core.api.task.TaskHandle.Outcome;
import io.berth.dataflow.api.Collector;
import io.berth.dataflow.api.Configuration;
import io.berth.dataflow.api.KeyedContext;
import io.berth.dataflow.api.Keying;
import io.berth.dataflow.api.LongState;
import io.berth.dataflow.api.OperatorContext;
import io.berth.dataflow.api.OperatorFactory;
import io.berth.dataflow.api.ProcessOperator;
import io.berth.dataflow.api.Serializer;
import io.berth.dataflow.api.Serializers;
import io.berth.dataflow.api.Sink;
import io.berth.dataflow.api.StreamOperator;
import io.berth.dataflow.api.connect.KeyedTwoInput;
import io.berth.dataflow.api.connect.SideOutput;
import io.berth.dataflow.api.connect.SideOutputFactory;
import io.berth.dataflow.api.connect.TwoInputFactory;
import io.berth.dataflow.api.connect.TwoInputOperator;
import io.berth.dataflow.api.record.RecordSerializer;
import io.berth.runtime.dataflow.MiniCluster.Chain;
import io.berth.runtime.dataflow.MiniCluster.Link;
import io.berth.runtime.dataflow.exchange.ExchangeSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
@SuppressWarnings("NullAway.Init")
class TwoInputsTest {

    record Count(long key, long first, long second) {}

    /** Counts the records of each key in both inputs. */
    private static final class CountBoth implements TwoInputFactory<Long, Long, Count> {
        @Override
        public StreamOperator create(Configuration configuration) {
            return new KeyedTwoInput<Long, Long, Long, Count>() {
                private LongState<Long> first;
                private LongState<Long> second;

                @Override
                public void open(KeyedContext<Long> context) {
                    first = context.longState("first");
                    second = context.longState("second");
                }

                @Override
                public void processFirst(Long key, Long record, Collector<Count> out) {
                    first.add(1);
                }

                @Override
                public void processSecond(Long key, Long record, Collector<Count> out) {
                    second.add(1);
                }

                @Override
                public void endOfInput(Collector<Count> out) {
                    Map<Long, Long> seconds = new TreeMap<>();
                    second.forEach(seconds::put);
                    first.forEach((key, count) -> out.collect(new Count(key, count, seconds.getOrDefault(key, 0L))));
                }
            };
        }

        @Override
        public Optional<Serializer<Count>> outputSerializer(Configuration configuration) {
            return Optional.of(RecordSerializer.of(Count.class));
        }

        @Override
        public Optional<Keying<?, Long>> keying(Configuration configuration) {
            return Optional.of(new Keying<Long, Long>(number -> number % 10, Serializers.longs()));
        }

        @Override
        public Optional<Keying<?, Long>> secondKeying(Configuration configuration) {
            return Optional.of(new Keying<Long, Long>(number -> number / 100, Serializers.longs()));
        }
    }

    /** Takes any keys, which are numbers in the first input and texts in the second one. */
    private static final class DifferentKeys implements TwoInputFactory<Long, Long, String> {
        @Override
        public StreamOperator create(Configuration configuration) {
            return new KeyedTwoInput<Object, Long, Long, String>() {
                @Override
                public void open(KeyedContext<Object> context) {}

                @Override
                public void processFirst(Object key, Long record, Collector<String> out) {}

                @Override
                public void processSecond(Object key, Long record, Collector<String> out) {}
            };
        }

        @Override
        public Optional<Keying<?, Long>> keying(Configuration configuration) {
            return Optional.of(new Keying<Long, Long>(number -> number, Serializers.longs()));
        }

        @Override
        public Optional<Keying<?, Long>> secondKeying(Configuration configuration) {
            return Optional.of(new Keying<String, Long>(number -> "n" + number, Serializers.string()));
        }
    }

    /** Says which calls it got. */
    private static final class Calls implements TwoInputFactory<Long, Long, String> {
        @Override
        public StreamOperator create(Configuration configuration) {
            return new TwoInputOperator<Long, Long, String>() {
                @Override
                public void processFirst(Long record, Collector<String> out) {
                    out.collect("first");
                }

                @Override
                public void processSecond(Long record, Collector<String> out) {
                    out.collect("second");
                }

                @Override
                public void endOfFirst(Collector<String> out) {
                    out.collect("end of first");
                }

                @Override
                public void endOfSecond(Collector<String> out) {
                    out.collect("end of second");
                }

                @Override
                public void endOfInput(Collector<String> out) {
                    out.collect("end");
                }
            };
        }

        @Override
        public Optional<Serializer<String>> outputSerializer(Configuration configuration) {
            return Optional.of(Serializers.string());
        }
    }

    /** Even numbers to the main output, odd ones as text to a side output. */
    private static final class Divide implements SideOutputFactory<Long, Long> {
        private static final SideOutput<String> ODD = new SideOutput<>("odd", Serializers::string);

        @Override
        public ProcessOperator<Long, Long> create(Configuration configuration) {
            return new ProcessOperator<>() {
                private Collector<String> odd;

                @Override
                public void open(OperatorContext context) {
                    odd = configuration.find("wrong").isPresent()
                            ? context.sideOutput(configuration.text("wrong"))
                            : ODD.collector(context);
                }

                @Override
                public void process(Long record, Collector<Long> out) {
                    if (record % 2 == 0) {
                        out.collect(record);
                    } else {
                        odd.collect("n" + record);
                    }
                }
            };
        }

        @Override
        public Optional<Serializer<Long>> outputSerializer(Configuration configuration) {
            return Optional.of(Serializers.longs());
        }

        @Override
        public List<SideOutput<?>> sideOutputs(Configuration configuration) {
            return List.of(ODD);
        }
    }

    private final Map<String, Queue<Object>> arrived = new TreeMap<>();
    private MiniCluster cluster;

    @BeforeEach
    void start() {
        cluster = new MiniCluster(2, ExchangeSettings.of(RuntimeSettings.DEFAULTS));
        cluster.factories.put("count-both", new CountBoth());
        cluster.factories.put("calls", new Calls());
        cluster.factories.put("divide", new Divide());
        cluster.factories.put("collect", new OperatorFactory<Object, Void>() {
            @Override
            public Sink<Object> create(Configuration configuration) {
                Queue<Object> to;
                synchronized (arrived) {
                    to = arrived.computeIfAbsent(configuration.text("to"), any -> new ConcurrentLinkedQueue<>());
                }
                return to::add;
            }
        });
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    private static Chain chain(String vertex, String operator, int parallelism, Map<String, String> configuration) {
        return new Chain(List.of(operator(vertex, operator, configuration)), parallelism, Partitioning.FORWARD);
    }

    private List<Outcome> run(List<Chain> chains, List<Link> links) {
        return cluster.submit("job", chains, links).outcomes();
    }

    private static Map<String, String> records(int count) {
        return Map.of("records", String.valueOf(count));
    }

    @Test
    void recordsOfBothInputsMeetByTheirKeys() {
        assertThat(run(
                        List.of(
                                chain("a", "generator", 2, records(2000)),
                                chain("b", "generator", 3, records(900)),
                                chain("join", "count-both", 3, Map.of()),
                                chain("out", "collect", 1, Map.of("to", "out"))),
                        List.of(
                                new Link(0, 2, Partitioning.HASH, 1, ""),
                                new Link(1, 2, Partitioning.HASH, 2, ""),
                                new Link(2, 3, Partitioning.REBALANCE, 1, ""))))
                .containsOnly(new Outcome.Finished());
        List<Count> expected = LongStream.range(0, 10)
                .mapToObj(key -> new Count(key, 200, key < 9 ? 100 : 0))
                .toList();
        assertThat(new ArrayList<>(arrived.get("out"))).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void eachInputHasItsOwnEnd() {
        assertThat(run(
                        List.of(
                                chain("a", "generator", 2, records(20)),
                                chain("b", "generator", 1, records(0)),
                                chain("calls", "calls", 1, Map.of()),
                                chain("out", "collect", 1, Map.of("to", "out"))),
                        List.of(
                                new Link(0, 2, Partitioning.REBALANCE, 1, ""),
                                new Link(1, 2, Partitioning.REBALANCE, 2, ""),
                                new Link(2, 3, Partitioning.FORWARD, 1, ""))))
                .containsOnly(new Outcome.Finished());
        List<Object> calls = new ArrayList<>(arrived.get("out"));
        assertThat(calls).hasSize(23).endsWith("end").doesNotContain("second");
        assertThat(calls).containsOnlyOnce("end of first", "end of second");
        assertThat(calls.subList(calls.indexOf("end of first"), calls.size())).doesNotContain("first");
    }

    @Test
    void sideOutputsGoTheirOwnWayAndKeepTheirTypes() {
        MiniCluster.Job job = cluster.submit(
                "job",
                List.of(
                        chain("a", "generator", 2, records(1000)),
                        chain("divide", "divide", 2, Map.of()),
                        chain("even", "collect", 1, Map.of("to", "even")),
                        chain("odd", "collect", 2, Map.of("to", "odd")),
                        chain("again", "collect", 1, Map.of("to", "again"))),
                List.of(
                        new Link(0, 1, Partitioning.REBALANCE, 1, ""),
                        new Link(1, 2, Partitioning.REBALANCE, 1, ""),
                        new Link(1, 3, Partitioning.REBALANCE, 1, "odd"),
                        new Link(1, 4, Partitioning.REBALANCE, 1, "odd")));
        assertThat(job.outcomes()).containsOnly(new Outcome.Finished());
        List<Object> even = new ArrayList<>();
        List<Object> odd = new ArrayList<>();
        LongStream.range(0, 1000).forEach(n -> (n % 2 == 0 ? even : odd).add(n % 2 == 0 ? (Object) n : "n" + n));
        assertThat(new ArrayList<>(arrived.get("even"))).containsExactlyInAnyOrderElementsOf(even);
        assertThat(new ArrayList<>(arrived.get("odd"))).containsExactlyInAnyOrderElementsOf(odd);
        assertThat(new ArrayList<>(arrived.get("again"))).containsExactlyInAnyOrderElementsOf(odd);
        assertThat(job.tasks.get(1).stream()
                        .mapToLong(task -> task.metrics().operators().get(0).recordsOut())
                        .sum())
                .as("records of the main output")
                .isEqualTo(500);
    }

    @Test
    void aSideOutputWithoutAnEdgeIsDroppedAlsoWithinAChain() {
        assertThat(run(
                        List.of(new Chain(
                                List.of(
                                        operator("a", "generator", records(10)),
                                        operator("divide", "divide", Map.of()),
                                        operator("even", "collect", Map.of("to", "even"))),
                                1,
                                Partitioning.FORWARD)),
                        List.of()))
                .containsOnly(new Outcome.Finished());
        assertThat(arrived.get("even")).containsExactly(0L, 2L, 4L, 6L, 8L);
    }

    @Test
    void keysOfTwoTypesAreRefusedBecauseNothingWouldMeet() {
        cluster.factories.put("different-keys", new DifferentKeys());
        assertThat(failure(
                        List.of(
                                chain("a", "generator", 1, records(10)),
                                chain("b", "generator", 1, records(10)),
                                chain("join", "different-keys", 1, Map.of())),
                        List.of(new Link(0, 2, Partitioning.HASH, 1, ""), new Link(1, 2, Partitioning.HASH, 2, ""))))
                .contains(FailureKind.PERMANENT.name())
                .contains("the keys of the first input are java.lang.Long", "second one are java.lang.String");
    }

    private String failure(List<Chain> chains, List<Link> links) {
        MiniCluster.Job job = cluster.submit("job", chains, links);
        Outcome last = job.tasks
                .get(chains.size() - 1)
                .get(0)
                .outcome()
                .toCompletableFuture()
                .join();
        // Its producers wait for it.
        job.cancel();
        job.outcomes();
        return last.toString();
    }

    @Test
    void whatDoesNotFitTogetherFailsWithItsName() {
        Chain source = chain("a", "generator", 1, records(1));
        assertThat(failure(
                        List.of(source, chain("calls", "calls", 1, Map.of())),
                        List.of(new Link(0, 1, Partitioning.REBALANCE, 1, ""))))
                .contains("operator 'calls' of vertex 'calls' has no edge to its input 2");
        assertThat(failure(
                        List.of(source, chain("divide", "divide", 1, Map.of())),
                        List.of(new Link(0, 1, Partitioning.REBALANCE, 2, ""))))
                .contains("operator 'divide' of vertex 'divide' has one input");
        assertThat(failure(
                        List.of(source, chain("out", "collect", 1, Map.of("to", "x"))),
                        List.of(new Link(0, 1, Partitioning.REBALANCE, 1, "late"))))
                .contains("operator 'generator' of vertex 'a' has an edge from its side output 'late'");
        assertThat(failure(
                        List.of(source, chain("divide", "divide", 1, Map.of("wrong", "od"))),
                        List.of(new Link(0, 1, Partitioning.REBALANCE, 1, ""))))
                .contains("asks for its side output 'od', and its factory has [odd]");
        assertThat(failure(
                        List.of(source, source, chain("join", "count-both", 1, Map.of())),
                        List.of(
                                new Link(0, 2, Partitioning.HASH, 1, ""),
                                new Link(1, 2, Partitioning.REBALANCE, 2, ""))))
                .contains("is keyed, but its records come by rebalance");
    }
}
