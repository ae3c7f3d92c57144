package io.berth.runtime.dataflow.state;

import io.berth.dataflow.api.RecordInput;
import io.berth.dataflow.api.RecordOutput;
import io.berth.dataflow.api.Serializer;
import io.berth.dataflow.api.ValueState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/** A state of values: per key group a table of keys and a column of values. */
final class ValueSlots<K, V> implements ValueState<K, V>, Slots<K> {

    private final Serializer<K> keySerializer;
    private final Serializer<V> valueSerializer;
    private final CurrentKey<K> current;
    private final List<Group<K>> groups = new ArrayList<>();

    private static final class Group<K> {
        private final KeyTable<K> table;
        private Object[] values;

        Group(Serializer<K> serializer) {
            table = new KeyTable<>(serializer);
            values = new Object[table.capacity()];
        }

        int make(K key, int hash) {
            if (table.mustGrow()) {
                Object[] old = values;
                Object[] larger = new Object[old.length * 2];
                table.grow((from, to) -> larger[to] = old[from]);
                values = larger;
            }
            return table.insert(key, hash);
        }
    }

    ValueSlots(Serializer<K> keySerializer, Serializer<V> valueSerializer, int count, CurrentKey<K> current) {
        this.keySerializer = keySerializer;
        this.valueSerializer = valueSerializer;
        this.current = current;
        for (int i = 0; i < count; i++) {
            groups.add(new Group<>(keySerializer));
        }
    }

    @Override
    public Optional<V> get() {
        Group<K> group = groups.get(current.group());
        int at = group.table.find(current.key(), current.hash());
        return at < 0 ? Optional.empty() : Optional.ofNullable(value(group, at));
    }

    @Override
    public void set(V value) {
        Group<K> group = groups.get(current.group());
        int at = group.table.find(current.key(), current.hash());
        int place = at < 0 ? group.make(current.key(), current.hash()) : at;
        group.values[place] = value;
    }

    @Override
    public void clear() {
        Group<K> group = groups.get(current.group());
        int at = group.table.find(current.key(), current.hash());
        if (at >= 0) {
            Object[] values = group.values;
            values[group.table.remove(at, (from, to) -> values[to] = values[from])] = null;
        }
    }

    /** Number of places for keys, used or not. */
    int capacity() {
        return groups.stream().mapToInt(group -> group.table.capacity()).sum();
    }

    @SuppressWarnings("unchecked")
    private V value(Group<K> group, int at) {
        return (V) group.values[at];
    }

    @Override
    public void forEach(BiConsumer<K, V> visitor) {
        groups.forEach(group -> forEach(group, visitor));
    }

    private void forEach(Group<K> group, BiConsumer<K, V> visitor) {
        for (int at = 0; at < group.table.capacity(); at++) {
            if (group.values[at] != null) {
                visitor.accept(group.table.key(at), value(group, at));
            }
        }
    }

    @Override
    public void write(int index, RecordOutput out) {
        List<K> keys = new ArrayList<>();
        List<V> values = new ArrayList<>();
        forEach(groups.get(index), (key, value) -> {
            keys.add(key);
            values.add(value);
        });
        out.writeVarInt(keys.size());
        for (int i = 0; i < keys.size(); i++) {
            keySerializer.write(keys.get(i), out);
            valueSerializer.write(values.get(i), out);
        }
    }

    @Override
    public void read(int index, RecordInput in) {
        Group<K> group = groups.get(index);
        for (int left = in.readVarInt(); left > 0; left--) {
            K key = keySerializer.read(in);
            int at = group.make(key, key.hashCode());
            group.values[at] = valueSerializer.copy(valueSerializer.read(in));
        }
    }
}
