package io.berth.runtime.dataflow.task;

import io.berth.dataflow.api.Collector;
import io.berth.dataflow.api.OperatorContext;
import io.berth.dataflow.api.StreamOperator;
import io.berth.dataflow.api.connect.TwoInputOperator;
import io.berth.runtime.dataflow.measure.RecordCounter;

/** Calls a {@link TwoInputOperator}. It takes the records of the first input itself. */
final class TwoInputStage implements Stage, TwoInputs {

    private final OperatorName name;
    private final TwoInputOperator<Object, Object, Object> operator;
    private final OperatorContext context;
    private final Collector<Object> out;
    private final RecordCounter records = new RecordCounter();
    private final Collector<Object> second = this::collectSecond;

    TwoInputStage(
            OperatorName name,
            TwoInputOperator<Object, Object, Object> operator,
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
            operator.processFirst(record, out);
        } catch (Throwable thrown) {
            throw OperatorFailure.of(name, thrown);
        }
    }

    private void collectSecond(Object record) {
        records.increment();
        try {
            operator.processSecond(record, out);
        } catch (Throwable thrown) {
            throw OperatorFailure.of(name, thrown);
        }
    }

    @Override
    public Collector<Object> second() {
        return second;
    }

    @Override
    public void endOf(int input) throws Exception {
        if (input == 1) {
            operator.endOfFirst(out);
        } else {
            operator.endOfSecond(out);
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
