package io.berth.runtime.dataflow.measure;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Counts records. One thread counts, at the cost of a plain field; any thread reads. */
public final class RecordCounter {

    private static final VarHandle VALUE = handle();

    private long value;

    private static VarHandle handle() {
        try {
            return MethodHandles.lookup().findVarHandle(RecordCounter.class, "value", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Counts one record. */
    public void increment() {
        VALUE.setOpaque(this, value + 1);
    }

    /** Counts several records. */
    public void add(long count) {
        VALUE.setOpaque(this, value + count);
    }

    /** The number so far. */
    public long get() {
        return (long) VALUE.getOpaque(this);
    }
}
