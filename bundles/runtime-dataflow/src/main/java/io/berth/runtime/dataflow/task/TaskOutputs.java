package io.berth.runtime.dataflow.task;

import io.berth.core.api.job.JobGraph.Partitioning;
import io.berth.core.api.task.PartitionId;
import io.berth.core.api.task.TaskDeployment;
import io.berth.core.api.task.TaskDeployment.ChainedOperator;
import io.berth.core.api.task.TaskDeployment.Output;
import io.berth.dataflow.api.Collector;
import io.berth.dataflow.api.KeySelector;
import io.berth.runtime.dataflow.exchange.Exchange;
import io.berth.runtime.dataflow.exchange.output.RecordWriter;
import io.berth.runtime.dataflow.exchange.output.ResultPartition;
import io.berth.runtime.dataflow.measure.RecordCounter;
import io.berth.runtime.dataflow.measure.WaitTimes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/** All partitions that a task produces, and their writers. Confined to the thread of the task. */
final class TaskOutputs {

    private final Exchange exchange;
    private final List<PartitionId> notMade = new ArrayList<>();
    private final List<ResultPartition> partitions = new ArrayList<>();
    private final WaitTimes waits;
    private List<RecordWriter<Object>> writers = List.of();
    private final Discarded discarded = new Discarded();

    private static final class Discarded implements Collector<Object> {
        private final RecordCounter records = new RecordCounter();

        @Override
        public void collect(Object record) {
            records.increment();
        }
    }

    /** @param waits of the task */
    TaskOutputs(Exchange exchange, TaskDeployment deployment, WaitTimes waits) {
        this.exchange = exchange;
        this.waits = waits;
        deployment.outputs().forEach(output -> notMade.add(new PartitionId(deployment.attempt(), output.edge())));
    }

    /** Creates the partitions; from now on consumers find them. */
    void open(TaskDeployment deployment, Operators operators) {
        List<RecordWriter<Object>> made = new ArrayList<>();
        for (Output output : deployment.outputs()) {
            ChainedOperator producer =
                    deployment.operators().get(deployment.operators().size() - 1);
            KeySelector<Object, ?> keys =
                    output.partitioning() == Partitioning.HASH ? operators.keys(output.consumer()) : record -> record;
            operators.serializer(producer);
            ResultPartition partition = exchange.createPartition(notMade.get(0), output.consumers());
            notMade.remove(0);
            partitions.add(partition);
            made.add(new RecordWriter<>(
                    partition,
                    output.partitioning(),
                    keys,
                    output.consumerMaxParallelism(),
                    () -> operators.serializer(producer),
                    waits));
            // Those that exist are released when a later one fails.
            writers = List.copyOf(made);
        }
    }

    /** Receives the output of the last operator. */
    Collector<Object> collector() {
        return switch (writers.size()) {
            case 0 -> discarded;
            case 1 -> writers.get(0).collector();
            default -> {
                List<Collector<Object>> all =
                        writers.stream().map(RecordWriter::collector).toList();
                yield record -> all.forEach(each -> each.collect(record));
            }
        };
    }

    /** Records that the last operator emitted. */
    long emitted() {
        return emitted(writers);
    }

    private long emitted(List<RecordWriter<Object>> all) {
        return all.isEmpty() ? discarded.records.get() : all.get(0).records();
    }

    /** Records written to all edges together. */
    long exchanged() {
        return exchanged(writers);
    }

    private static long exchanged(List<RecordWriter<Object>> all) {
        return all.stream().mapToLong(RecordWriter::records).sum();
    }

    /** The two counts for any thread, as long as it has the result. */
    Counts counts() {
        List<RecordWriter<Object>> all = writers;
        return new Counts(() -> emitted(all), () -> exchanged(all));
    }

    /** @param emitted records that the last operator emitted; {@code exchanged}: written to all edges together */
    record Counts(LongSupplier emitted, LongSupplier exchanged) {}

    void flush() {
        writers.forEach(RecordWriter::flush);
    }

    /** Sends the rest and the end, and waits until all consumers have received it. */
    void end() throws InterruptedException {
        writers.forEach(RecordWriter::end);
        CompletableFuture<?>[] drained = partitions.stream()
                .map(partition -> partition.drained().toCompletableFuture())
                .toArray(CompletableFuture[]::new);
        waits.backPressured().begin();
        try {
            CompletableFuture.allOf(drained).get();
        } catch (java.util.concurrent.ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } finally {
            waits.backPressured().end();
        }
    }

    /** Returns all buffers. Consumers that have not received the end get {@code reason}. */
    void release(String reason) {
        writers.forEach(RecordWriter::abandon);
        partitions.forEach(partition -> exchange.release(partition, reason));
        notMade.forEach(partition -> exchange.refuse(partition, reason));
        writers = List.of();
        partitions.clear();
    }
}
