package io.berth.dataflow.api;

import org.osgi.annotation.versioning.ConsumerType;

/**
 * Writes records as bytes and reads them back. One instance serves one thread at a time. The runtime gets one for each
 * channel from the factory.
 */
@ConsumerType
public interface Serializer<T> {

    /** Writes {@code record}, at least one byte. */
    void write(T record, RecordOutput out);

    /** Reads one record. It may be an object that the next call reuses, and it may share the bytes of the input. */
    T read(RecordInput in);

    /** An equal record that the caller may keep. Immutable records return themselves. */
    T copy(T record);
}
