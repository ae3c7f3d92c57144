package io.berth.runtime.dataflow.task;

import java.util.Objects;

/** An operator within a job: its vertex and its own name. */
record OperatorName(String vertex, String operator) {

    OperatorName {
        Objects.requireNonNull(vertex, "vertex");
        Objects.requireNonNull(operator, "operator");
    }

    @Override
    public String toString() {
        return "operator '" + operator + "' of vertex '" + vertex + "'";
    }
}
