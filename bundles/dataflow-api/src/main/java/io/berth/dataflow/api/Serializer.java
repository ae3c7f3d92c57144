package io.berth.dataflow.api;

import org.osgi.annotation.versioning.ConsumerType;

/**
 * Writes records as bytes and reads them back. One instance serves one thread at a time; the runtime
 * asks the factory for one per channel.
 */
@ConsumerType
public interface Serializer<T> {

    /** Writes {@code record}, at least one byte. */
    void write(T record, RecordOutput out);

    /** Reads one record; it may be an object that the next call reuses, and may look into the input. */
    T read(RecordInput in);

    /** A record equal to this one that may be kept; immutable records return themselves. */
    T copy(T record);
}
