package io.berth.runtime.dataflow.task;

import io.berth.dataflow.api.Collector;
import io.berth.dataflow.api.KeySelector;
import io.berth.dataflow.api.PermanentException;
import io.berth.dataflow.api.StreamOperator;
import io.berth.dataflow.api.Text;
import io.berth.dataflow.api.connect.KeyedTwoInput;
import io.berth.runtime.dataflow.measure.RecordCounter;
import io.berth.runtime.dataflow.state.KeyedStore;
import org.jspecify.annotations.Nullable;

/** Calls a {@link KeyedTwoInput}, with its state at the record's key. It takes the records of the first input itself. */
final class KeyedTwoInputStage implements Stage, TwoInputs {

    private final OperatorName name;
    private final KeyedTwoInput<Object, Object, Object, Object> operator;
    private final TaskOperatorContext context;
    private final Keys keys;
    private final KeyedStore<Object> store;
    private final Collector<Object> out;
    private final RecordCounter records = new RecordCounter();
    private final Collector<Object> second = this::collectSecond;
    /** Of the first key of the first input. */
    private @Nullable Class<?> firstType;
    /** Of the first key of the second input. */
    private @Nullable Class<?> secondType;

    /** Extract the keys of both inputs. */
    record Keys(KeySelector<Object, Object> first, KeySelector<Object, Object> second) {}

    KeyedTwoInputStage(
            OperatorName name,
            KeyedTwoInput<Object, Object, Object, Object> operator,
            TaskOperatorContext context,
            Keys keys,
            KeyedStore<Object> store,
            Collector<Object> out) {
        this.name = name;
        this.operator = operator;
        this.context = context;
        this.keys = keys;
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
            Object key = keys.first().key(record);
            if (firstType == null) {
                firstType = key.getClass();
                requireSameType();
            }
            store.at(key);
            operator.processFirst(key, record, out);
        } catch (Throwable thrown) {
            throw OperatorFailure.of(name, thrown);
        }
    }

    private void collectSecond(Object record) {
        records.increment();
        try {
            Object key = keys.second().key(record);
            if (secondType == null) {
                secondType = key.getClass();
                requireSameType();
            }
            store.at(key);
            operator.processSecond(key, record, out);
        } catch (Throwable thrown) {
            throw OperatorFailure.of(name, thrown);
        }
    }

    /** Keys of different types are never equal, so nothing would meet. Classes of a user may share an interface. */
    private void requireSameType() {
        Class<?> here = firstType;
        Class<?> there = secondType;
        if (here != null && there != null && here != there && (isSimple(here) || isSimple(there))) {
            throw new PermanentException("the keys of the first input are " + here.getName()
                    + ", and those of the second one are " + there.getName()
                    + ": keying and secondKeying must give keys of one type");
        }
    }

    private static boolean isSimple(Class<?> type) {
        return type == Text.class || type.getPackageName().equals("java.lang");
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
