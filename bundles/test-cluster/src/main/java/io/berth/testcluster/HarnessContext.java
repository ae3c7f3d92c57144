package io.berth.testcluster;

import io.berth.dataflow.api.Collector;
import io.berth.dataflow.api.Counter;
import io.berth.dataflow.api.KeyedContext;
import io.berth.dataflow.api.LongState;
import io.berth.dataflow.api.OperatorContext;
import io.berth.dataflow.api.Serializer;
import io.berth.dataflow.api.ValueState;
import io.berth.runtime.dataflow.state.KeyedStore;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The place of an operator that is the only task of its vertex, in no cluster. */
class HarnessContext implements OperatorContext {

    private final int keyGroups;
    private final Map<String, Collector<?>> sideOutputs = new TreeMap<>();
    private final Map<String, Long> counters = new TreeMap<>();

    HarnessContext(int keyGroups) {
        this.keyGroups = keyGroups;
    }

    void sideOutput(String name, Collector<?> collector) {
        sideOutputs.put(name, collector);
    }

    long counted(String name) {
        return counters.getOrDefault(name, 0L);
    }

    <K> KeyedContext<K> keyed(KeyedStore<K> store) {
        return new Keyed<>(this, store);
    }

    private static final class Keyed<K> extends HarnessContext implements KeyedContext<K> {

        private final HarnessContext whole;
        private final KeyedStore<K> store;

        Keyed(HarnessContext whole, KeyedStore<K> store) {
            super(whole.keyGroups);
            this.whole = whole;
            this.store = store;
        }

        @Override
        public LongState<K> longState(String name) {
            return store.longs(name);
        }

        @Override
        public <V> ValueState<K, V> valueState(String name, Serializer<V> serializer) {
            return store.values(name, serializer);
        }

        @Override
        public Counter counter(String name) {
            return whole.counter(name);
        }

        @Override
        public <T> Collector<T> sideOutput(String name) {
            return whole.sideOutput(name);
        }
    }

    @Override
    public String jobId() {
        return "harness-1";
    }

    @Override
    public String jobName() {
        return "harness";
    }

    @Override
    public String vertex() {
        return "harness";
    }

    @Override
    public int subtask() {
        return 0;
    }

    @Override
    public int parallelism() {
        return 1;
    }

    @Override
    public int maxParallelism() {
        return keyGroups;
    }

    @Override
    public long epoch() {
        return 1;
    }

    @Override
    public long execution() {
        return 1;
    }

    @Override
    public String attempt() {
        return "0-1-1";
    }

    @Override
    public Optional<String> secret(String name) {
        return Optional.empty();
    }

    @Override
    public Counter counter(String name) {
        return amount -> counters.merge(name, amount, Long::sum);
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T> Collector<T> sideOutput(String name) {
        Collector<?> collector = sideOutputs.get(name);
        if (collector == null) {
            throw new IllegalArgumentException("there is no side output '" + name + "': the factory has "
                    + sideOutputs.keySet() + "; list it in sideOutputs of its SideOutputFactory");
        }
        return (Collector<T>) collector;
    }
}
