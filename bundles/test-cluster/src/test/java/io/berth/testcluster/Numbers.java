package io.berth.testcluster;

import io.berth.dataflow.api.Collector;
import io.berth.dataflow.api.Configuration;
import io.berth.dataflow.api.KeyedContext;
import io.berth.dataflow.api.KeyedProcess;
import io.berth.dataflow.api.Keying;
import io.berth.dataflow.api.LongState;
import io.berth.dataflow.api.OperatorContext;
import io.berth.dataflow.api.OperatorFactory;
import io.berth.dataflow.api.Pair;
import io.berth.dataflow.api.Serializer;
import io.berth.dataflow.api.Serializers;
import io.berth.dataflow.api.Sink;
import io.berth.dataflow.api.Source;
import io.berth.dataflow.api.SplitReader;
import io.berth.dataflow.api.StreamOperator;
import io.berth.dataflow.api.connect.SideOutput;
import io.berth.dataflow.api.connect.SideOutputFactory;
import io.berth.dataflow.api.connect.TwoInputFactory;
import io.berth.dataflow.api.connect.TwoInputOperator;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;

/** Operators of the tests: numbers, their sums by remainder, and a list of what came. */
final class Numbers {

    private static final int PER_SPLIT = 100;

    private Numbers() {}

    /** The numbers from 0 to below {@code splits} hundred. */
    static OperatorFactory<Void, Long> source(int splits) {
        return source(splits, new CountDownLatch(0));
    }

    /** @param gate the last number of each split comes when it is open */
    static OperatorFactory<Void, Long> source(int splits, CountDownLatch gate) {
        return new OperatorFactory<>() {
            @Override
            public StreamOperator create(Configuration configuration) {
                return new Source<Long>() {
                    @Override
                    public List<byte[]> enumerateSplits() {
                        List<byte[]> all = new ArrayList<>();
                        for (int split = 0; split < splits; split++) {
                            all.add(new byte[] {(byte) split});
                        }
                        return all;
                    }

                    @Override
                    public SplitReader<Long> read(byte[] split) {
                        return new SplitReader<>() {
                            private int next;

                            @Override
                            public boolean step(Collector<Long> out) {
                                if (next == PER_SPLIT - 1 && gate.getCount() > 0) {
                                    return true;
                                }
                                out.collect((long) split[0] * PER_SPLIT + next++);
                                return next < PER_SPLIT;
                            }
                        };
                    }
                };
            }

            @Override
            public Optional<Serializer<Long>> outputSerializer(Configuration configuration) {
                return Optional.of(Serializers.longs());
            }
        };
    }

    /** Emits at the end the sum of the numbers for each remainder of a division by ten. */
    static OperatorFactory<Long, Pair<Long, Long>> sums() {
        return new OperatorFactory<>() {
            @Override
            public StreamOperator create(Configuration configuration) {
                return new KeyedProcess<Long, Long, Pair<Long, Long>>() {
                    private LongState<Long> sum;

                    @Override
                    public void open(KeyedContext<Long> context) {
                        sum = context.longState("sum");
                    }

                    @Override
                    public void process(Long key, Long number, Collector<Pair<Long, Long>> out) {
                        sum.add(number);
                    }

                    @Override
                    public void endOfInput(Collector<Pair<Long, Long>> out) {
                        sum.forEach((key, value) -> out.collect(new Pair<>(key, value)));
                    }
                };
            }

            @Override
            public Optional<Serializer<Pair<Long, Long>>> outputSerializer(Configuration configuration) {
                return Optional.of(Serializers.pair(Serializers.longs(), Serializers.longs()));
            }

            @Override
            public Optional<Keying<?, Long>> keying(Configuration configuration) {
                return Optional.of(new Keying<>(number -> number % 10, Serializers.longs()));
            }
        };
    }

    /** The first input to the main output, and the second one to the side output {@code second}. */
    static final class Both implements TwoInputFactory<Long, Long, Long>, SideOutputFactory<Long, Long> {

        private static final SideOutput<Long> SECOND = new SideOutput<>("second", Serializers::longs);

        @Override
        public StreamOperator create(Configuration configuration) {
            return new TwoInputOperator<Long, Long, Long>() {
                private Collector<Long> second = number -> {};

                @Override
                public void open(OperatorContext context) {
                    second = SECOND.collector(context);
                }

                @Override
                public void processFirst(Long number, Collector<Long> out) {
                    out.collect(number);
                }

                @Override
                public void processSecond(Long number, Collector<Long> out) {
                    second.collect(number);
                }
            };
        }

        @Override
        public Optional<Serializer<Long>> outputSerializer(Configuration configuration) {
            return Optional.of(Serializers.longs());
        }

        @Override
        public List<SideOutput<?>> sideOutputs(Configuration configuration) {
            return List.of(SECOND);
        }
    }

    /** Adds all that comes. */
    static <T> OperatorFactory<T, Void> list(Queue<T> received) {
        return configuration -> (Sink<T>) received::add;
    }
}
