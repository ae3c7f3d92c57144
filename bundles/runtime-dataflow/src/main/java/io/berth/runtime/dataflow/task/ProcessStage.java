package io.berth.runtime.dataflow.task;

import io.berth.dataflow.api.Collector;
import io.berth.dataflow.api.OperatorContext;
import io.berth.dataflow.api.ProcessOperator;
import io.berth.dataflow.api.StreamOperator;
import io.berth.runtime.dataflow.measure.RecordCounter;

/** Calls a {@link ProcessOperator}. */
final class ProcessStage implements Stage {

    private final OperatorName name;
    private final ProcessOperator<Object, Object> operator;
    private final OperatorContext context;
    private final Collector<Object> out;
    private final RecordCounter records = new RecordCounter();

    ProcessStage(
            OperatorName name,
            ProcessOperator<Object, Object> operator,
            OperatorContext context,
            Collector<Object> out) {
        this.name = name;
        this.operator = operator;
        this.context = context;
        this.out = out;
    }

    @Override
    public OperatorName name() {
        return name;
    }

    @Override
    public StreamOperator operator() {
        return operator;
    }

    @Override
    public void open() throws Exception {
        operator.open(context);
    }

    @Override
    public void collect(Object record) {
        records.increment();
        try {
            operator.process(record, out);
        } catch (Throwable thrown) {
            throw OperatorFailure.of(name, thrown);
        }
    }

    @Override
    public void endOfInput() throws Exception {
        operator.endOfInput(out);
    }

    @Override
    public long recordsIn() {
        return records.get();
    }
}
