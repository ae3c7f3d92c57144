package io.berth.runtime.dataflow.task;

import io.berth.dataflow.api.Collector;
import io.berth.dataflow.api.KeySelector;
import io.berth.dataflow.api.KeyedProcess;
import io.berth.dataflow.api.StreamOperator;
import io.berth.runtime.dataflow.measure.RecordCounter;
import io.berth.runtime.dataflow.state.KeyedStore;

/** Calls a {@link KeyedProcess}, with its state at the record's key. */
final class KeyedStage implements Stage {

    private final OperatorName name;
    private final KeyedProcess<Object, Object, Object> operator;
    private final TaskOperatorContext context;
    private final KeySelector<Object, Object> selector;
    private final KeyedStore<Object> store;
    private final Collector<Object> out;
    private final RecordCounter records = new RecordCounter();

    KeyedStage(
            OperatorName name,
            KeyedProcess<Object, Object, Object> operator,
            TaskOperatorContext context,
            KeySelector<Object, Object> selector,
            KeyedStore<Object> store,
            Collector<Object> out) {
        this.name = name;
        this.operator = operator;
        this.context = context;
        this.selector = selector;
        this.store = store;
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
        operator.open(new TaskKeyedContext<>(context, store));
    }

    @Override
    public void collect(Object record) {
        records.increment();
        try {
            Object key = selector.key(record);
            store.at(key);
            operator.process(key, record, out);
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
