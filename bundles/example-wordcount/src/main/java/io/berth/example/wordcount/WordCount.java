package io.berth.example.wordcount;

import io.berth.dataflow.api.Collector;
import io.berth.dataflow.api.Configuration;
import io.berth.dataflow.api.KeyedContext;
import io.berth.dataflow.api.KeyedProcess;
import io.berth.dataflow.api.Keying;
import io.berth.dataflow.api.LongState;
import io.berth.dataflow.api.Operator;
import io.berth.dataflow.api.OperatorFactory;
import io.berth.dataflow.api.Pair;
import io.berth.dataflow.api.Serializer;
import io.berth.dataflow.api.Serializers;
import io.berth.dataflow.api.StreamOperator;
import io.berth.dataflow.api.Text;
import java.util.Optional;
import org.osgi.service.component.annotations.Component;

/** {@code word-count}: how often each word occurs, emitted when the input has ended. */
@Component(service = OperatorFactory.class)
@Operator(value = "word-count", keyed = true)
public final class WordCount implements OperatorFactory<Text, Pair<Text, Long>> {

    @Override
    public StreamOperator create(Configuration configuration) {
        return new Counting();
    }

    @Override
    public Optional<Serializer<Pair<Text, Long>>> outputSerializer(Configuration configuration) {
        return Optional.of(Serializers.pair(Serializers.text(), Serializers.longs()));
    }

    @Override
    public Optional<Keying<?, Text>> keying(Configuration configuration) {
        return Optional.of(new Keying<Text, Text>(word -> word, Serializers.text()));
    }

    private static final class Counting implements KeyedProcess<Text, Text, Pair<Text, Long>> {

        @SuppressWarnings("NullAway.Init")
        private LongState<Text> counts;

        @Override
        public void open(KeyedContext<Text> context) {
            counts = context.longState("count");
        }

        @Override
        public void process(Text word, Text record, Collector<Pair<Text, Long>> out) {
            counts.add(1);
        }

        @Override
        public void endOfInput(Collector<Pair<Text, Long>> out) {
            counts.forEach((word, count) -> out.collect(new Pair<>(word, count)));
        }
    }
}
