package io.berth.runtime.dataflow.exchange.result;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.job.JobGraph.Partitioning;
import io.berth.core.api.task.AttemptId;
import io.berth.core.api.task.PartitionId;
import io.berth.dataflow.api.KeyGroups;
import io.berth.dataflow.api.Serializers;
import io.berth.runtime.dataflow.exchange.buffer.BufferPool;
import io.berth.runtime.dataflow.exchange.buffer.NetworkBuffer;
import io.berth.runtime.dataflow.exchange.input.RecordReader;
import io.berth.runtime.dataflow.exchange.output.ChannelSource;
import io.berth.runtime.dataflow.exchange.output.Partition;
import io.berth.runtime.dataflow.exchange.output.PartitionTable;
import io.berth.spi.JobId;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** A store with small limits, and readers of what is in it. */
final class StoreFixture implements AutoCloseable {

    static final int BUFFERS = 4;

    final BufferPool pool = new BufferPool(8 << 20);
    private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);
    final PartitionTable table = new PartitionTable(timer, 1_000);
    final ResultStore store;

    StoreFixture(Path folder, long maxBytes, int memoryBytes) {
        store = new ResultStore(
                new ResultSettings(Optional.of(folder), maxBytes, memoryBytes), table, pool, BUFFERS, 2);
    }

    static PartitionId id(String job, int producer) {
        return new PartitionId(new AttemptId(new JobId(job), "source", producer, 1, 1), 3);
    }

    /** The number at the beginning of a record is its key. */
    ResultWriter<byte[]> writer(PartitionId id, int parts) {
        return store.writer(id, parts, Partitioning.HASH, StoreFixture::key, Serializers::bytes);
    }

    private static Integer key(byte[] record) {
        return ByteBuffer.wrap(record).getInt();
    }

    static int part(byte[] record, int parts) {
        return KeyGroups.keyGroup(key(record).hashCode(), parts);
    }

    Partition write(PartitionId id, int parts, List<byte[]> records) {
        ResultWriter<byte[]> writer = writer(id, parts);
        records.forEach(writer.collector()::collect);
        writer.end();
        writer.publish();
        writer.abandon();
        return find(id);
    }

    Partition find(PartitionId id) {
        AtomicReference<Partition> found = new AtomicReference<>();
        table.requestStored(
                id.toString(),
                new PartitionTable.Request(
                        found::set, reason -> assertThat(reason).isEmpty()));
        return found.get();
    }

    /** Records of 1 to {@code largest} bytes, half of them of random content. */
    static List<byte[]> records(int count, int largest, long seed) {
        Random random = new Random(seed);
        List<byte[]> records = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            byte[] record = new byte[4 + random.nextInt(random.nextInt(100) == 0 ? largest : Math.min(largest, 300))];
            if (i % 2 == 0) {
                random.nextBytes(record);
            }
            ByteBuffer.wrap(record).putInt(i);
            records.add(record);
        }
        return records;
    }

    /** One reading of some parts, step by step. */
    static final class Reading implements ChannelSource.Consumer {

        final ChannelSource source;
        private final Semaphore available = new Semaphore(0);
        private final RecordReader<byte[]> reader = new RecordReader<>(Serializers.bytes());
        final List<byte[]> records = new ArrayList<>();
        final AtomicReference<String> failure = new AtomicReference<>();

        Reading(Partition partition, int first, int count) {
            source = partition.source(first, count).orElseThrow();
            assertThat(source.attach(this)).isTrue();
        }

        @Override
        public void available(int elements) {
            available.release(elements);
        }

        @Override
        public void failed(String reason) {
            failure.set(reason);
            available.release();
        }

        /** Elements that wait. */
        int ready() {
            return available.availablePermits();
        }

        /** Reads the next element. False at the end. */
        boolean step() throws InterruptedException {
            assertThat(available.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
            if (failure.get() != null) {
                return false;
            }
            NetworkBuffer buffer = source.poll(true);
            if (buffer.isEvent()) {
                reader.end();
                source.consumed();
                return false;
            }
            reader.read(buffer, records::add);
            buffer.recycle();
            return true;
        }

        List<byte[]> all() throws InterruptedException {
            while (step()) {
                // Everything is read.
            }
            assertThat(failure.get()).isNull();
            return records;
        }
    }

    @Override
    public void close() {
        store.close();
        timer.shutdownNow();
    }
}
