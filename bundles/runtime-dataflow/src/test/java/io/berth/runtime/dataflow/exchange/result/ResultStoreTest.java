package io.berth.runtime.dataflow.exchange.result;

import static io.berth.runtime.dataflow.exchange.result.StoreFixture.id;
import static io.berth.runtime.dataflow.exchange.result.StoreFixture.records;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.berth.core.api.job.JobGraph.Partitioning;
import io.berth.core.api.task.PartitionId;
import io.berth.dataflow.api.KeyGroups;
import io.berth.dataflow.api.Serializers;
import io.berth.runtime.dataflow.exchange.buffer.BufferLease;
import io.berth.runtime.dataflow.exchange.buffer.BufferPool;
import io.berth.runtime.dataflow.exchange.output.Partition;
import io.berth.runtime.dataflow.exchange.output.PartitionTable;
import io.berth.runtime.dataflow.exchange.result.StoreFixture.Reading;
import io.berth.spi.JobId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
class ResultStoreTest {

    private static final int MEMORY = 64 << 10;

    @TempDir
    Path folder;

    private StoreFixture fixture;

    @BeforeEach
    void open() {
        fixture = new StoreFixture(folder, 64 << 20, MEMORY);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private List<Path> files() throws IOException {
        try (var files = Files.list(folder)) {
            return files.toList();
        }
    }

    @ParameterizedTest
    @CsvSource({"1,1", "1,3000", "3,2", "7,5000", "128,5000", "128,100", "1000,20000", "32768,40000", "32768,50"})
    void recordsOfAnySizeComeBackInTheirPartsAtAnyParallelism(int parts, int count) throws Exception {
        List<byte[]> records = records(count, 300_000, parts + count);
        Partition partition = fixture.write(id("job", 0), parts, records);
        assertThat(partition.count()).isEqualTo(parts);
        for (int parallelism : new int[] {1, 3, 7, parts}) {
            int step = Math.max(1, parallelism / 11);
            for (int subtask = 0; subtask < parallelism; subtask += step) {
                int first = KeyGroups.first(subtask, parallelism, parts);
                int end = KeyGroups.end(subtask, parallelism, parts);
                List<byte[]> read = new Reading(partition, first, end - first).all();
                assertSame(read, records, parts, first, end);
            }
        }
        await().until(fixture.pool::isWhole);
    }

    /** The records of each part, in the order in which they were written. */
    private static void assertSame(List<byte[]> read, List<byte[]> written, int parts, int first, int end) {
        List<List<byte[]>> got = byPart(read, parts);
        List<List<byte[]>> expected = byPart(written, parts);
        for (int part = 0; part < parts; part++) {
            int size = part < first || part >= end ? 0 : expected.get(part).size();
            assertThat(got.get(part)).hasSize(size);
            for (int i = 0; i < size; i++) {
                assertThat(got.get(part).get(i)).isEqualTo(expected.get(part).get(i));
            }
        }
    }

    private static List<List<byte[]>> byPart(List<byte[]> records, int parts) {
        List<List<byte[]>> byPart = new ArrayList<>();
        IntStream.range(0, parts).forEach(part -> byPart.add(new ArrayList<>()));
        records.forEach(record -> byPart.get(StoreFixture.part(record, parts)).add(record));
        return byPart;
    }

    @ParameterizedTest
    @CsvSource({"64,48", "21,16", "8,6"})
    void fewRecordsWithoutAKeyAreSharedEvenly(int recordsOfAProducer, int share) throws Exception {
        int[] read = new int[4];
        for (int producer = 0; producer < 3; producer++) {
            ResultWriter<byte[]> writer = fixture.store.writer(
                    id("job", producer), 128, Partitioning.REBALANCE, record -> 0, Serializers::bytes);
            records(recordsOfAProducer, 100, producer).forEach(writer.collector()::collect);
            writer.end();
            writer.publish();
            for (int consumer = 0; consumer < 4; consumer++) {
                int first = KeyGroups.first(consumer, 4, 128);
                read[consumer] += new Reading(fixture.find(id("job", producer)), first, 32)
                        .all()
                        .size();
            }
        }
        assertThat(IntStream.of(read).sum()).isEqualTo(3 * recordsOfAProducer);
        assertThat(IntStream.of(read).boxed())
                .allSatisfy(count -> assertThat(count).isBetween(share - 1, share + 1));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 6, 30, 128, 32_768})
    void manyRecordsWithoutAKeyAreSharedEvenly(int parts) throws Exception {
        ResultWriter<byte[]> writer =
                fixture.store.writer(id("job", 5), parts, Partitioning.REBALANCE, record -> 0, Serializers::bytes);
        for (int i = 0; i < 2 * parts; i++) {
            writer.collector().collect(new byte[] {1});
        }
        writer.end();
        writer.publish();
        int step = Math.max(1, parts / 10);
        for (int part = 0; part < parts; part += step) {
            assertThat(new Reading(fixture.find(id("job", 5)), part, 1).all()).hasSize(2);
        }
    }

    @Test
    void anEmptyResultHasNoFileAndEndsAtOnce() throws Exception {
        Partition partition = fixture.write(id("job", 0), 128, List.of());

        assertThat(new Reading(partition, 0, 128).all()).isEmpty();
        assertThat(new Reading(partition, 5, 0).all()).isEmpty();
        assertThat(files()).isEmpty();
    }

    @Test
    void partsThatThereAreNotCannotBeRead() {
        Partition partition = fixture.write(id("job", 0), 4, records(10, 100, 1));

        assertThat(partition.source(0, 4)).isPresent();
        assertThat(partition.source(4, 0)).isPresent();
        assertThat(partition.source(0, 5)).isEmpty();
        assertThat(partition.source(-1, 2)).isEmpty();
        assertThat(partition.source(2, Integer.MAX_VALUE)).isEmpty();
    }

    @Test
    void severalConsumersReadTheSamePartsAtTheSameTimeAndAgain() throws Exception {
        List<byte[]> records = records(3_000, 1_000, 2);
        Partition partition = fixture.write(id("job", 0), 4, records);
        Reading one = new Reading(partition, 0, 4);
        Reading two = new Reading(partition, 0, 4);
        Reading gone = new Reading(partition, 0, 4);

        boolean more = one.step() & two.step() & gone.step();
        gone.source.detach();
        while (more) {
            more = one.step() & two.step();
        }
        assertSame(one.records, records, 4, 0, 4);
        assertSame(two.records, records, 4, 0, 4);
        assertSame(new Reading(partition, 0, 4).all(), records, 4, 0, 4);
        await().until(fixture.pool::isWhole);
    }

    @Test
    void aReaderHoldsABoundedNumberOfBuffers() throws Exception {
        Partition partition = fixture.write(id("job", 0), 1, records(20_000, 300, 3));
        Reading reading = new Reading(partition, 0, 1);
        int most = 0;
        int steps = 0;
        do {
            if (steps < 20) {
                await().until(() -> reading.ready() >= StoreFixture.BUFFERS);
            }
            most = Math.max(most, reading.ready());
            steps++;
        } while (reading.step());

        assertThat(steps).isGreaterThan(60);
        // The end takes no buffer.
        assertThat(most).isBetween(StoreFixture.BUFFERS, StoreFixture.BUFFERS + 1);
    }

    @Test
    void manyReadersLeaveTheNetworkMemoryToTasksAndTakeTurns() throws Exception {
        Partition partition = fixture.write(id("job", 0), 1, records(2_000, 300, 4));
        List<Reading> readings = new ArrayList<>();
        for (int i = 0; i < fixture.pool.total(); i++) {
            readings.add(new Reading(partition, 0, 1));
        }
        assertThat(fixture.store.waiting()).isEqualTo(fixture.pool.total() - fixture.pool.maxResultLeases());

        List<BufferLease> taken = new ArrayList<>();
        for (int i = fixture.pool.maxLeases(); i > 0; i--) {
            taken.add(fixture.pool.lease("a running task", BufferPool.MIN_BUFFERS, BufferPool.MIN_BUFFERS));
        }
        for (Reading reading : readings) {
            assertThat(reading.all()).hasSize(2_000);
        }
        assertThat(fixture.store.waiting()).isZero();
        taken.forEach(BufferLease::close);
        await().until(fixture.pool::isWhole);
    }

    @Test
    void eachDamagedByteIsFoundAndNamed() throws Exception {
        fixture.close();
        fixture = new StoreFixture(folder, 64 << 20, 2_000);
        fixture.write(id("job", 0), 3, records(60, 200, 5));
        Path file = files().get(0);
        byte[] whole = Files.readAllBytes(file);
        assertThat(whole.length).isBetween(2_000, 10_000);
        List<PartitionId> damaged = new ArrayList<>();
        try (ResultReads reads = new ResultReads(fixture.pool, 2, 1, (result, damage) -> damaged.add(result.id()))) {
            RunWriter.Table table = table(whole);
            for (int at = 0; at < whole.length; at++) {
                byte[] changed = whole.clone();
                changed[at] ^= (byte) (1 << at % 8);
                Files.write(file, changed);
                Reading reading = new Reading(new StoredResult(id("job", 0), 3, Optional.of(file), table, reads), 0, 3);
                while (reading.step()) {
                    // Until it fails.
                }
                assertThat(reading.failure.get())
                        .as("byte %d of %d", at, whole.length)
                        .startsWith("file " + file + " is damaged at offset ");
            }
        }
        assertThat(damaged).hasSize(whole.length);
    }

    /** The table is the last thing in the file. */
    private static RunWriter.Table table(byte[] file) {
        for (int runs = 1; ; runs++) {
            int at = file.length - 4 - runs * RunWriter.RUN_BYTES;
            if (ByteBuffer.wrap(file).getLong(at) == RunWriter.FILE_HEADER) {
                return new RunWriter.Table(at, runs, file.length);
            }
        }
    }

    @Test
    void aDamagedResultIsLost() throws Exception {
        Partition partition = fixture.write(id("job", 0), 1, records(100, 300, 6));
        byte[] bytes = Files.readAllBytes(files().get(0));
        bytes[100] ^= 1;
        Files.write(files().get(0), bytes);
        Reading reading = new Reading(partition, 0, 1);

        assertThat(reading.step()).isFalse();

        assertThat(reading.failure.get()).contains("the checksum of a block of ");
        assertThat(refusal(id("job", 0))).isEqualTo(reading.failure.get());
        await().untilAsserted(() -> assertThat(files()).isEmpty());
    }

    private String refusal(PartitionId id) {
        AtomicReference<String> refusal = new AtomicReference<>("");
        fixture.table.requestStored(id.toString(), new PartitionTable.Request(found -> {}, refusal::set));
        return refusal.get();
    }

    @Test
    void theLimitOfTheDiskIsKeptAndTheFailureSaysWhatUsesIt() throws Exception {
        fixture.close();
        fixture = new StoreFixture(folder, 4 << 20, MEMORY);
        List<byte[]> records = records(4_000, 300, 7);
        fixture.write(id("first", 0), 2, records);
        long used = fixture.store.bytes();
        assertThat(used).isBetween(200_000L, 1L << 20).isEqualTo(Files.size(files().get(0)));
        ResultWriter<byte[]> writer = fixture.writer(id("second", 0), 2);

        assertThatThrownBy(() -> {
                    while (true) {
                        records.forEach(writer.collector()::collect);
                    }
                })
                .isInstanceOf(ResultException.class)
                .hasMessageContaining("the result of partition second/source[0]#1.1:3 cannot be written: ")
                .hasMessageContaining(" of 4194304 bytes (exchange.results.bytes): job second ")
                .hasMessageContaining(", job first " + used);

        assertThat(fixture.store.bytes()).isLessThanOrEqualTo(4 << 20);
        writer.abandon();
        assertThat(fixture.store.bytes()).isEqualTo(used);
        assertThat(files()).hasSize(1);
        fixture.write(id("second", 1), 2, records);
    }

    @Test
    void whatIsNotPublishedIsDeletedAndNotFound() throws Exception {
        ResultWriter<byte[]> half = fixture.writer(id("job", 0), 2);
        records(4_000, 300, 8).forEach(half.collector()::collect);
        ResultWriter<byte[]> complete = fixture.writer(id("job", 1), 2);
        records(10, 300, 9).forEach(complete.collector()::collect);
        complete.end();
        assertThat(files()).hasSize(2);
        assertThat(refusal(id("job", 1))).isEqualTo("this worker has no result of that name, or no longer has it");

        half.abandon();
        complete.abandon();

        assertThat(files()).isEmpty();
        assertThat(fixture.store.bytes()).isZero();
    }

    @Test
    void releasedResultsAreGone() throws Exception {
        List<byte[]> records = records(20_000, 300, 10);
        Partition read = fixture.write(id("job", 0), 2, records);
        fixture.write(id("job", 1), 2, records);
        fixture.write(id("other", 0), 2, records);
        Reading reading = new Reading(read, 0, 2);
        assertThat(reading.step()).isTrue();

        fixture.store.release(new JobId("job"), List.of(id("job", 0), id("job", 7), id("other", 0)));
        assertThat(fixture.store.size()).isEqualTo(2);
        assertThat(refusal(id("job", 0))).isEqualTo("its result was released");
        assertThat(refusal(id("job", 1))).isEmpty();
        await().untilAsserted(() -> assertThat(files()).hasSize(2));
        while (reading.step()) {
            // What was read ahead.
        }
        assertThat(reading.failure.get()).isEqualTo("its result was released while it was read");

        fixture.store.release(new JobId("job"), List.of(id("job", 0)));
        fixture.store.releaseAll(new JobId("job"));
        await().untilAsserted(() -> assertThat(files()).hasSize(1));
        await().until(() -> fixture.store.bytes() == Files.size(files().get(0)));
        assertThat(refusal(id("other", 0))).isEmpty();
    }

    @Test
    void filesOfAnEarlierProcessAreDeletedAtTheStartAndAllFilesAtTheEnd() throws Exception {
        fixture.write(id("job", 0), 2, records(1_000, 300, 11));
        Files.writeString(folder.resolve("result-77"), "left over");

        StoreFixture next = new StoreFixture(folder, 1 << 20, MEMORY);

        assertThat(files()).isEmpty();
        next.write(id("job", 0), 2, records(1_000, 300, 12));
        assertThat(files()).hasSize(1);
        next.close();
        assertThat(folder).doesNotExist();
        Files.createDirectories(folder);
    }
}
