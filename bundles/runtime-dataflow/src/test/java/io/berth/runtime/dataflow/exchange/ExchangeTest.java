package io.berth.runtime.dataflow.exchange;

import static io.berth.runtime.dataflow.exchange.ExchangeHarness.inBackground;
import static io.berth.runtime.dataflow.exchange.ExchangeHarness.partition;
import static io.berth.runtime.dataflow.exchange.ExchangeHarness.readAll;
import static io.berth.runtime.dataflow.exchange.ExchangeHarness.writer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.berth.core.api.job.JobGraph.Partitioning;
import io.berth.dataflow.api.KeyGroups;
import io.berth.runtime.dataflow.exchange.Exchange.Origin;
import io.berth.runtime.dataflow.exchange.buffer.NetworkBuffer;
import io.berth.runtime.dataflow.exchange.buffer.NetworkMemoryException;
import io.berth.runtime.dataflow.exchange.buffer.ReleasedException;
import io.berth.runtime.dataflow.exchange.input.ExchangeException;
import io.berth.runtime.dataflow.exchange.input.InputGate;
import io.berth.runtime.dataflow.exchange.output.RecordWriter;
import io.berth.runtime.dataflow.exchange.output.ResultPartition;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class ExchangeTest {

    Exchange one;
    Exchange two;

    @BeforeEach
    void start() throws Exception {
        one = exchange("one");
        two = exchange("two");
    }

    /** The exchange of a worker. */
    Exchange exchange(String worker) throws Exception {
        return new Exchange(worker, ExchangeHarness.quick(), 1);
    }

    @AfterEach
    void stop() throws Exception {
        one.close();
        two.close();
    }

    /** Records of many sizes, some larger than a buffer, each with a first byte as key and its number. */
    private static List<byte[]> records(int seed, int count) {
        Random random = new Random(seed);
        List<byte[]> records = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int size = i % 500 == 17
                    ? 100_000 + random.nextInt(100_000)
                    : i % 50 == 3 ? 32_760 + i % 20 : 5 + random.nextInt(60);
            byte[] record = new byte[size];
            random.nextBytes(record);
            ByteBuffer.wrap(record).putInt(1, i);
            records.add(record);
        }
        return records;
    }

    @ParameterizedTest
    @EnumSource(Partitioning.class)
    void recordsArriveEqualAndInOrderOfEachChannelLocallyAndOverTheSocket(Partitioning partitioning) throws Exception {
        int consumers = partitioning == Partitioning.FORWARD ? 1 : 2;
        List<List<byte[]>> sent = List.of(records(1, 3000), records(2, 2000));
        List<CompletableFuture<Void>> producers = new ArrayList<>();
        for (int p = 0; p < 2; p++) {
            Exchange exchange = p == 0 ? one : two;
            List<byte[]> records = sent.get(p);
            ResultPartition partition = exchange.createPartition(partition(p), consumers);
            producers.add(inBackground(() -> {
                RecordWriter<byte[]> writer = writer(partition, partitioning);
                records.forEach(writer.collector()::collect);
                writer.end();
                partition.drained().toCompletableFuture().get(30, TimeUnit.SECONDS);
                exchange.release(partition, "finished");
            }));
        }
        List<CompletableFuture<List<List<byte[]>>>> received = new ArrayList<>();
        for (int c = 0; c < consumers; c++) {
            Exchange exchange = c == 0 ? one : two;
            InputGate gate = exchange.createGate(
                    List.of(new Origin(partition(0), c, one.address()), new Origin(partition(1), c, two.address())));
            CompletableFuture<List<List<byte[]>>> result = new CompletableFuture<>();
            received.add(result);
            inBackground(() -> {
                gate.open();
                result.complete(readAll(gate));
                gate.close();
            });
        }
        for (int p = 0; p < 2; p++) {
            for (int c = 0; c < consumers; c++) {
                List<byte[]> expected = expected(sent.get(p), partitioning, consumers, c);
                List<byte[]> got = received.get(c).get(30, TimeUnit.SECONDS).get(p);
                assertThat(got).hasSameSizeAs(expected);
                for (int i = 0; i < got.size(); i++) {
                    assertThat(got.get(i)).isEqualTo(expected.get(i));
                }
            }
        }
        for (CompletableFuture<Void> producer : producers) {
            producer.get(30, TimeUnit.SECONDS);
        }
        await().untilAsserted(() -> {
            assertThat(one.pool().isWhole()).isTrue();
            assertThat(two.pool().isWhole()).isTrue();
        });
        assertThat(one.connections()).isLessThanOrEqualTo(1);
    }

    private static List<byte[]> expected(List<byte[]> sent, Partitioning partitioning, int consumers, int consumer) {
        List<byte[]> expected = new ArrayList<>();
        for (int i = 0; i < sent.size(); i++) {
            boolean here = switch (partitioning) {
                case FORWARD, BROADCAST -> true;
                case REBALANCE -> i % consumers == consumer;
                case HASH ->
                    KeyGroups.subtask(KeyGroups.keyGroup(Integer.hashCode(sent.get(i)[0]), 128), consumers, 128)
                            == consumer;
            };
            if (here) {
                expected.add(sent.get(i));
            }
        }
        return expected;
    }

    @Test
    void aConsumerThatStartsFirstWaitsForItsProducer() throws Exception {
        InputGate gate = two.createGate(List.of(new Origin(partition(0), 0, one.address())));
        gate.open();
        assertThat(gate.read(TimeUnit.MILLISECONDS.toNanos(100), failingReader()))
                .isFalse();
        ResultPartition partition = one.createPartition(partition(0), 1);
        RecordWriter<byte[]> writer = writer(partition, Partitioning.FORWARD);
        writer.collector().collect(new byte[] {1, 2, 3});
        writer.end();
        assertThat(readAll(gate).get(0)).containsExactly(new byte[] {1, 2, 3});
        gate.close();
        one.release(partition, "finished");
    }

    @Test
    void aConsumerWithoutProducerFailsAndNamesPartitionAndPeer() {
        for (Exchange consumer : List.of(one, two)) {
            InputGate gate = consumer.createGate(List.of(new Origin(partition(0), 0, one.address())));
            gate.open();
            assertThatThrownBy(() -> readAll(gate))
                    .isInstanceOf(ExchangeException.class)
                    .hasMessageContaining("test/source[0]#1.1:1")
                    .hasMessageContaining(consumer == one ? "of this worker" : "worker one at " + one.address())
                    .hasMessageContaining("no task produces partition");
            gate.close();
            assertThat(consumer.pool().isWhole()).isTrue();
        }
    }

    @Test
    void failureOfTheProducerReachesTheConsumerWithItsReason() {
        for (Exchange consumer : List.of(one, two)) {
            ResultPartition partition = one.createPartition(partition(0), 1);
            InputGate gate = consumer.createGate(List.of(new Origin(partition(0), 0, one.address())));
            gate.open();
            RecordWriter<byte[]> writer = writer(partition, Partitioning.FORWARD);
            writer.collector().collect(new byte[10]);
            writer.flush();
            assertThat(read(gate)).isTrue();
            one.release(partition, "its producer failed: disk full");
            assertThatThrownBy(() -> readAll(gate))
                    .isInstanceOf(ExchangeException.class)
                    .hasMessageContaining("its producer failed: disk full");
            gate.close();
        }
        await().untilAsserted(() ->
                assertThat(one.pool().isWhole() && two.pool().isWhole()).isTrue());
    }

    @Test
    void lostConnectionFailsTheConsumerAndNamesPartitionAndPeer() throws Exception {
        RecordWriter<byte[]> writer = writer(one.createPartition(partition(0), 1), Partitioning.FORWARD);
        InputGate gate = two.createGate(List.of(new Origin(partition(0), 0, one.address())));
        gate.open();
        writer.collector().collect(new byte[10]);
        writer.flush();
        assertThat(read(gate)).isTrue();
        one.close();
        assertThatThrownBy(() -> readAll(gate))
                .isInstanceOf(ExchangeException.class)
                .hasMessageContaining("test/source[0]#1.1:1")
                .hasMessageContaining("worker one at " + one.address())
                .hasMessageContaining("connection closed");
        gate.close();
        assertThat(two.pool().isWhole()).isTrue();
        await().untilAsserted(() -> assertThat(two.connections()).isZero());
    }

    @Test
    void aMissingWorkerFailsTheConsumer() {
        String address = one.address();
        one.close();
        InputGate gate = two.createGate(List.of(new Origin(partition(0), 0, address)));
        gate.open();
        assertThatThrownBy(() -> readAll(gate))
                .isInstanceOf(ExchangeException.class)
                .hasMessageContaining(address)
                .hasMessageContaining("cannot connect");
        gate.close();
    }

    @Test
    void cancelInFullFlowReturnsAllBuffers() throws Exception {
        for (Exchange consumer : List.of(one, two)) {
            ResultPartition partition = one.createPartition(partition(0), 1);
            CompletableFuture<Void> producer = inBackground(() -> {
                RecordWriter<byte[]> writer = writer(partition, Partitioning.FORWARD);
                try {
                    while (true) {
                        writer.collector().collect(new byte[1000]);
                    }
                } finally {
                    writer.abandon();
                }
            });
            InputGate gate = consumer.createGate(List.of(new Origin(partition(0), 0, one.address())));
            gate.open();
            for (int i = 0; i < 200; i++) {
                gate.read(TimeUnit.SECONDS.toNanos(1), ignoringReader());
            }
            assertThat(one.pool().isWhole()).isFalse();
            gate.close();
            one.release(partition, "its producer was canceled");
            assertThatThrownBy(() -> producer.get(10, TimeUnit.SECONDS)).hasCauseInstanceOf(ReleasedException.class);
            await().untilAsserted(() ->
                    assertThat(one.pool().isWhole() && two.pool().isWhole()).isTrue());
            assertThat(one.partitions()).isZero();
        }
    }

    @Test
    void rejectsASecondConsumerOfAPart() {
        one.createPartition(partition(0), 1);
        InputGate first = two.createGate(List.of(new Origin(partition(0), 0, one.address())));
        InputGate second = one.createGate(List.of(new Origin(partition(0), 0, one.address())));
        second.open();
        first.open();
        assertThatThrownBy(() -> readAll(first)).hasMessageContaining("already has a consumer");
        first.close();
        second.close();
    }

    @Test
    void aRecordThatIsTooLongForReadersFailsItsWriter() throws Exception {
        ResultPartition partition = one.createPartition(partition(0), 1);
        InputGate gate = one.createGate(List.of(new Origin(partition(0), 0, one.address())));
        gate.open();
        CompletableFuture<Void> producer = inBackground(() -> {
            RecordWriter<byte[]> writer = writer(partition, Partitioning.FORWARD);
            writer.collector().collect(new byte[NetworkBuffer.MAX_RECORD_BYTES]);
        });
        while (!producer.isDone()) {
            gate.read(TimeUnit.MILLISECONDS.toNanos(10), ignoringReader());
        }
        assertThatThrownBy(() -> producer.get(10, TimeUnit.SECONDS))
                .hasMessageContaining("a record is longer than 67108864 bytes")
                .hasMessageContaining("emit it in parts");
        gate.close();
        one.release(partition, "its producer failed");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void consumerThatAsksAfterItsProducerHasFailedLearnsTheCauseAtOnce(boolean local) {
        ResultPartition partition = one.createPartition(partition(0), 1);
        one.release(partition, "its producer failed: disk full");
        InputGate gate = (local ? one : two).createGate(List.of(new Origin(partition(0), 0, one.address())));
        gate.open();
        assertThatThrownBy(() -> readAll(gate))
                .isInstanceOf(ExchangeException.class)
                .hasMessageContaining("test/source[0]#1.1:1")
                .hasMessageContaining("its producer failed: disk full");
        gate.close();
    }

    @Test
    void aWaitingConsumerLearnsThatItsProducerFailedBeforeItCreatedThePartition() {
        InputGate gate = one.createGate(List.of(new Origin(partition(0), 0, one.address())));
        gate.open();
        assertThat(one.awaited()).isEqualTo(1);
        one.refuse(partition(0), "its producer failed: no network memory");
        assertThatThrownBy(() -> readAll(gate)).hasMessageContaining("its producer failed: no network memory");
        assertThat(one.awaited()).isZero();
        gate.close();
    }

    @Test
    void anExistingPartitionIsNotRejected() {
        ResultPartition partition = one.createPartition(partition(0), 1);
        one.refuse(partition(0), "a second task of this name failed");
        assertThat(one.partitions()).isEqualTo(1);
        one.release(partition, "finished");
    }

    /** The JobMaster counts in the same way before it chooses a parallelism. */
    @Test
    void aProducerUsesOneEndForEachPartAndAConsumerOneForEachProducerOnAnotherWorker() {
        int ends = two.pool().maxLeases();
        ResultPartition partition = two.createPartition(partition(0), ends - 2);
        InputGate gate = two.createGate(List.of(
                new Origin(partition(0), 0, two.address()),
                new Origin(partition(1), 0, one.address()),
                new Origin(partition(2), 0, one.address())));
        InputGate local = two.createGate(List.of(new Origin(partition(0), 1, two.address())));
        assertThatThrownBy(() -> two.createPartition(partition(3), 1)).isInstanceOf(NetworkMemoryException.class);
        gate.close();
        local.close();
        two.release(partition, "finished");
        assertThat(two.pool().isWhole()).isTrue();
    }

    @Test
    void insufficientNetworkMemoryIsReportedBeforeAnythingRuns() {
        assertThatThrownBy(() -> one.createPartition(partition(0), 10_000))
                .isInstanceOf(NetworkMemoryException.class)
                .hasMessageContaining("raise network.memory.bytes");
        assertThat(one.pool().isWhole()).isTrue();
    }

    private static boolean read(InputGate gate) {
        try {
            return gate.read(TimeUnit.SECONDS.toNanos(10), ignoringReader());
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static InputGate.Reader failingReader() {
        return new InputGate.Reader() {
            @Override
            public void buffer(int channel, NetworkBuffer buffer) {
                throw new AssertionError("a buffer came");
            }

            @Override
            public void end(int channel) {
                throw new AssertionError("the end came");
            }
        };
    }

    private static InputGate.Reader ignoringReader() {
        return new InputGate.Reader() {
            @Override
            public void buffer(int channel, NetworkBuffer buffer) {}

            @Override
            public void end(int channel) {}
        };
    }
}
