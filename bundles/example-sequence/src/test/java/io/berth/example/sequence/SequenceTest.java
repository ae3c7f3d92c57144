package io.berth.example.sequence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.dataflow.api.Configuration;
import io.berth.dataflow.api.ConfigurationException;
import io.berth.dataflow.api.ProcessOperator;
import io.berth.dataflow.api.Source;
import io.berth.dataflow.api.SplitReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SequenceTest {

    @Test
    void splitsCoverEveryNumberOnce() throws Exception {
        for (long records : new long[] {0, 1, 6, 7, 5_003}) {
            assertThat(read(Map.of("records", Long.toString(records), "splits", "7")))
                    .containsExactlyElementsOf(
                            LongStream.range(0, records).boxed().toList());
        }
    }

    @Test
    void aRateDoesNotChangeWhatIsRead() throws Exception {
        assertThat(read(Map.of("records", "30", "splits", "2", "rate.per.second", "100000")))
                .hasSize(30)
                .doesNotHaveDuplicates();
    }

    @Test
    void repeatsEachNumberAsOftenAsConfiguredAlsoAtALimitedRate() throws Exception {
        List<Long> emitted = new ArrayList<>();
        ProcessOperator<Long, Long> repeat =
                new Repeat().create(new Configuration("repeat", Map.of("times", "3", "rate.per.second", "100000")));
        for (long number : new long[] {7, 8}) {
            repeat.process(number, emitted::add);
        }
        assertThat(emitted).containsExactly(7L, 7L, 7L, 8L, 8L, 8L);
    }

    @Test
    void theLastNumberComesWhenItsFileIsThere(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("finish");
        Map<String, String> values = Map.of("records", "30", "splits", "3", "last.when.exists", file.toString());
        Source<Long> source = new Sequence().create(new Configuration("sequence", values));
        List<byte[]> splits = source.enumerateSplits();
        List<Long> numbers = new ArrayList<>();
        for (byte[] split : splits.subList(0, 2)) {
            readAll(source, split, numbers);
        }
        try (SplitReader<Long> last = source.read(splits.get(2))) {
            for (int step = 0; step < 10; step++) {
                assertThat(last.step(numbers::add)).isTrue();
            }
            assertThat(numbers)
                    .containsExactlyElementsOf(LongStream.range(0, 29).boxed().toList());
            Files.createFile(file);
            while (last.step(numbers::add)) {
                assertThat(numbers).hasSizeLessThan(30);
            }
        }
        assertThat(numbers)
                .containsExactlyElementsOf(LongStream.range(0, 30).boxed().toList());
    }

    @Test
    void saysHowManyNumbersOfASplitAreLeft() throws Exception {
        Source<Long> source =
                new Sequence().create(new Configuration("sequence", Map.of("records", "10000", "splits", "3")));
        long atFirst = 0;
        for (byte[] split : source.enumerateSplits()) {
            List<Long> numbers = new ArrayList<>();
            try (SplitReader<Long> reader = source.read(split)) {
                long all = reader.recordsLeft().orElseThrow();
                atFirst += all;
                boolean more = true;
                while (more) {
                    more = reader.step(numbers::add);
                    assertThat(reader.recordsLeft()).hasValue(all - numbers.size());
                }
                assertThat(reader.recordsLeft()).hasValue(0);
                assertThat(reader.lagMillis()).as("numbers have no time").isEmpty();
            }
        }
        assertThat(atFirst).isEqualTo(10_000);
    }

    @Test
    void rejectsMoreSplitsThanAllowed() {
        Configuration configuration = new Configuration("sequence", Map.of("splits", "0"));
        assertThatThrownBy(() -> new Sequence().create(configuration))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("splits")
                .hasMessageContaining("1 to 10000");
    }

    private static List<Long> read(Map<String, String> values) throws Exception {
        Source<Long> source = new Sequence().create(new Configuration("sequence", values));
        List<Long> numbers = new ArrayList<>();
        for (byte[] split : source.enumerateSplits()) {
            readAll(source, split, numbers);
        }
        return numbers;
    }

    private static void readAll(Source<Long> source, byte[] split, List<Long> numbers) throws Exception {
        try (SplitReader<Long> reader = source.read(split)) {
            boolean more = true;
            while (more) {
                more = reader.step(numbers::add);
            }
        }
    }
}
