package io.berth.runtime.dataflow.exchange;

import static io.berth.runtime.dataflow.exchange.ExchangeHarness.inBackground;
import static io.berth.runtime.dataflow.exchange.ExchangeHarness.partition;
import static io.berth.runtime.dataflow.exchange.ExchangeHarness.writer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.berth.core.api.job.JobGraph.Partitioning;
import io.berth.core.api.task.RuntimeSettings;
import io.berth.runtime.dataflow.exchange.Exchange.Origin;
import io.berth.runtime.dataflow.exchange.buffer.NetworkBuffer;
import io.berth.runtime.dataflow.exchange.buffer.ReleasedException;
import io.berth.runtime.dataflow.exchange.input.InputGate;
import io.berth.runtime.dataflow.exchange.output.RecordWriter;
import io.berth.runtime.dataflow.exchange.output.ResultPartition;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A blocked consumer blocks its own producer, and no other channel of the connection. */
@Timeout(60)
class CreditTest {

    private static final long NEIGHBOR_BYTES = 200L << 20;

    @Test
    void channelAtZeroCreditStaysUnderItsBoundWhileItsNeighborFinishes200Megabytes() throws Exception {
        ExchangeSettings settings = ExchangeSettings.of(RuntimeSettings.DEFAULTS);
        try (Exchange producers = new Exchange("producers", settings, 1);
                Exchange consumers = new Exchange("consumers", settings, 1)) {
            AtomicLong slowRecords = new AtomicLong();
            ResultPartition slow = producers.createPartition(partition(0), 1);
            ResultPartition fast = producers.createPartition(partition(1), 1);
            CompletableFuture<Void> slowProducer = inBackground(() -> {
                RecordWriter<byte[]> writer = writer(slow, Partitioning.FORWARD);
                byte[] record = new byte[998];
                while (true) {
                    writer.collector().collect(record);
                    slowRecords.incrementAndGet();
                }
            });
            CompletableFuture<Void> fastProducer = inBackground(() -> {
                RecordWriter<byte[]> writer = writer(fast, Partitioning.FORWARD);
                byte[] record = new byte[998];
                for (long sent = 0; sent < NEIGHBOR_BYTES; sent += record.length) {
                    writer.collector().collect(record);
                }
                writer.end();
            });
            InputGate unread = consumers.createGate(List.of(new Origin(partition(0), 0, producers.address())));
            unread.open();
            long bound = settings.buffersPerChannel() * 32L * 1024;
            assertThat(slow.part(0).bound()).isEqualTo(bound);
            // Both ends fill up. After that the channel has zero credit, and its producer is blocked.
            await().until(() -> slowRecords.get() >= (2 * bound - 2 * NetworkBuffer.CAPACITY) / 1000);
            await().during(200, TimeUnit.MILLISECONDS).until(slowRecords::get, same -> same <= 2 * bound / 1000);

            InputGate read = consumers.createGate(List.of(new Origin(partition(1), 0, producers.address())));
            read.open();
            AtomicLong bytes = new AtomicLong();
            AtomicLong mostBuffered = new AtomicLong();
            while (!read.ended()) {
                read.read(TimeUnit.SECONDS.toNanos(1), new InputGate.Reader() {
                    @Override
                    public void buffer(int channel, NetworkBuffer buffer) {
                        bytes.addAndGet(buffer.length());
                        mostBuffered.accumulateAndGet(slow.part(0).bufferedBytes(), Math::max);
                    }

                    @Override
                    public void end(int channel) {}
                });
            }
            fastProducer.get(10, TimeUnit.SECONDS);
            assertThat(bytes.get()).isGreaterThanOrEqualTo(NEIGHBOR_BYTES);
            assertThat(mostBuffered.get()).isPositive().isLessThanOrEqualTo(bound);
            assertThat(slowRecords.get()).isLessThanOrEqualTo(2 * bound / 1000);
            assertThat(slowProducer).isNotDone();
            assertThat(consumers.connections()).isEqualTo(1);

            producers.release(slow, "its producer was canceled");
            assertThatThrownBy(() -> slowProducer.get(10, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(ReleasedException.class);
            unread.close();
            read.close();
        }
    }
}
