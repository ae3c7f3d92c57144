package io.berth.dataflow.api.connect;

import io.berth.dataflow.api.Collector;
import io.berth.dataflow.api.OperatorContext;
import io.berth.dataflow.api.Serializer;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * An output of an operator beside its main one, for example for records that come too late or cannot be read. An edge of the job
 * description says with {@code output: NAME} that it begins there. What is emitted where no edge begins is dropped.
 *
 * @param name as {@code @Operator(sideOutputs = ...)} and job descriptions write it
 * @param serializer creates a serializer for each channel
 */
public record SideOutput<T>(String name, Supplier<Serializer<T>> serializer) {

    /** Rejects missing parts. */
    public SideOutput {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(serializer, "serializer");
    }

    /** Takes the records of this output. Ask for it once, in {@code open}. */
    public Collector<T> collector(OperatorContext context) {
        return context.sideOutput(name);
    }
}
