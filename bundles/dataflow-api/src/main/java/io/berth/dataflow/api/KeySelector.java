package io.berth.dataflow.api;

import org.osgi.annotation.versioning.ConsumerType;

/** Extracts the key of a record. The {@code hashCode} of a key must be the same in every JVM. */
@FunctionalInterface
@ConsumerType
public interface KeySelector<I, K> {

    /** The key of {@code record}. It may be valid only as long as the record is. */
    K key(I record);
}
