package io.berth.runtime.dataflow.exchange;

import static io.berth.runtime.dataflow.exchange.ExchangeHarness.BYTES;
import static io.berth.runtime.dataflow.exchange.ExchangeHarness.inBackground;
import static io.berth.runtime.dataflow.exchange.ExchangeHarness.partition;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.berth.core.api.job.JobGraph.Partitioning;
import io.berth.core.api.task.RuntimeSettings;
import io.berth.runtime.dataflow.exchange.Exchange.Origin;
import io.berth.runtime.dataflow.exchange.buffer.NetworkBuffer;
import io.berth.runtime.dataflow.exchange.input.InputGate;
import io.berth.runtime.dataflow.exchange.output.RecordWriter;
import io.berth.runtime.dataflow.measure.WaitTimes;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The time in which a producer waits for its consumer, and a consumer for its producer. */
class WaitingTest {

    private static final int RECORDS = 200;
    private static final byte[] RECORD = new byte[NetworkBuffer.CAPACITY / 2];

    @Test
    void aProducerIsBackPressuredAndAConsumerIdle() throws Exception {
        WaitTimes producer = new WaitTimes(System::nanoTime);
        WaitTimes consumer = new WaitTimes(System::nanoTime);
        try (Exchange exchange = new Exchange("one", ExchangeSettings.of(RuntimeSettings.DEFAULTS), 1)) {
            RecordWriter<byte[]> writer = new RecordWriter<>(
                    exchange.createPartition(partition(0), 1), Partitioning.FORWARD, key -> 0, 1, BYTES, producer);
            InputGate gate = exchange.createGate(List.of(new Origin(partition(0), 0, exchange.address())), consumer);
            gate.open();
            assertThat(gate.read(TimeUnit.MILLISECONDS.toNanos(20), reader())).isFalse();
            assertThat(consumer.idle().nanosUntil(consumer.elapsedNanos()))
                    .isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(20));
            CompletableFuture<Void> written = inBackground(() -> {
                for (int record = 0; record < RECORDS; record++) {
                    writer.collector().collect(RECORD);
                }
                writer.end();
            });
            await().until(() ->
                    producer.backPressured().nanosUntil(producer.elapsedNanos()) > TimeUnit.MILLISECONDS.toNanos(20));
            assertThat(written).isNotDone();
            assertThat(producer.idle().nanosUntil(producer.elapsedNanos())).isZero();
            while (!gate.ended()) {
                gate.read(TimeUnit.SECONDS.toNanos(1), reader());
            }
            written.get(10, TimeUnit.SECONDS);
            assertThat(writer.records()).isEqualTo(RECORDS);
            assertThat(consumer.backPressured().nanosUntil(consumer.elapsedNanos()))
                    .isZero();
            gate.close();
        }
    }

    private static InputGate.Reader reader() {
        return new InputGate.Reader() {
            @Override
            public void buffer(int channel, NetworkBuffer buffer) {
                // Its content does not matter.
            }

            @Override
            public void end(int channel) {
                // The gate counts it.
            }
        };
    }
}
