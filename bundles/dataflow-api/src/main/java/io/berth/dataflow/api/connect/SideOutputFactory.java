package io.berth.dataflow.api.connect;

import io.berth.dataflow.api.Configuration;
import io.berth.dataflow.api.OperatorFactory;
import java.util.List;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Creates an operator, of any kind but a sink, that has side outputs. It is registered as an {@link OperatorFactory} service
 * whose {@code @Operator} names them with {@code sideOutputs}.
 */
@ConsumerType
public interface SideOutputFactory<I, O> extends OperatorFactory<I, O> {

    /** The side outputs, with different names. */
    List<SideOutput<?>> sideOutputs(Configuration configuration);
}
