package io.berth.runtime.dataflow.task;

import io.berth.dataflow.api.Collector;
import io.berth.dataflow.api.Counter;
import io.berth.dataflow.api.KeyedContext;
import io.berth.dataflow.api.LongState;
import io.berth.dataflow.api.OperatorContext;
import io.berth.dataflow.api.Serializer;
import io.berth.dataflow.api.ValueState;
import io.berth.runtime.dataflow.state.KeyedStore;
import java.util.Optional;

/** Passed to a keyed operator when it is opened. */
record TaskKeyedContext<K>(OperatorContext context, KeyedStore<K> store) implements KeyedContext<K> {

    @Override
    public LongState<K> longState(String name) {
        return store.longs(name);
    }

    @Override
    public <V> ValueState<K, V> valueState(String name, Serializer<V> serializer) {
        return store.values(name, serializer);
    }

    @Override
    public String jobId() {
        return context.jobId();
    }

    @Override
    public String jobName() {
        return context.jobName();
    }

    @Override
    public String vertex() {
        return context.vertex();
    }

    @Override
    public int subtask() {
        return context.subtask();
    }

    @Override
    public int parallelism() {
        return context.parallelism();
    }

    @Override
    public int maxParallelism() {
        return context.maxParallelism();
    }

    @Override
    public long epoch() {
        return context.epoch();
    }

    @Override
    public long execution() {
        return context.execution();
    }

    @Override
    public String attempt() {
        return context.attempt();
    }

    @Override
    public Optional<String> secret(String name) {
        return context.secret(name);
    }

    @Override
    public <T> Collector<T> sideOutput(String name) {
        return context.sideOutput(name);
    }

    @Override
    public Counter counter(String name) {
        return context.counter(name);
    }
}
