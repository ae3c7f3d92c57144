package io.berth.dataflow.api;

import java.util.Optional;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Makes the instances of one operator. Registered as an OSGi service and named by {@link Operator}.
 * All methods may be called by any thread, several at once.
 *
 * @param <I> what the operator takes in; {@link Void} for a source
 * @param <O> what it gives out; {@link Void} for a sink
 */
@ConsumerType
public interface OperatorFactory<I, O> {

    /**
     * A new operator: a {@link Source}, {@link ProcessOperator}, {@link KeyedProcess} or {@link Sink}.
     * Called once per task, before its inputs are there: it opens nothing. Never called at submission, since the control
     * plane runs no code of a job.
     *
     * @throws ConfigurationException when a value of the configuration does not fit
     */
    StreamOperator create(Configuration configuration);

    /** How records leave this operator over an exchange; empty for a sink. */
    default Optional<Serializer<O>> outputSerializer(Configuration configuration) {
        return Optional.empty();
    }

    /**
     * How this operator's input is keyed; empty when it is not. Producers of a hash edge ask it to
     * choose the subtask. A factory of {@link KeyedProcess} operators must give one.
     */
    default Optional<Keying<?, I>> keying(Configuration configuration) {
        return Optional.empty();
    }
}
