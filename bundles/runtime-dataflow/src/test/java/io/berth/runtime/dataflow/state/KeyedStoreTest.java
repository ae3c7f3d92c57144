package io.berth.runtime.dataflow.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.dataflow.api.KeyGroups;
import io.berth.dataflow.api.LongState;
import io.berth.dataflow.api.RecordInput;
import io.berth.dataflow.api.RecordOutput;
import io.berth.dataflow.api.Serializers;
import io.berth.dataflow.api.StateReader;
import io.berth.dataflow.api.StateWriter;
import io.berth.dataflow.api.Text;
import io.berth.dataflow.api.ValueState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class KeyedStoreTest {

    private static final int GROUPS = 16;

    /** A snapshot in memory. */
    private static final class Snapshot implements StateWriter {
        private final Map<String, RecordOutput> written = new TreeMap<>();

        @Override
        public RecordOutput operatorState(String name) {
            throw new AssertionError("keyed state only");
        }

        @Override
        public RecordOutput keyGroupState(String name, int keyGroup) {
            RecordOutput out = RecordOutput.growing();
            assertThat(written.put(name + "/" + keyGroup, out)).isNull();
            return out;
        }

        StateReader reader() {
            return new StateReader() {
                @Override
                public List<RecordInput> operatorState(String name) {
                    return List.of();
                }

                @Override
                public Optional<RecordInput> keyGroupState(String name, int keyGroup) {
                    return Optional.ofNullable(written.get(name + "/" + keyGroup))
                            .map(out -> new RecordInput(out.toByteArray()));
                }
            };
        }
    }

    private static int subtask(Text key, int parallelism) {
        return KeyGroups.subtask(KeyGroups.keyGroup(key.hashCode(), GROUPS), parallelism, GROUPS);
    }

    @Test
    void countsEqualThoseOfAMapWhenKeysAreViewsOfOneArray() {
        KeyedStore<Text> store = new KeyedStore<>(Serializers.text(), 0, 1, GROUPS);
        LongState<Text> counts = store.longs("count");
        Map<String, Long> expected = new HashMap<>();
        Random random = new Random(7);
        byte[] array = new byte[32];
        Text view = new Text();
        for (int i = 0; i < 100_000; i++) {
            int length = 1 + random.nextInt(12);
            for (int b = 0; b < length; b++) {
                array[b] = (byte) ('a' + random.nextInt(3));
            }
            view.view(array, 0, length);
            store.at(view);
            long sum = counts.add(1);
            assertThat(sum).isEqualTo(expected.merge(view.toString(), 1L, Long::sum));
        }
        Map<String, Long> got = new HashMap<>();
        counts.forEach(
                (key, count) -> assertThat(got.put(key.toString(), count)).isNull());
        assertThat(got).isEqualTo(expected);
    }

    @Test
    void stateMovesByKeyGroupFromTwoSubtasksToThree() {
        Snapshot snapshot = new Snapshot();
        for (int s = 0; s < 2; s++) {
            KeyedStore<Text> store = new KeyedStore<>(Serializers.text(), s, 2, GROUPS);
            LongState<Text> counts = store.longs("count");
            ValueState<Text, String> names = store.values("name", Serializers.string());
            for (int i = 0; i < 1000; i++) {
                Text key = Text.of("key" + i);
                if (subtask(key, 2) == s) {
                    store.at(key);
                    counts.set(i);
                    names.set("name" + i);
                }
            }
            store.snapshot(snapshot);
        }
        int found = 0;
        for (int s = 0; s < 3; s++) {
            KeyedStore<Text> store = new KeyedStore<>(Serializers.text(), s, 3, GROUPS);
            LongState<Text> counts = store.longs("count");
            ValueState<Text, String> names = store.values("name", Serializers.string());
            store.restore(snapshot.reader());
            for (int i = 0; i < 1000; i++) {
                Text key = Text.of("key" + i);
                if (subtask(key, 3) == s) {
                    found++;
                    store.at(key);
                    assertThat(counts.get()).isEqualTo(i);
                    assertThat(names.get()).contains("name" + i);
                }
            }
        }
        assertThat(found).isEqualTo(1000);
    }

    @Test
    void aClearedValueIsGoneAndCanBeSetAgain() {
        KeyedStore<String> store = new KeyedStore<>(Serializers.string(), 0, 1, GROUPS);
        ValueState<String, Long> values = store.values("v", Serializers.longs());
        store.at("a");
        values.set(1L);
        values.clear();
        assertThat(values.get()).isEmpty();
        values.forEach((key, value) -> {
            throw new AssertionError("nothing is there");
        });
        values.set(2L);
        assertThat(values.get()).contains(2L);
        store.at("b");
        assertThat(values.get()).isEmpty();
    }

    @Test
    void clearedKeysAreFreedAndTheOthersStayWithTheirValues() {
        KeyTable<String> table = new KeyTable<>(Serializers.string());
        KeyedStore<String> store = new KeyedStore<>(Serializers.string(), 0, 1, 1);
        ValueState<String, Long> values = store.values("v", Serializers.longs());
        Map<String, Long> expected = new TreeMap<>();
        Random random = new Random(11);
        for (int step = 0; step < 20_000; step++) {
            String key = "key" + random.nextInt(300);
            store.at(key);
            int at = table.find(key, key.hashCode());
            if (random.nextInt(3) > 0) {
                expected.put(key, (long) step);
                values.set((long) step);
                if (at < 0) {
                    while (table.mustGrow()) {
                        table.grow((from, to) -> {});
                    }
                    table.insert(key, key.hashCode());
                }
            } else {
                expected.remove(key);
                values.clear();
                if (at >= 0) {
                    table.remove(at, (from, to) -> {});
                }
            }
            assertThat(table.size()).isEqualTo(expected.size());
        }
        Map<String, Long> found = new TreeMap<>();
        values.forEach(found::put);
        assertThat(found).isEqualTo(expected);
        expected.forEach((key, value) -> {
            store.at(key);
            assertThat(values.get()).contains(value);
        });
    }

    @Test
    void stateDoesNotGrowWithClearedKeys() {
        KeyedStore<String> store = new KeyedStore<>(Serializers.string(), 0, 1, 1);
        ValueSlots<String, Long> values = (ValueSlots<String, Long>) store.values("v", Serializers.longs());
        for (int i = 0; i < 100_000; i++) {
            store.at("key" + i);
            values.set((long) i);
            values.clear();
        }
        assertThat(values.capacity()).isEqualTo(16);
    }

    @Test
    void rejectsAKeyOfAnotherSubtask() {
        Text key = Text.of("the");
        KeyedStore<Text> wrong = new KeyedStore<>(Serializers.text(), 1 - subtask(key, 2), 2, GROUPS);
        assertThatThrownBy(() -> wrong.at(key)).hasMessageContaining("key 'the' is of key group");
    }
}
