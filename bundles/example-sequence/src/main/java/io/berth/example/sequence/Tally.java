package io.berth.example.sequence;

import io.berth.dataflow.api.Configuration;
import io.berth.dataflow.api.Counter;
import io.berth.dataflow.api.Operator;
import io.berth.dataflow.api.OperatorContext;
import io.berth.dataflow.api.OperatorFactory;
import io.berth.dataflow.api.Sink;
import org.osgi.service.component.annotations.Component;

/**
 * A sink that only keeps two counters: {@code tally.records} and {@code tally.sum}. {@code rate.per.second} limits the
 * rate of each subtask; 0 means no limit.
 */
@Component(service = OperatorFactory.class)
@Operator("tally")
public final class Tally implements OperatorFactory<Long, Void> {

    @Override
    public Sink<Long> create(Configuration configuration) {
        return new Counting(new Pace(configuration.number("rate.per.second", 0, 0, 1_000_000_000)));
    }

    private static final class Counting implements Sink<Long> {

        private final PacedWork work;

        @SuppressWarnings("NullAway.Init")
        private Counter records;

        @SuppressWarnings("NullAway.Init")
        private Counter sum;

        Counting(Pace pace) {
            work = new PacedWork(pace);
        }

        @Override
        public void open(OperatorContext context) {
            records = context.counter("tally.records");
            sum = context.counter("tally.sum");
        }

        @Override
        public void write(Long record) {
            records.add(1);
            sum.add(record);
            work.done();
        }
    }
}
