package io.berth.example.sequence;

import io.berth.dataflow.api.Collector;
import io.berth.dataflow.api.Configuration;
import io.berth.dataflow.api.Operator;
import io.berth.dataflow.api.OperatorFactory;
import io.berth.dataflow.api.ProcessOperator;
import io.berth.dataflow.api.Serializer;
import io.berth.dataflow.api.Serializers;
import java.util.Optional;
import org.osgi.service.component.annotations.Component;

/**
 * Emits each number {@code times} times, as a sentence has several words. {@code rate.per.second} limits the numbers that
 * each subtask receives; 0 means no limit.
 */
@Component(service = OperatorFactory.class)
@Operator("repeat")
public final class Repeat implements OperatorFactory<Long, Long> {

    @Override
    public ProcessOperator<Long, Long> create(Configuration configuration) {
        return new Repeating(
                (int) configuration.number("times", 1, 0, 1_000_000),
                new Pace(configuration.number("rate.per.second", 0, 0, 1_000_000_000)));
    }

    @Override
    public Optional<Serializer<Long>> outputSerializer(Configuration configuration) {
        return Optional.of(Serializers.longs());
    }

    private static final class Repeating implements ProcessOperator<Long, Long> {

        private final int times;
        private final PacedWork work;

        Repeating(int times, Pace pace) {
            this.times = times;
            this.work = new PacedWork(pace);
        }

        @Override
        public void process(Long number, Collector<Long> out) {
            for (int time = 0; time < times; time++) {
                out.collect(number);
            }
            work.done();
        }
    }
}
