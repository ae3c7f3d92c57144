package io.berth.runtime.dataflow.task;

import io.berth.core.api.task.TaskContext;
import io.berth.core.api.task.TaskDeployment;
import io.berth.dataflow.api.Collector;
import io.berth.dataflow.api.Counter;
import io.berth.dataflow.api.OperatorContext;
import java.util.Optional;
import java.util.function.Function;

/**
 * The place where an operator of a task runs.
 *
 * @param sideOutputs takes the name of a side output and gives its collector
 */
record TaskOperatorContext(
        TaskDeployment deployment,
        String vertex,
        TaskContext task,
        TaskCounters counters,
        Function<String, Collector<Object>> sideOutputs)
        implements OperatorContext {

    @Override
    public String jobId() {
        return deployment.attempt().job().value();
    }

    @Override
    public String jobName() {
        return deployment.jobName();
    }

    @Override
    public int subtask() {
        return deployment.attempt().subtask();
    }

    @Override
    public int parallelism() {
        return deployment.parallelism();
    }

    @Override
    public int maxParallelism() {
        return deployment.maxParallelism();
    }

    @Override
    public long epoch() {
        return deployment.attempt().epoch();
    }

    @Override
    public long execution() {
        return deployment.attempt().execution();
    }

    @Override
    public String attempt() {
        int restart = deployment.attempt().restart();
        return subtask() + "-" + Long.toString(epoch(), 36) + "-" + execution() + (restart == 0 ? "" : "-" + restart);
    }

    @Override
    public Optional<String> secret(String name) {
        return task.secret(name);
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T> Collector<T> sideOutput(String name) {
        return (Collector<T>) sideOutputs.apply(name);
    }

    @Override
    public Counter counter(String name) {
        return counters.counter(vertex + "." + name);
    }
}
