package ${package};

import io.berth.dataflow.api.Collector;
import io.berth.dataflow.api.Configuration;
import io.berth.dataflow.api.KeyedContext;
import io.berth.dataflow.api.KeyedProcess;
import io.berth.dataflow.api.Keying;
import io.berth.dataflow.api.Operator;
import io.berth.dataflow.api.OperatorFactory;
import io.berth.dataflow.api.Serializer;
import io.berth.dataflow.api.Serializers;
import io.berth.dataflow.api.ValueState;
import io.berth.dataflow.api.record.RecordSerializer;
import java.util.Optional;
import org.osgi.service.component.annotations.Component;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sums up the visits of each page. Emits the sums at the end of the input, or each time after "emit.every" visits. */
@Component(service = OperatorFactory.class)
@Operator(value = "sum-by-page", keyed = true)
public final class SumByPage implements OperatorFactory<Visit, PageSums> {

    @Override
    public KeyedProcess<String, Visit, PageSums> create(Configuration configuration) {
        return new Summing(configuration.number("emit.every", 0, 1, 1_000_000));
    }

    @Override
    public Optional<Keying<?, Visit>> keying(Configuration configuration) {
        return Optional.of(new Keying<String, Visit>(Visit::page, Serializers.string()));
    }

    @Override
    public Optional<Serializer<PageSums>> outputSerializer(Configuration configuration) {
        return Optional.of(RecordSerializer.of(PageSums.class));
    }

    static final class Summing implements KeyedProcess<String, Visit, PageSums> {

        private static final Logger LOG = LoggerFactory.getLogger(SumByPage.class);

        /** 0 for only at the end. */
        private final long emitEvery;

        private ValueState<String, PageSums> sums;

        Summing(long emitEvery) {
            this.emitEvery = emitEvery;
        }

        @Override
        public void open(KeyedContext<String> context) {
            sums = context.valueState("sums", RecordSerializer.of(PageSums.class));
            LOG.info("Task {} of {} begins", context.subtask() + 1, context.parallelism());
        }

        @Override
        public void process(String page, Visit visit, Collector<PageSums> out) {
            PageSums sum = sums.get().orElseGet(() -> PageSums.none(page)).plus(visit);
            sums.set(sum);
            if (emitEvery > 0 && sum.visits() % emitEvery == 0) {
                out.collect(sum);
            }
        }

        @Override
        public void endOfInput(Collector<PageSums> out) {
            sums.forEach((page, sum) -> out.collect(sum));
        }
    }
}
