package io.berth.runtime.dataflow.task;

import io.berth.core.api.task.TaskContext;
import io.berth.core.api.task.TaskDeployment.ChainedOperator;
import io.berth.dataflow.api.Configuration;
import io.berth.dataflow.api.KeySelector;
import io.berth.dataflow.api.OperatorFactory;
import io.berth.dataflow.api.Serializer;
import io.berth.dataflow.api.StreamOperator;

/** The operator factories of a job, as a task sees them. */
record Operators(TaskContext context) {

    Configuration configuration(ChainedOperator operator) {
        return new Configuration(operator.operator(), operator.configuration());
    }

    @SuppressWarnings("unchecked")
    OperatorFactory<Object, Object> factory(ChainedOperator operator) {
        Object service = context.operator(operator.operator())
                .orElseThrow(() -> new IllegalArgumentException("operator '" + operator.operator() + "' of vertex '"
                        + operator.vertex() + "' is not in the job's bundles and not built in"));
        if (service instanceof OperatorFactory<?, ?> factory) {
            return (OperatorFactory<Object, Object>) factory;
        }
        throw new IllegalArgumentException("service of operator '" + operator.operator() + "' is a "
                + service.getClass().getName() + ", not an OperatorFactory of this runtime's dataflow API");
    }

    StreamOperator create(ChainedOperator operator) {
        OperatorName name = new OperatorName(operator.vertex(), operator.operator());
        OperatorFactory<Object, Object> factory = factory(operator);
        try {
            return factory.create(configuration(operator));
        } catch (Throwable thrown) {
            throw OperatorFailure.of(name, thrown);
        }
    }

    Serializer<Object> serializer(ChainedOperator producer) {
        return factory(producer)
                .outputSerializer(configuration(producer))
                .orElseThrow(() -> new IllegalArgumentException("operator '" + producer.operator() + "' of vertex '"
                        + producer.vertex() + "' has an outgoing edge, but its factory gives no output serializer"));
    }

    /** The key selector of a hash edge to {@code consumer}: that of its keying, or the record itself. */
    @SuppressWarnings("unchecked")
    KeySelector<Object, ?> keys(ChainedOperator consumer) {
        return factory(consumer)
                .keying(configuration(consumer))
                .<KeySelector<Object, ?>>map(keying -> (KeySelector<Object, ?>) keying.selector())
                .orElse(record -> record);
    }
}
