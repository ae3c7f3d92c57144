package io.berth.runtime.dataflow.exchange.result;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.job.JobGraph.Partitioning;
import io.berth.core.api.task.PartitionId;
import io.berth.dataflow.api.KeyGroups;
import io.berth.dataflow.api.KeySelector;
import io.berth.dataflow.api.Serializer;
import io.berth.dataflow.api.data.Columns;
import io.berth.dataflow.api.data.Row;
import io.berth.dataflow.api.record.RecordSerializer;
import io.berth.runtime.dataflow.exchange.buffer.NetworkBuffer;
import io.berth.runtime.dataflow.exchange.input.RecordReader;
import io.berth.runtime.dataflow.exchange.output.ChannelSource;
import io.berth.runtime.dataflow.exchange.output.Partition;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Serializers that write names once and refer to them later: what is read begins at any part of any run. */
@Timeout(120)
class SelfDescribingRecordsTest {

    private static final int PARTS = 128;
    private static final int COUNT = 20_000;
    /** Some ten runs. */
    private static final int MEMORY = 64 << 10;

    private static final List<Columns> SHAPES =
            List.of(Columns.of("id", "name"), Columns.of("name", "id", "more"), Columns.of("other", "id"));

    record Order(long id, String customer) {}

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

    private static Row row(int id) {
        Columns columns = SHAPES.get(id * 7 % SHAPES.size());
        Object[] values = new Object[columns.size()];
        for (int place = 0; place < values.length; place++) {
            values[place] = columns.names().get(place).equals("id") ? (Object) (long) id : "text of " + id;
        }
        return Row.of(columns, values);
    }

    @ParameterizedTest
    @EnumSource(
            value = Partitioning.class,
            names = {"HASH", "REBALANCE"})
    void recordsOfAClass(Partitioning partitioning) throws Exception {
        List<Order> orders = IntStream.range(0, COUNT)
                .mapToObj(id -> new Order(id, "customer " + id % 100))
                .toList();
        check(orders, Order::id, partitioning, () -> RecordSerializer.of(Order.class));
    }

    @ParameterizedTest
    @EnumSource(
            value = Partitioning.class,
            names = {"HASH", "REBALANCE"})
    void rowsOfSeveralShapes(Partitioning partitioning) throws Exception {
        List<Row> rows = IntStream.range(0, COUNT)
                .mapToObj(SelfDescribingRecordsTest::row)
                .toList();
        check(rows, row -> row.whole("id"), partitioning, Row::serializer);
    }

    private <T> void check(
            List<T> records, KeySelector<T, Long> keys, Partitioning partitioning, Supplier<Serializer<T>> serializer)
            throws InterruptedException {
        PartitionId id = StoreFixture.id("job", 0);
        ResultWriter<T> writer = fixture.store.writer(id, PARTS, partitioning, keys, serializer);
        records.forEach(writer.collector()::collect);
        writer.end();
        writer.publish();
        Partition partition = fixture.find(id);
        for (int parallelism : new int[] {1, 3}) {
            List<T> all = new ArrayList<>();
            for (int subtask = 0; subtask < parallelism; subtask++) {
                int first = KeyGroups.first(subtask, parallelism, PARTS);
                int end = KeyGroups.end(subtask, parallelism, PARTS);
                all.addAll(read(partition, first, end - first, serializer.get()));
            }
            assertThat(all).hasSameSizeAs(records);
            List<T> sorted = new ArrayList<>(all);
            sorted.sort((one, other) -> Long.compare(keys.key(one), keys.key(other)));
            assertThat(sorted).isEqualTo(records);
        }
    }

    private static <T> List<T> read(Partition partition, int first, int count, Serializer<T> serializer)
            throws InterruptedException {
        ChannelSource source = partition.source(first, count).orElseThrow();
        Semaphore available = new Semaphore(0);
        AtomicReference<String> failure = new AtomicReference<>();
        assertThat(source.attach(new ChannelSource.Consumer() {
                    @Override
                    public void available(int elements) {
                        available.release(elements);
                    }

                    @Override
                    public void failed(String reason) {
                        failure.set(reason);
                        available.release();
                    }
                }))
                .isTrue();
        RecordReader<T> reader = new RecordReader<>(serializer);
        List<T> records = new ArrayList<>();
        while (true) {
            assertThat(available.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
            assertThat(failure.get()).isNull();
            NetworkBuffer buffer = source.poll(true);
            if (buffer.isEvent()) {
                reader.end();
                source.consumed();
                return records;
            }
            reader.read(buffer, records::add);
            buffer.recycle();
        }
    }
}
