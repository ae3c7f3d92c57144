package io.berth.runtime.dataflow.exchange.output;

import io.berth.dataflow.api.Collector;

/** Writes the records of a task to one edge. Confined to the thread of the task, except {@link #records}. */
public interface EdgeWriter<T> {

    /** The input of the writer. */
    Collector<T> collector();

    /** Number of records written. A record that goes to all parts counts once. Any thread. */
    long records();

    /** Sends what waits to be sent. */
    void flush();

    /** No further record follows. */
    void end();

    /** Returns what the writer holds; nothing can be written afterwards. */
    void abandon();
}
