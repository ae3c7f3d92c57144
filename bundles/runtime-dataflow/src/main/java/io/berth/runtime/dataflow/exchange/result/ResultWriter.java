package io.berth.runtime.dataflow.exchange.result;

import io.berth.core.api.job.JobGraph.Partitioning;
import io.berth.core.api.task.PartitionId;
import io.berth.dataflow.api.Collector;
import io.berth.dataflow.api.KeyGroups;
import io.berth.dataflow.api.KeySelector;
import io.berth.dataflow.api.Serializer;
import io.berth.runtime.dataflow.exchange.output.EdgeWriter;
import io.berth.runtime.dataflow.measure.RecordCounter;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes the records of a task to a stored partition. Consumers find it once it is published, which is when its task has
 * finished. Confined to the thread of the task.
 */
public final class ResultWriter<T> implements EdgeWriter<T> {

    private final PartitionId id;
    private final int parts;
    private final Supplier<Serializer<T>> serializer;
    private final ResultStore store;
    private final ResultStore.Reservation reservation;
    private final RecordCounter records = new RecordCounter();
    private final Collector<T> route;
    private Optional<ResultFile> file = Optional.empty();
    private Optional<StoredResult> complete = Optional.empty();
    private @Nullable RecordRegion<T> region;
    private boolean published;

    ResultWriter(
            PartitionId id,
            int parts,
            Partitioning partitioning,
            KeySelector<T, ?> keys,
            Supplier<Serializer<T>> serializer,
            ResultStore store) {
        this.id = id;
        this.parts = parts;
        this.serializer = serializer;
        this.store = store;
        this.reservation = store.reservation(id.producer().job());
        this.route = switch (partitioning) {
            case HASH -> record -> write(KeyGroups.keyGroup(keys.key(record).hashCode(), parts), record);
            case REBALANCE -> new Rebalance(id.producer().subtask());
            case BROADCAST, FORWARD -> record -> write(0, record);
        };
    }

    /**
     * A consumer reads parts in a row, and there may be more parts than records. So the parts of successive records are
     * far from each other, as in a sequence of multiples of the golden ratio, and each producer begins at another part.
     */
    private final class Rebalance implements Collector<T> {
        private static final double GOLDEN = 0.6180339887498949;
        /** Another such number, so that the sequences of the producers do not coincide. */
        private static final double START = 0.5698402909980532;

        private final int stride;
        private int next;

        Rebalance(int subtask) {
            int coprime = Math.max(1, (int) Math.round(parts * GOLDEN));
            while (greatestCommonDivisor(coprime, parts) != 1) {
                coprime++;
            }
            this.stride = coprime;
            this.next = (int) (subtask * START % 1 * parts);
        }

        @Override
        public void collect(T record) {
            int part = next;
            next = part < parts - stride ? part + stride : part + stride - parts;
            write(part, record);
        }
    }

    private static int greatestCommonDivisor(int one, int other) {
        return other == 0 ? one : greatestCommonDivisor(other, one % other);
    }

    private void write(int part, T record) {
        records.increment();
        try {
            RecordRegion<T> memory = region;
            if (memory == null) {
                ResultFile made = store.newFile(reservation);
                file = Optional.of(made);
                memory = new RecordRegion<>(serializer, new RunWriter(made), parts, store.memoryBytes());
                region = memory;
            }
            memory.write(part, record);
        } catch (IOException failure) {
            throw store.failed(id, failure);
        }
    }

    @Override
    public Collector<T> collector() {
        return route;
    }

    @Override
    public long records() {
        return records.get();
    }

    @Override
    public void flush() {
        // Nothing is read before the end.
    }

    @Override
    public void end() {
        RecordRegion<T> memory = region;
        try {
            complete = Optional.of(
                    memory == null
                            ? store.empty(id, parts)
                            : store.stored(id, parts, file.orElseThrow().path(), memory.end()));
        } catch (IOException failure) {
            throw store.failed(id, failure);
        }
        region = null;
    }

    /** The task has finished: the store owns the result, and consumers find it. */
    public void publish() {
        store.publish(complete.orElseThrow(), reservation);
        published = true;
    }

    /** Deletes what was written, unless it is published. */
    @Override
    public void abandon() {
        region = null;
        if (!published) {
            file.ifPresent(unfinished -> store.discard(unfinished, reservation));
            file = Optional.empty();
        }
    }
}
