package io.berth.example.wordcount;

import io.berth.dataflow.api.Collector;
import io.berth.dataflow.api.Configuration;
import io.berth.dataflow.api.Operator;
import io.berth.dataflow.api.OperatorContext;
import io.berth.dataflow.api.OperatorFactory;
import io.berth.dataflow.api.Pair;
import io.berth.dataflow.api.ProcessOperator;
import io.berth.dataflow.api.Serializer;
import io.berth.dataflow.api.Serializers;
import io.berth.dataflow.api.Text;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.osgi.service.component.annotations.Component;

/** {@code by-count}: words and counts in order, most frequent first, then by word. Runs at parallelism 1. */
@Component(service = OperatorFactory.class)
@Operator("by-count")
public final class ByCount implements OperatorFactory<Pair<Text, Long>, Pair<Text, Long>> {

    @Override
    public ProcessOperator<Pair<Text, Long>, Pair<Text, Long>> create(Configuration configuration) {
        return new Ordering();
    }

    @Override
    public Optional<Serializer<Pair<Text, Long>>> outputSerializer(Configuration configuration) {
        return Optional.of(Serializers.pair(Serializers.text(), Serializers.longs()));
    }

    private static final class Ordering implements ProcessOperator<Pair<Text, Long>, Pair<Text, Long>> {

        private final List<Pair<Text, Long>> all = new ArrayList<>();

        @Override
        public void open(OperatorContext context) {
            if (context.parallelism() != 1) {
                throw new IllegalStateException("by-count orders all words and needs parallelism 1, not "
                        + context.parallelism() + "; set min, desired and max of vertex '" + context.vertex()
                        + "' to 1");
            }
        }

        @Override
        public void process(Pair<Text, Long> counted, Collector<Pair<Text, Long>> out) {
            all.add(new Pair<>(counted.first().copy(), counted.second()));
        }

        @Override
        public void endOfInput(Collector<Pair<Text, Long>> out) {
            all.sort(Comparator.comparing((Pair<Text, Long> counted) -> counted.second())
                    .reversed()
                    .thenComparing(Pair::first));
            all.forEach(out::collect);
        }
    }
}
