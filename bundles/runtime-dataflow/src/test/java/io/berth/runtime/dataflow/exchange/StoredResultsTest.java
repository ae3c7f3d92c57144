package io.berth.runtime.dataflow.exchange;

import static io.berth.runtime.dataflow.exchange.ExchangeHarness.BYTES;
import static io.berth.runtime.dataflow.exchange.ExchangeHarness.inBackground;
import static io.berth.runtime.dataflow.exchange.ExchangeHarness.partition;
import static io.berth.runtime.dataflow.exchange.ExchangeHarness.readAll;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.berth.core.api.job.JobGraph.Partitioning;
import io.berth.core.api.task.PartitionId;
import io.berth.core.api.task.RuntimeSettings;
import io.berth.dataflow.api.KeyGroups;
import io.berth.runtime.dataflow.exchange.Exchange.Origin;
import io.berth.runtime.dataflow.exchange.buffer.BufferLease;
import io.berth.runtime.dataflow.exchange.buffer.BufferPool;
import io.berth.runtime.dataflow.exchange.buffer.NetworkBuffer;
import io.berth.runtime.dataflow.exchange.input.ExchangeException;
import io.berth.runtime.dataflow.exchange.input.InputGate;
import io.berth.runtime.dataflow.exchange.output.RecordWriter;
import io.berth.runtime.dataflow.exchange.output.ResultPartition;
import io.berth.runtime.dataflow.exchange.result.ResultWriter;
import io.berth.runtime.dataflow.exchange.wire.Wanted;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Stored partitions are read through the same channels as those of running tasks. */
@Timeout(120)
class StoredResultsTest {

    private static final int PARTS = 128;

    private final Exchange one = new Exchange("one", ExchangeHarness.quick(), 1);
    private final Exchange two = new Exchange("two", ExchangeHarness.quick(), 1);

    @AfterEach
    void stop() {
        one.close();
        two.close();
    }

    private static List<byte[]> write(Exchange exchange, PartitionId id, int count) {
        ResultWriter<byte[]> writer =
                exchange.results().writer(id, PARTS, Partitioning.HASH, StoredResultsTest::key, BYTES);
        Random random = new Random(count);
        List<byte[]> records = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            byte[] record = new byte[1 + random.nextInt(2_000)];
            random.nextBytes(record);
            records.add(record);
            writer.collector().collect(record);
        }
        writer.end();
        writer.publish();
        return records;
    }

    private static Integer key(byte[] record) {
        return Arrays.hashCode(record);
    }

    /** The same records in any order. */
    private static void assertSame(List<byte[]> read, List<byte[]> written) {
        assertThat(read).hasSameSizeAs(written);
        List<byte[]> one = read.stream().sorted(Arrays::compare).toList();
        List<byte[]> other = written.stream().sorted(Arrays::compare).toList();
        for (int i = 0; i < one.size(); i++) {
            assertThat(Arrays.equals(one.get(i), other.get(i)))
                    .as("record %d", i)
                    .isTrue();
        }
    }

    private static Origin all(PartitionId id, Exchange from) {
        return new Origin(new Wanted(id, 0, PARTS, true), from.address());
    }

    @Test
    void consumersInAllWorkersReadAllPartitionsAtTheSameTimeAndAgain() throws Exception {
        List<byte[]> first = write(one, partition(0), 4_000);
        List<byte[]> second = write(two, partition(1), 3_000);
        for (int round = 0; round < 2; round++) {
            List<CompletableFuture<Void>> readers = new ArrayList<>();
            for (Exchange reader : List.of(one, two, one, two)) {
                readers.add(inBackground(() -> {
                    InputGate gate = reader.createGate(List.of(all(partition(0), one), all(partition(1), two)));
                    gate.open();
                    List<List<byte[]>> read = readAll(gate);
                    gate.close();
                    assertSame(read.get(0), first);
                    assertSame(read.get(1), second);
                }));
            }
            for (CompletableFuture<Void> reader : readers) {
                reader.get(60, TimeUnit.SECONDS);
            }
        }
        await().untilAsserted(() -> {
            assertThat(one.pool().isWhole()).isTrue();
            assertThat(two.pool().isWhole()).isTrue();
        });
        assertThat(one.partitions()).isOne();
    }

    @Test
    void eachConsumerReadsItsPartsOnly() throws Exception {
        List<byte[]> records = write(one, partition(0), 1_000);
        Exchange[] readers = {one, two, two};
        int[] bounds = {0, 43, 86, 128};
        for (int i = 0; i < 3; i++) {
            InputGate gate = readers[i].createGate(List.of(
                    new Origin(new Wanted(partition(0), bounds[i], bounds[i + 1] - bounds[i], true), one.address())));
            gate.open();
            List<byte[]> expected = new ArrayList<>();
            for (byte[] record : records) {
                int part = KeyGroups.keyGroup(key(record).hashCode(), PARTS);
                if (part >= bounds[i] && part < bounds[i + 1]) {
                    expected.add(record);
                }
            }
            assertSame(readAll(gate).get(0), expected);
            gate.close();
        }
    }

    /** More of them than the network memory of the worker has room for. */
    @Test
    void aTaskReadsManyPartitionsAFewAtATime() throws Exception {
        int count = two.pool().maxLeases() + 40;
        List<List<byte[]>> written = new ArrayList<>();
        List<Origin> origins = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Exchange from = i % 5 == 4 ? two : one;
            written.add(write(from, partition(i), 1 + i));
            origins.add(all(partition(i), from));
        }
        InputGate gate = two.createGate(origins);
        gate.open(count / 3);
        List<BufferLease> others = new ArrayList<>();
        for (int i = RuntimeSettings.MAX_STORED_CHANNELS; i < two.pool().maxLeases(); i++) {
            others.add(two.pool().lease("another task", BufferPool.MIN_BUFFERS, BufferPool.MIN_BUFFERS));
        }

        List<List<byte[]>> read = readAll(gate);

        for (int i = 0; i < count; i++) {
            assertSame(read.get(i), written.get(i));
        }
        gate.close();
        others.forEach(BufferLease::close);
        await().until(() -> one.pool().isWhole() && two.pool().isWhole());
    }

    @Test
    void partitionsOfTheOwnWorkerAreReadAFewAtATimeToo() throws Exception {
        List<Origin> origins = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            write(one, partition(i), 50);
            origins.add(all(partition(i), one));
        }
        InputGate gate = one.createGate(origins);
        gate.open();

        assertThat(one.results().waiting())
                .isLessThanOrEqualTo(
                        RuntimeSettings.MAX_STORED_CHANNELS - one.pool().maxResultLeases());
        assertThat(readAll(gate)).allSatisfy(records -> assertThat(records).hasSize(50));
        gate.close();
    }

    @Test
    void aRunningProducerDoesNotWaitForStoredPartitions() throws Exception {
        int stored = 3 * RuntimeSettings.MAX_STORED_CHANNELS;
        List<Origin> origins = new ArrayList<>();
        for (int i = 1; i <= stored; i++) {
            write(one, partition(i), 20);
            origins.add(all(partition(i), one));
        }
        origins.add(new Origin(partition(0), 0, one.address()));
        ResultPartition running = one.createPartition(partition(0), 1);
        InputGate gate = two.createGate(origins);
        gate.open();
        RecordWriter<byte[]> writer = ExchangeHarness.writer(running, Partitioning.FORWARD);
        writer.collector().collect(new byte[1_000]);
        writer.flush();
        AtomicInteger first = new AtomicInteger(-1);
        List<Integer> ends = new ArrayList<>();
        InputGate.Reader reader = new InputGate.Reader() {
            @Override
            public void buffer(int channel, NetworkBuffer buffer) {
                if (channel == stored) {
                    first.compareAndSet(-1, ends.size());
                }
            }

            @Override
            public void end(int channel) {
                ends.add(channel);
            }
        };
        // What the running producer has sent is there before the second group of stored partitions is open.
        await().until(() -> running.part(0).bufferedBytes() == 0);
        while (first.get() < 0) {
            gate.read(TimeUnit.SECONDS.toNanos(10), reader);
        }
        assertThat(first.get()).isLessThan(stored);
        writer.end();
        while (!gate.ended()) {
            gate.read(TimeUnit.SECONDS.toNanos(10), reader);
        }
        assertThat(ends).hasSize(stored + 1);
        gate.close();
        one.release(running, "finished");
    }

    private static void assertLost(Exchange reader, PartitionId id, Origin origin, String reason) {
        InputGate gate = reader.createGate(List.of(origin));
        gate.open();
        assertThatThrownBy(() -> readAll(gate))
                .isInstanceOf(ExchangeException.class)
                .hasMessageStartingWith("partition " + id + " of ")
                .hasMessageContaining(reason)
                .satisfies(thrown ->
                        assertThat(((ExchangeException) thrown).lost()).contains(id));
        gate.close();
    }

    @Test
    void aResultThatIsNotThereIsLostAtOnce() {
        for (Exchange reader : List.of(one, two)) {
            assertLost(reader, partition(9), all(partition(9), one), "this worker has no result of that name");
        }
        one.createPartition(partition(2), 2);
        assertLost(two, partition(2), all(partition(2), one), "it is not complete");
        write(one, partition(0), 10);
        Origin tooMany = new Origin(new Wanted(partition(0), 100, 29, true), one.address());
        assertLost(two, partition(0), tooMany, "has 128 parts; 29 parts from 100 was requested");
        one.results().releaseAll(partition(0).producer().job());
        assertLost(one, partition(0), all(partition(0), one), "the results of its job were released");
        assertLost(two, partition(0), all(partition(0), one), "the results of its job were released");
    }

    @Test
    void aResultWhoseWorkerIsGoneIsLost() {
        write(two, partition(1), 10);
        Origin origin = all(partition(1), two);
        two.close();

        assertLost(one, partition(1), origin, "cannot connect: ");
    }

    @Test
    void aRunningProducerThatIsLostIsNoLostResult() {
        one.refuse(partition(3), "its producer failed");
        InputGate gate = two.createGate(List.of(new Origin(partition(3), 0, one.address())));
        gate.open();

        assertThatThrownBy(() -> readAll(gate))
                .isInstanceOf(ExchangeException.class)
                .satisfies(thrown ->
                        assertThat(((ExchangeException) thrown).lost()).isEmpty());
        gate.close();
    }
}
