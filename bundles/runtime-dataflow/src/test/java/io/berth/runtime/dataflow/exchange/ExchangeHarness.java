package io.berth.runtime.dataflow.exchange;

import io.berth.core.api.job.JobGraph.Partitioning;
import io.berth.core.api.task.AttemptId;
import io.berth.core.api.task.PartitionId;
import io.berth.dataflow.api.Serializer;
import io.berth.dataflow.api.Serializers;
import io.berth.runtime.dataflow.exchange.buffer.NetworkBuffer;
import io.berth.runtime.dataflow.exchange.input.InputGate;
import io.berth.runtime.dataflow.exchange.input.RecordReader;
import io.berth.runtime.dataflow.exchange.output.RecordWriter;
import io.berth.runtime.dataflow.exchange.output.ResultPartition;
import io.berth.runtime.dataflow.measure.WaitTimes;
import io.berth.spi.JobId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Producers and consumers of byte records for tests of the exchange. */
final class ExchangeHarness {

    static final Supplier<Serializer<byte[]>> BYTES = Serializers::bytes;

    private ExchangeHarness() {}

    static PartitionId partition(int producer) {
        return new PartitionId(new AttemptId(new JobId("test"), "source", producer, 1, 1), 1);
    }

    static RecordWriter<byte[]> writer(ResultPartition partition, Partitioning partitioning) {
        return new RecordWriter<>(partition, partitioning, record -> (int) record[0], 128, BYTES, WaitTimes.unread());
    }

    /** Runs on its own thread. */
    static CompletableFuture<Void> inBackground(Action action) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                action.run();
                done.complete(null);
            } catch (Throwable thrown) {
                done.completeExceptionally(thrown);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return done;
    }

    interface Action {
        void run() throws Exception;
    }

    /** Reads a gate to its end: the records of each channel. */
    static List<List<byte[]>> readAll(InputGate gate) throws InterruptedException {
        List<List<byte[]>> records = new ArrayList<>();
        List<RecordReader<byte[]>> readers = new ArrayList<>();
        for (int i = 0; i < gate.channels(); i++) {
            records.add(new ArrayList<>());
            readers.add(new RecordReader<>(BYTES.get()));
        }
        while (!gate.ended()) {
            gate.read(TimeUnit.SECONDS.toNanos(1), new InputGate.Reader() {
                @Override
                public void buffer(int channel, NetworkBuffer buffer) {
                    readers.get(channel).read(buffer, records.get(channel)::add);
                }

                @Override
                public void end(int channel) {
                    readers.get(channel).end();
                }
            });
        }
        return records;
    }

    static ExchangeSettings quick() {
        return new ExchangeSettings(8 << 20, 4, 500, 1000, 5000);
    }
}
