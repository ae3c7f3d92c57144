package io.berth.dataflow.api;

import org.osgi.annotation.versioning.ConsumerType;

/** Takes the key out of a record. A key's {@code hashCode} must be equal in every JVM. */
@FunctionalInterface
@ConsumerType
public interface KeySelector<I, K> {

    /** The key of {@code record}; it may be valid only as long as the record is. */
    K key(I record);
}
