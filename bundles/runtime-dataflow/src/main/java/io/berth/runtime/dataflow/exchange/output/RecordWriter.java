package io.berth.runtime.dataflow.exchange.output;

import io.berth.core.api.job.JobGraph.Partitioning;
import io.berth.dataflow.api.Collector;
import io.berth.dataflow.api.KeyGroups;
import io.berth.dataflow.api.KeySelector;
import io.berth.dataflow.api.Serializer;
import io.berth.runtime.dataflow.measure.RecordCounter;
import io.berth.runtime.dataflow.measure.WaitTimes;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Writes the records of a task to the parts of one partition. Confined to the thread of the task. */
public final class RecordWriter<T> implements EdgeWriter<T> {

    private final List<ChannelWriter<T>> channels = new ArrayList<>();
    private final Routed<T> route;

    /** Chooses the part of each record. */
    private sealed interface Routed<T> extends Collector<T> {
        long records();
    }

    /**
     * A writer to {@code partition}.
     *
     * @param keys for {@code HASH}: the key selector of the consumer
     * @param maxParallelism for {@code HASH}: number of key groups of the consumer
     * @param serializers creates a serializer for each part
     * @param waits of the task
     */
    public RecordWriter(
            ResultPartition partition,
            Partitioning partitioning,
            KeySelector<T, ?> keys,
            int maxParallelism,
            Supplier<Serializer<T>> serializers,
            WaitTimes waits) {
        for (int i = 0; i < partition.count(); i++) {
            channels.add(new ChannelWriter<>(partition.part(i), serializers.get(), waits.backPressured()));
        }
        this.route = switch (partitioning) {
            case FORWARD -> new Forward<>(channels.get(0));
            case REBALANCE -> new Rebalance<>(channels);
            case HASH -> new Hash<>(channels, keys, maxParallelism);
            case BROADCAST -> new Broadcast<>(channels);
        };
    }

    @Override
    public Collector<T> collector() {
        return route;
    }

    @Override
    public long records() {
        return route.records();
    }

    /** Sends partly filled buffers. */
    @Override
    public void flush() {
        channels.forEach(ChannelWriter::flush);
    }

    /** Sends everything, and the end of the partition. */
    @Override
    public void end() {
        channels.forEach(ChannelWriter::end);
    }

    @Override
    public void abandon() {
        channels.forEach(ChannelWriter::abandon);
    }

    private static final class Forward<T> implements Routed<T> {
        private final ChannelWriter<T> channel;
        private final RecordCounter records = new RecordCounter();

        Forward(ChannelWriter<T> channel) {
            this.channel = channel;
        }

        @Override
        public void collect(T record) {
            records.increment();
            channel.write(record);
        }

        @Override
        public long records() {
            return records.get();
        }
    }

    private static final class Rebalance<T> implements Routed<T> {
        private final List<ChannelWriter<T>> channels;
        private final RecordCounter records = new RecordCounter();
        private int next;

        Rebalance(List<ChannelWriter<T>> channels) {
            this.channels = channels;
        }

        @Override
        public void collect(T record) {
            records.increment();
            int index = next;
            next = index + 1 == channels.size() ? 0 : index + 1;
            channels.get(index).write(record);
        }

        @Override
        public long records() {
            return records.get();
        }
    }

    private static final class Broadcast<T> implements Routed<T> {
        private final List<ChannelWriter<T>> channels;
        private final RecordCounter records = new RecordCounter();

        Broadcast(List<ChannelWriter<T>> channels) {
            this.channels = channels;
        }

        @Override
        public void collect(T record) {
            records.increment();
            for (ChannelWriter<T> channel : channels) {
                channel.write(record);
            }
        }

        @Override
        public long records() {
            return records.get();
        }
    }

    private static final class Hash<T> implements Routed<T> {
        private final ArrayList<ChannelWriter<T>> byKeyGroup = new ArrayList<>();
        private final KeySelector<T, ?> keys;
        private final int maxParallelism;
        private final RecordCounter records = new RecordCounter();

        Hash(List<ChannelWriter<T>> channels, KeySelector<T, ?> keys, int maxParallelism) {
            this.keys = keys;
            this.maxParallelism = maxParallelism;
            for (int group = 0; group < maxParallelism; group++) {
                byKeyGroup.add(channels.get(KeyGroups.subtask(group, channels.size(), maxParallelism)));
            }
        }

        @Override
        public void collect(T record) {
            records.increment();
            int group = KeyGroups.keyGroup(keys.key(record).hashCode(), maxParallelism);
            byKeyGroup.get(group).write(record);
        }

        @Override
        public long records() {
            return records.get();
        }
    }
}
