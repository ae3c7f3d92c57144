package io.berth.dataflow.api.connect;

import io.berth.dataflow.api.Configuration;
import io.berth.dataflow.api.Keying;
import io.berth.dataflow.api.OperatorFactory;
import java.util.Optional;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Creates a {@link TwoInputOperator} or {@link KeyedTwoInput}. It is registered as an {@link OperatorFactory} service whose
 * {@code @Operator} says {@code inputs = 2}.
 *
 * @param <A> the first input
 * @param <B> the second input
 * @param <O> the output
 */
@ConsumerType
public interface TwoInputFactory<A, B, O> extends OperatorFactory<A, O> {

    /**
     * How the second input is keyed, as {@link #keying} says it of the first one; empty when it is not keyed. A factory of
     * {@link KeyedTwoInput} must return both, with keys of one type.
     */
    default Optional<Keying<?, B>> secondKeying(Configuration configuration) {
        return Optional.empty();
    }
}
