package io.berth.ha.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.spi.ha.Versioned;
import io.berth.spi.ha.WriteResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileMetadataStoreTest {

    private static final FileMetadataStore.Limits LIMITS = new FileMetadataStore.Limits(1_048_576, 3);

    private static final String TERM = "term-0000000000000001";

    @TempDir
    private Path parent;

    private Path directory;
    private FileMetadataStore store;

    @BeforeEach
    void open() throws IOException {
        directory = parent.resolve("berth/metadata");
        store = FileMetadataStore.open(directory, 1, LIMITS);
    }

    @AfterEach
    void close() throws IOException {
        store.close();
    }

    private void reopen() throws IOException {
        store.close();
        store = FileMetadataStore.open(directory, 1, LIMITS);
    }

    private static byte[] bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return bytes;
    }

    @Test
    void recordIsWrittenChangedDeletedAndSurvivesReopening() throws IOException {
        assertThat(store.read("jobs/a")).isEmpty();
        assertThat(store.write("jobs/a", 0, bytes(1))).isEqualTo(new WriteResult.Written(1));
        assertThat(store.write("jobs/a", 1, bytes())).isEqualTo(new WriteResult.Written(2));
        assertThat(store.write("jobs/b", 0, bytes(3))).isEqualTo(new WriteResult.Written(3));
        reopen();
        assertThat(store.read("jobs/a")).contains(new Versioned(2, bytes()));
        assertThat(store.read("jobs/b")).contains(new Versioned(3, bytes(3)));
        assertThat(store.delete("jobs/a", 2)).isEqualTo(new WriteResult.Written(0));
        reopen();
        assertThat(store.read("jobs/a")).isEmpty();
        assertThat(store.keys("")).containsExactly("jobs/b");
    }

    @Test
    void changeThatExpectsAnotherVersionReturnsTheCurrentRecord() throws IOException {
        store.write("jobs/a", 0, bytes(1));
        Optional<Versioned> current = Optional.of(new Versioned(1, bytes(1)));
        assertThat(store.write("jobs/a", 0, bytes(2))).isEqualTo(new WriteResult.Conflict(current));
        assertThat(store.write("jobs/a", 7, bytes(2))).isEqualTo(new WriteResult.Conflict(current));
        assertThat(store.delete("jobs/a", 2)).isEqualTo(new WriteResult.Conflict(current));
        assertThat(store.write("jobs/b", 1, bytes(2))).isEqualTo(new WriteResult.Conflict(Optional.empty()));
        assertThat(store.delete("jobs/b", 1)).isEqualTo(new WriteResult.Conflict(Optional.empty()));
        assertThat(store.read("jobs/a")).isEqualTo(current);
        assertThat(store.keys("")).containsExactly("jobs/a");
    }

    @Test
    void versionIsNeverUsedTwiceNotEvenAfterTheNewestRecordWasDeleted() throws IOException {
        long last = 0;
        for (int round = 0; round < 10; round++) {
            long written = ((WriteResult.Written) store.write("jobs/a", 0, bytes(round))).version();
            assertThat(written).isGreaterThan(last);
            last = written;
            if (round % 2 == 0) {
                reopen();
            }
            assertThat(store.delete("jobs/a", written)).isEqualTo(new WriteResult.Written(0));
            if (round % 3 == 0) {
                reopen();
            }
        }
    }

    @Test
    void keysAreSortedAndFilteredByPrefix() throws IOException {
        for (String key : List.of("policies/x", "jobs/b", "jobs/a")) {
            store.write(key, 0, bytes(1));
        }
        assertThat(store.keys("")).containsExactly("jobs/a", "jobs/b", "policies/x");
        assertThat(store.keys("jobs/")).containsExactly("jobs/a", "jobs/b");
        assertThat(store.keys("jobs/a")).containsExactly("jobs/a");
        assertThat(store.keys("z")).isEmpty();
    }

    @Test
    void fewFilesRemainAfterManyChangesOfARecord() throws IOException {
        long version = 0;
        for (int change = 0; change < 50; change++) {
            version = ((WriteResult.Written) store.write("jobs/a", version, bytes(change))).version();
        }
        for (int change = 0; change < 20; change++) {
            long other = ((WriteResult.Written) store.write("jobs/b" + change, 0, bytes(1))).version();
            store.delete("jobs/b" + change, other);
        }
        try (Stream<Path> files = Files.list(directory.resolve(TERM))) {
            assertThat(files.map(path -> path.getFileName().toString()).sorted().toList())
                    .hasSize(3)
                    .contains("jobs+a@0000000000000031", "jobs+a@0000000000000032");
        }
    }

    @Test
    void valuesAreCopiedOnTheWayInAndOut() throws IOException {
        byte[] value = bytes(1);
        store.write("jobs/a", 0, value);
        value[0] = 2;
        store.read("jobs/a").orElseThrow().value()[0] = 3;
        assertThat(store.read("jobs/a")).contains(new Versioned(1, bytes(1)));
    }

    @Test
    void ofWritersThatReadTheSameVersionOneWinsAndNoChangeIsLost() throws Exception {
        int writers = 8;
        int rounds = 20;
        CyclicBarrier together = new CyclicBarrier(writers);
        ExecutorService threads = Executors.newFixedThreadPool(writers);
        try {
            List<Future<Integer>> wins = new ArrayList<>();
            for (int writer = 0; writer < writers; writer++) {
                wins.add(threads.submit((Callable<Integer>) () -> increment(rounds, together)));
            }
            int all = 0;
            for (Future<Integer> each : wins) {
                all += each.get();
            }
            assertThat(all).as("one of each round").isEqualTo(rounds);
        } finally {
            threads.shutdownNow();
        }
        reopen();
        Versioned counter = store.read("counter").orElseThrow();
        assertThat(counter.value()[0]).isEqualTo((byte) rounds);
        assertThat(counter.version()).isEqualTo(rounds);
    }

    /** Returns how many of its writes were accepted. */
    private int increment(int rounds, CyclicBarrier together) throws Exception {
        int accepted = 0;
        for (int round = 0; round < rounds; round++) {
            Optional<Versioned> current = store.read("counter");
            byte next = (byte) (current.map(record -> record.value()[0]).orElse((byte) 0) + 1);
            together.await(60, TimeUnit.SECONDS);
            WriteResult result =
                    store.write("counter", current.map(Versioned::version).orElse(0L), new byte[] {next});
            if (result instanceof WriteResult.Written) {
                accepted++;
            }
            together.await(60, TimeUnit.SECONDS);
        }
        return accepted;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "/", "a/", "/a", "a//b", "../a", "a/../b", "a/.b", "A", "a b", "a@b", "a+b", "ä", "a\n"})
    void invalidKeyIsRefusedAndNamed(String key) {
        assertThatThrownBy(() -> store.write(key, 0, bytes(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("metadata key '" + key + "'");
        assertThatThrownBy(() -> store.read(key)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> store.delete(key, 1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void acceptsTheLongestKeyAndNotOneMoreCharacter() throws IOException {
        store.write("k".repeat(200), 0, bytes(1));
        reopen();
        assertThat(store.keys("k")).containsExactly("k".repeat(200));
        assertThatThrownBy(() -> store.read("k".repeat(201)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("of 201 characters");
    }

    @Test
    void acceptsTheLargestValueAndNotOneMoreByte() throws IOException {
        byte[] value = new byte[store.maxValueBytes()];
        store.write("jobs/a", 0, value);
        assertThat(store.read("jobs/a").orElseThrow().value()).isEqualTo(value);
        assertThatThrownBy(() -> store.write("jobs/a", 1, new byte[value.length + 1]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1048577 bytes");
    }

    @Test
    void fullStoreRejectsNewRecordsButChangesOldOnes() throws IOException {
        for (String key : List.of("a", "b", "c")) {
            store.write(key, 0, bytes(1));
        }
        assertThatThrownBy(() -> store.write("d", 0, bytes(1)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("3 records");
        assertThat(store.write("a", 1, bytes(2))).isEqualTo(new WriteResult.Written(4));
        store.delete("b", 2);
        assertThat(store.write("d", 0, bytes(1))).isInstanceOf(WriteResult.Written.class);
    }

    @Test
    void readOnlyDirectoryLeavesTheRecordUnchanged() throws IOException {
        store.write("a", 0, bytes(1));
        Path inTheWay = directory.resolve(TERM).resolve(".unfinished-0000000000000002");
        Files.createDirectories(inTheWay.resolve("full"));
        assertThatThrownBy(() -> store.write("a", 1, bytes(2)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("'a' version 2 could not be written");
        assertThat(store.read("a")).contains(new Versioned(1, bytes(1)));
        assertThat(store.write("a", 1, bytes(3))).isEqualTo(new WriteResult.Written(3));
        Files.delete(inTheWay.resolve("full"));
    }

    @Test
    void closedStoreRejectsEveryCall() throws IOException {
        store.close();
        assertThatThrownBy(() -> store.read("a"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is closed");
        assertThatThrownBy(() -> store.write("a", 0, bytes(1))).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> store.delete("a", 1)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> store.keys("")).isInstanceOf(IOException.class);
    }

    @Test
    void rejectsLimitsOutOfRangeByName() {
        assertThatThrownBy(() -> new FileMetadataStore.Limits(1_048_575, 1)).hasMessageContaining("value.max.bytes");
        assertThatThrownBy(() -> new FileMetadataStore.Limits(1_048_576, 0)).hasMessageContaining("records.max");
    }
}
