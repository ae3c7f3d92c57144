package io.berth.dataflow.api;

import java.util.Optional;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Creates the instances of one operator. It is registered as an OSGi service and named by {@link Operator}. Any thread
 * may call the methods, several at once.
 *
 * @param <I> the input of the operator; {@link Void} for a source
 * @param <O> the output of the operator; {@link Void} for a sink
 */
@ConsumerType
public interface OperatorFactory<I, O> {

    /**
     * Creates an operator: a {@link Source}, {@link ProcessOperator}, {@link KeyedProcess} or {@link Sink}. Called
     * once per task, before its inputs exist, so it must not open anything. It is never called at submission, because
     * the control plane runs no code of a job.
     *
     * @throws ConfigurationException when a value of the configuration is wrong
     */
    StreamOperator create(Configuration configuration);

    /** How records of this operator are written to an exchange; empty for a sink. */
    default Optional<Serializer<O>> outputSerializer(Configuration configuration) {
        return Optional.empty();
    }

    /**
     * How the input of this operator is keyed; empty when it is not keyed. Producers of a hash edge use it to choose
     * the subtask. A factory of {@link KeyedProcess} operators must return one.
     */
    default Optional<Keying<?, I>> keying(Configuration configuration) {
        return Optional.empty();
    }
}
