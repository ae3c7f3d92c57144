package io.berth.core.dispatcher.bundle;

import io.berth.core.api.job.JobGraph.JobVertex;
import java.util.List;

/**
 * An operator that job descriptions may name.
 *
 * @param keyed whether its input must be partitioned by hash
 * @param inputs 1, or 2 of an operator with two inputs
 * @param sideOutputs names of its outputs beside the main one
 * @param runtime name of the task runtime that runs it
 */
public record OfferedOperator(String name, boolean keyed, int inputs, List<String> sideOutputs, String runtime) {

    public OfferedOperator {
        sideOutputs = List.copyOf(sideOutputs);
    }

    /** An operator of the runtime {@code dataflow}. */
    public OfferedOperator(String name, boolean keyed, int inputs, List<String> sideOutputs) {
        this(name, keyed, inputs, sideOutputs, JobVertex.DATAFLOW);
    }

    /** An operator of the runtime {@code dataflow} with one input and one output. */
    public OfferedOperator(String name, boolean keyed) {
        this(name, keyed, 1, List.of());
    }
}
