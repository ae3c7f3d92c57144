package io.berth.runtime.dataflow.state;

import io.berth.dataflow.api.KeyGroups;
import io.berth.dataflow.api.LongState;
import io.berth.dataflow.api.Serializer;
import io.berth.dataflow.api.StateReader;
import io.berth.dataflow.api.StateWriter;
import io.berth.dataflow.api.ValueState;
import java.util.Map;
import java.util.TreeMap;

/**
 * The keyed state of one subtask, in memory, by key group. It is written and read back group by group, so that groups
 * can move to other subtasks. Confined to the thread of the task.
 */
public final class KeyedStore<K> {

    private final Serializer<K> keys;
    private final int maxParallelism;
    private final int firstGroup;
    private final int endGroup;
    private final Map<String, Slots<K>> states = new TreeMap<>();
    private final CurrentKey<K> current = new CurrentKey<>();

    /** The state of {@code subtask}. */
    public KeyedStore(Serializer<K> keys, int subtask, int parallelism, int maxParallelism) {
        this.keys = keys;
        this.maxParallelism = maxParallelism;
        this.firstGroup = KeyGroups.first(subtask, parallelism, maxParallelism);
        this.endGroup = KeyGroups.end(subtask, parallelism, maxParallelism);
    }

    /** Makes all states refer to {@code key}. */
    public void at(K key) {
        int hash = key.hashCode();
        int group = KeyGroups.keyGroup(hash, maxParallelism);
        if (group < firstGroup || group >= endGroup) {
            throw new IllegalStateException("key '" + key + "' is of key group " + group + "; this subtask owns "
                    + firstGroup + " to " + (endGroup - 1) + ": its hashCode differs between JVMs or calls");
        }
        current.set(key, hash, group - firstGroup);
    }

    /** The state of longs with this name. */
    public LongState<K> longs(String name) {
        LongSlots<K> slots = new LongSlots<>(keys, endGroup - firstGroup, current);
        add(name, slots);
        return slots;
    }

    /** The state of values with this name. */
    public <V> ValueState<K, V> values(String name, Serializer<V> serializer) {
        ValueSlots<K, V> slots = new ValueSlots<>(keys, serializer, endGroup - firstGroup, current);
        add(name, slots);
        return slots;
    }

    private void add(String name, Slots<K> slots) {
        if (states.putIfAbsent(name, slots) != null) {
            throw new IllegalArgumentException("keyed state '" + name + "' is requested twice");
        }
    }

    /** Writes all states, group by group. */
    public void snapshot(StateWriter writer) {
        states.forEach((name, slots) -> {
            for (int group = firstGroup; group < endGroup; group++) {
                slots.write(group - firstGroup, writer.keyGroupState(name, group));
            }
        });
    }

    /** Reads back the states that were requested. */
    public void restore(StateReader reader) {
        states.forEach((name, slots) -> {
            for (int group = firstGroup; group < endGroup; group++) {
                int index = group - firstGroup;
                reader.keyGroupState(name, group).ifPresent(input -> slots.read(index, input));
            }
        });
    }
}
