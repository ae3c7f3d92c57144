package io.berth.example.sort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.dataflow.api.Configuration;
import io.berth.dataflow.api.Counter;
import io.berth.dataflow.api.KeyGroups;
import io.berth.dataflow.api.Keying;
import io.berth.dataflow.api.OperatorContext;
import io.berth.dataflow.api.ProcessOperator;
import io.berth.dataflow.api.Source;
import io.berth.dataflow.api.SplitReader;
import io.berth.dataflow.api.Text;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SortOperatorsTest {

    private static final int RANGES = 32;

    @TempDir
    Path folder;

    private static List<Text> records(Map<String, String> values) throws Exception {
        Source<Text> source = new SortRecords().create(new Configuration("sort-records", values));
        List<Text> records = new ArrayList<>();
        for (byte[] split : source.enumerateSplits()) {
            try (SplitReader<Text> reader = source.read(split)) {
                while (reader.step(record -> records.add(record.copy()))) {
                    assertThat(reader.recordsLeft().orElseThrow()).isPositive();
                }
            }
        }
        return records;
    }

    private Configuration configuration(String ranges) {
        return new Configuration(
                "sort", Map.of("ranges", ranges, "spill.path", folder.toString(), "memory.bytes", "1048576"));
    }

    @SuppressWarnings("unchecked")
    private static <K> K key(Keying<K, ?> keying, Text record) {
        return ((Keying<K, Text>) keying).selector().key(record);
    }

    @Test
    void theSourceGeneratesEachRecordOnceWhateverTheSplits() throws Exception {
        List<Text> whole = records(Map.of("records", "2501", "splits", "1"));
        assertThat(whole)
                .hasSize(2501)
                .doesNotHaveDuplicates()
                .allSatisfy(record ->
                        assertThat(record.toString()).matches("[ -~]{10}  0{16}[0-9A-F]{16}  [0-9A-F]{52}\r"));
        assertThat(whole.get(2500).toString()).contains("  000000000000000000000000000009C4  ");
        assertThat(records(Map.of("records", "2501", "splits", "7"))).isEqualTo(whole);
        assertThat(records(Map.of("records", "3", "splits", "5"))).isEqualTo(whole.subList(0, 3));
    }

    @Test
    void subtasksSortDisjointRangesThatFollowEachOther() throws Exception {
        List<Text> all = records(Map.of("records", "40000", "splits", "3"));
        Keying<?, Text> keying = new Sort().keying(configuration("32")).orElseThrow();
        List<Text> result = new ArrayList<>();
        Place place = new Place(3);
        for (int subtask = 0; subtask < 3; subtask++) {
            place.subtask = subtask;
            ProcessOperator<Text, Text> sort = new Sort().create(configuration("32"));
            sort.open(place);
            int before = result.size();
            for (Text record : all) {
                int group = KeyGroups.keyGroup(key(keying, record).hashCode(), RANGES);
                if (KeyGroups.subtask(group, 3, RANGES) == subtask) {
                    sort.process(record, any -> {});
                }
            }
            sort.endOfInput(record -> result.add(record.copy()));
            sort.close();
            assertThat(result.size() - before).as("records of a third").isBetween(12_000, 14_500);
        }
        Collections.sort(all);
        assertThat(result).isEqualTo(all);
        assertThat(place.counters.get("sort.runs").get()).isGreaterThan(3);
        assertThat(place.counters.get("sort.spilled.bytes").get()).isGreaterThan(40_000L * SortRecord.BYTES);
    }

    @Test
    void largerBytesAreNeverInALowerRange() {
        KeyRanges ranges = new KeyRanges(RANGES);
        List<Text> keys = new ArrayList<>();
        for (int first : new int[] {0, 31, 32, 33, 80, 126, 127, 200, 255}) {
            for (int second : new int[] {0, 32, 90, 126, 127, 255}) {
                keys.add(new Text().view(new byte[] {(byte) first, (byte) second, 'x', 'y', 'z'}, 0, 5));
            }
            keys.add(new Text().view(new byte[] {(byte) first}, 0, 1));
        }
        Collections.sort(keys);
        assertThat(keys.stream().map(key -> ranges.range(key.bytes(), key.offset(), key.length())))
                .isSorted()
                .contains(0, RANGES - 1);
    }

    @Test
    void refusesAnotherNumberOfRangesThanKeyGroups() {
        ProcessOperator<Text, Text> sort = new Sort().create(configuration("33"));
        assertThatThrownBy(() -> sort.open(new Place(1)))
                .hasMessageContaining("ranges is 33")
                .hasMessageContaining("is 32");
        assertThatThrownBy(() -> new Sort().create(configuration("0"))).hasMessageContaining("ranges");
    }

    @Test
    void refusesARecordOfAnotherSubtask() throws Exception {
        Place second = new Place(2);
        second.subtask = 1;
        ProcessOperator<Text, Text> sort = new Sort().create(configuration("32"));
        sort.open(second);
        assertThatCode(() -> sort.process(Text.of("~high"), any -> {})).doesNotThrowAnyException();
        assertThatThrownBy(() -> sort.process(Text.of(" low"), any -> {})).hasMessageContaining("hash");
        sort.close();
    }

    /** Where an operator runs, with 32 key groups. */
    private static final class Place implements OperatorContext {

        private final Map<String, AtomicLong> counters = new HashMap<>();
        private final int parallelism;
        private int subtask;

        Place(int parallelism) {
            this.parallelism = parallelism;
        }

        @Override
        public String jobId() {
            return "sort-1";
        }

        @Override
        public String jobName() {
            return "sort";
        }

        @Override
        public String vertex() {
            return "order";
        }

        @Override
        public int subtask() {
            return subtask;
        }

        @Override
        public int parallelism() {
            return parallelism;
        }

        @Override
        public int maxParallelism() {
            return RANGES;
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
            return "1";
        }

        @Override
        public Optional<String> secret(String name) {
            return Optional.empty();
        }

        @Override
        public Counter counter(String name) {
            return counters.computeIfAbsent(name, any -> new AtomicLong())::addAndGet;
        }
    }
}
