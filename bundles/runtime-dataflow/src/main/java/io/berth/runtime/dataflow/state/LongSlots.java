package io.berth.runtime.dataflow.state;

import io.berth.dataflow.api.LongState;
import io.berth.dataflow.api.RecordInput;
import io.berth.dataflow.api.RecordOutput;
import io.berth.dataflow.api.Serializer;
import java.util.ArrayList;
import java.util.List;

/** A state of longs: per key group a table of keys and a column of values. */
final class LongSlots<K> implements LongState<K>, Slots<K> {

    private final Serializer<K> serializer;
    private final CurrentKey<K> current;
    private final List<Group<K>> groups = new ArrayList<>();

    private static final class Group<K> {
        private final KeyTable<K> table;
        private long[] values;

        Group(Serializer<K> serializer) {
            table = new KeyTable<>(serializer);
            values = new long[table.capacity()];
        }

        int make(K key, int hash) {
            if (table.mustGrow()) {
                long[] old = values;
                long[] larger = new long[old.length * 2];
                table.grow((from, to) -> larger[to] = old[from]);
                values = larger;
            }
            int at = table.insert(key, hash);
            values[at] = 0;
            return at;
        }
    }

    LongSlots(Serializer<K> serializer, int count, CurrentKey<K> current) {
        this.serializer = serializer;
        this.current = current;
        for (int i = 0; i < count; i++) {
            groups.add(new Group<>(serializer));
        }
    }

    @Override
    public long get() {
        Group<K> group = groups.get(current.group());
        int at = group.table.find(current.key(), current.hash());
        return at < 0 ? 0 : group.values[at];
    }

    @Override
    public void set(long value) {
        Group<K> group = groups.get(current.group());
        int at = place(group);
        group.values[at] = value;
    }

    @Override
    public long add(long delta) {
        Group<K> group = groups.get(current.group());
        int at = place(group);
        return group.values[at] += delta;
    }

    private int place(Group<K> group) {
        int at = group.table.find(current.key(), current.hash());
        return at < 0 ? group.make(current.key(), current.hash()) : at;
    }

    @Override
    public void forEach(Visitor<K> visitor) {
        for (Group<K> group : groups) {
            for (int at = 0; at < group.table.capacity(); at++) {
                K key = group.table.key(at);
                if (key != null) {
                    visitor.visit(key, group.values[at]);
                }
            }
        }
    }

    @Override
    public void write(int index, RecordOutput out) {
        Group<K> group = groups.get(index);
        out.writeVarInt(group.table.size());
        for (int at = 0; at < group.table.capacity(); at++) {
            K key = group.table.key(at);
            if (key != null) {
                serializer.write(key, out);
                out.writeLong(group.values[at]);
            }
        }
    }

    @Override
    public void read(int index, RecordInput in) {
        Group<K> group = groups.get(index);
        for (int left = in.readVarInt(); left > 0; left--) {
            K key = serializer.read(in);
            int at = group.make(key, key.hashCode());
            group.values[at] = in.readLong();
        }
    }
}
