package io.berth.example.sort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExternalSortTest {

    private static final long MEMORY = ExternalSort.MIN_MEMORY;

    @TempDir
    Path folder;

    private static void add(ExternalSort sort, byte[] record) throws Exception {
        byte[] within = new byte[record.length + 6];
        System.arraycopy(record, 0, within, 3, record.length);
        sort.add(within, 3, record.length);
        Arrays.fill(within, (byte) 0);
    }

    private static List<byte[]> merged(ExternalSort... sorts) throws Exception {
        List<byte[]> records = new ArrayList<>();
        ExternalSort.merge(
                List.of(sorts),
                (bytes, offset, length) -> records.add(Arrays.copyOfRange(bytes, offset, offset + length)));
        return records;
    }

    private static List<byte[]> random(int count, int minimum, int maximum, int values) {
        Random random = new Random(count);
        return Stream.generate(() -> {
                    byte[] record = new byte[minimum + random.nextInt(maximum - minimum + 1)];
                    for (int i = 0; i < record.length; i++) {
                        record[i] = (byte) (random.nextInt(values) * (256 / values));
                    }
                    return record;
                })
                .limit(count)
                .toList();
    }

    private static void assertSorted(List<byte[]> found, List<byte[]> given) {
        assertThat(found.toArray(byte[][]::new))
                .isEqualTo(given.stream().sorted(Arrays::compareUnsigned).toArray(byte[][]::new));
    }

    private void sorts(List<byte[]> records, int minRuns) throws Exception {
        try (ExternalSort sort = new ExternalSort(folder, MEMORY)) {
            for (byte[] record : records) {
                add(sort, record);
                assertThat(sort.usedBytes()).isLessThanOrEqualTo(MEMORY);
            }
            assertSorted(merged(sort), records);
            assertThat(sort.runs()).isGreaterThanOrEqualTo(minRuns);
        }
    }

    @Test
    void sortsInMemoryWhenThereIsRoom() throws Exception {
        sorts(random(1_000, 0, 40, 256), 0);
        sorts(List.of(), 0);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void mergesRunsThatWereSpilled() throws Exception {
        sorts(random(40_000, 1, 100, 256), 2);
    }

    @Test
    void mergesInSeveralPassesWhenTheBuffersOfAllRunsDoNotFit() throws Exception {
        List<byte[]> records = random(250_000, 90, 100, 256);
        int fit = (int) (MEMORY / (64 << 10));
        try (ExternalSort sort = new ExternalSort(folder, MEMORY)) {
            long bytes = 0;
            for (byte[] record : records) {
                add(sort, record);
                bytes += record.length + SortMemory.HEADER;
            }
            int spilled = sort.runs();
            assertThat(spilled).isGreaterThan(fit);
            assertSorted(merged(sort), records);
            assertThat(sort.runs()).as("with merged ones").isGreaterThan(spilled);
            assertThat(sort.spilledBytes()).isGreaterThan(bytes);
        }
    }

    @Test
    void recordsWithTheSameBeginningAreOrderedByTheirRest() throws Exception {
        sorts(random(60_000, 12, 20, 2), 1);
        sorts(
                random(60_000, 0, 8, 256).stream()
                        .map(record -> ("prefix" + new String(record, StandardCharsets.ISO_8859_1))
                                .getBytes(StandardCharsets.ISO_8859_1))
                        .toList(),
                1);
    }

    @Test
    void recordsMayBeAsLongAsAPage() throws Exception {
        sorts(random(30, SortMemory.MAX_RECORD - 100, SortMemory.MAX_RECORD, 256), 2);
        try (ExternalSort sort = new ExternalSort(folder, MEMORY)) {
            byte[] larger = new byte[SortMemory.MAX_RECORD + 1];
            assertThatThrownBy(() -> sort.add(larger, 0, larger.length))
                    .hasMessageContaining(String.valueOf(larger.length))
                    .hasMessageContaining(String.valueOf(SortMemory.MAX_RECORD));
        }
    }

    @Test
    void severalSortsAreMergedTogether() throws Exception {
        List<byte[]> records = random(30_000, 50, 60, 256);
        try (ExternalSort one = new ExternalSort(folder, MEMORY);
                ExternalSort other = new ExternalSort(folder, MEMORY)) {
            for (int i = 0; i < records.size(); i++) {
                add(i < 25_000 ? one : other, records.get(i));
            }
            assertSorted(merged(one, other), records);
        }
    }

    @Test
    void nothingIsLeftWhenTheProcessDies() throws Exception {
        try (ExternalSort sort = new ExternalSort(folder.resolve("spill"), MEMORY)) {
            for (byte[] record : random(40_000, 90, 100, 256)) {
                add(sort, record);
            }
            assertThat(sort.runs()).isPositive();
            try (Stream<Path> files = Files.list(folder.resolve("spill"))) {
                assertThat(files).as("names of open spill files").isEmpty();
            }
        }
    }
}
