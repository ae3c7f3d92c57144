package io.berth.runtime.dataflow.task;

import io.berth.dataflow.api.OperatorContext;
import io.berth.dataflow.api.Sink;
import io.berth.dataflow.api.StreamOperator;
import io.berth.runtime.dataflow.measure.RecordCounter;

/** Calls a {@link Sink}. */
final class SinkStage implements Stage {

    private final OperatorName name;
    private final Sink<Object> operator;
    private final OperatorContext context;
    private final RecordCounter records = new RecordCounter();

    SinkStage(OperatorName name, Sink<Object> operator, OperatorContext context) {
        this.name = name;
        this.operator = operator;
        this.context = context;
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
            operator.write(record);
        } catch (Throwable thrown) {
            throw OperatorFailure.of(name, thrown);
        }
    }

    @Override
    public void endOfInput() throws Exception {
        operator.endOfInput();
    }

    @Override
    public void betweenRecords() throws Exception {
        operator.betweenRecords();
    }

    @Override
    public long recordsIn() {
        return records.get();
    }
}
