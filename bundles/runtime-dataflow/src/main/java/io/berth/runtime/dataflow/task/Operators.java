package io.berth.runtime.dataflow.task;

import io.berth.core.api.task.TaskContext;
import io.berth.core.api.task.TaskDeployment.ChainedOperator;
import io.berth.dataflow.api.Configuration;
import io.berth.dataflow.api.KeySelector;
import io.berth.dataflow.api.Keying;
import io.berth.dataflow.api.OperatorFactory;
import io.berth.dataflow.api.Serializer;
import io.berth.dataflow.api.StreamOperator;
import io.berth.dataflow.api.connect.SideOutput;
import io.berth.dataflow.api.connect.SideOutputFactory;
import io.berth.dataflow.api.connect.TwoInputFactory;
import java.util.List;
import java.util.Optional;

/** The operator factories of a job, as a task sees them. */
record Operators(TaskContext context) {

    Configuration configuration(ChainedOperator operator) {
        return new Configuration(operator.operator(), operator.configuration());
    }

    @SuppressWarnings("unchecked")
    OperatorFactory<Object, Object> factory(ChainedOperator operator) {
        Object service = context.operator(operator.operator())
                .orElseThrow(() -> new IllegalArgumentException("operator '" + operator.operator() + "' of vertex '"
                        + operator.vertex()
                        + "' is not built in, and no bundle of the job registers it as a service: annotate"
                        + " its factory with @Component(service = OperatorFactory.class) and @Operator(\""
                        + operator.operator() + "\")"));
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

    /** @param output empty for the main output of {@code producer}, else the name of a side output */
    Serializer<Object> serializer(ChainedOperator producer, String output) {
        if (!output.isEmpty()) {
            return sideSerializer(producer, output);
        }
        return factory(producer)
                .outputSerializer(configuration(producer))
                .orElseThrow(() -> new IllegalArgumentException("operator '" + producer.operator() + "' of vertex '"
                        + producer.vertex() + "' has an outgoing edge, but its factory gives no output serializer"));
    }

    @SuppressWarnings("unchecked")
    private Serializer<Object> sideSerializer(ChainedOperator producer, String output) {
        return sideOutputs(producer).stream()
                .filter(side -> side.name().equals(output))
                .findFirst()
                .map(side -> (Serializer<Object>) side.serializer().get())
                .orElseThrow(() -> new IllegalArgumentException("operator '" + producer.operator() + "' of vertex '"
                        + producer.vertex() + "' has an edge from its side output '" + output
                        + "', and its factory has "
                        + names(producer)));
    }

    private List<SideOutput<?>> sideOutputs(ChainedOperator operator) {
        OperatorFactory<Object, Object> factory = factory(operator);
        return factory instanceof SideOutputFactory<?, ?> sides
                ? sides.sideOutputs(configuration(operator))
                : List.of();
    }

    private List<String> names(ChainedOperator operator) {
        return sideOutputs(operator).stream().map(SideOutput::name).toList();
    }

    /** Fails unless the factory has a side output of that name. */
    void requireSideOutput(ChainedOperator operator, String output) {
        if (!names(operator).contains(output)) {
            throw new IllegalArgumentException("operator '" + operator.operator() + "' of vertex '" + operator.vertex()
                    + "' asks for its side output '" + output + "', and its factory has " + names(operator)
                    + ": list it in sideOutputs of its SideOutputFactory");
        }
    }

    /** How the first or the second input of an operator is keyed, if it is. */
    @SuppressWarnings("unchecked")
    Optional<Keying<Object, Object>> keying(ChainedOperator consumer, int input) {
        OperatorFactory<Object, Object> factory = factory(consumer);
        Optional<?> keying = input == 1
                ? factory.keying(configuration(consumer))
                : factory instanceof TwoInputFactory<?, ?, ?> two
                        ? two.secondKeying(configuration(consumer))
                        : Optional.empty();
        return (Optional<Keying<Object, Object>>) keying;
    }

    /** The key selector of a hash edge to an input of {@code consumer}: that of its keying, or the record itself. */
    KeySelector<Object, ?> keys(ChainedOperator consumer, int input) {
        return keying(consumer, input)
                .<KeySelector<Object, ?>>map(Keying::selector)
                .orElse(record -> record);
    }
}
