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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** All partitions that a task produces, and their writers. Confined to the thread of the task. */
final class TaskOutputs {

    private final Exchange exchange;
    private final List<PartitionId> notMade = new ArrayList<>();
    private final List<ResultPartition> partitions = new ArrayList<>();
    private final List<RecordWriter<Object>> writers = new ArrayList<>();
    private final Discarded discarded = new Discarded();

    private static final class Discarded implements Collector<Object> {
        private long records;

        @Override
        public void collect(Object record) {
            records++;
        }
    }

    TaskOutputs(Exchange exchange, TaskDeployment deployment) {
        this.exchange = exchange;
        deployment.outputs().forEach(output -> notMade.add(new PartitionId(deployment.attempt(), output.edge())));
    }

    /** Creates the partitions; from now on consumers find them. */
    void open(TaskDeployment deployment, Operators operators) {
        for (Output output : deployment.outputs()) {
            ChainedOperator producer =
                    deployment.operators().get(deployment.operators().size() - 1);
            KeySelector<Object, ?> keys =
                    output.partitioning() == Partitioning.HASH ? operators.keys(output.consumer()) : record -> record;
            operators.serializer(producer);
            ResultPartition partition = exchange.createPartition(notMade.get(0), output.consumers());
            notMade.remove(0);
            partitions.add(partition);
            writers.add(new RecordWriter<>(
                    partition,
                    output.partitioning(),
                    keys,
                    output.consumerMaxParallelism(),
                    () -> operators.serializer(producer)));
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
        return writers.isEmpty() ? discarded.records : writers.get(0).records();
    }

    /** Records written to all edges together. */
    long exchanged() {
        return writers.stream().mapToLong(RecordWriter::records).sum();
    }

    void flush() {
        writers.forEach(RecordWriter::flush);
    }

    /** Sends the rest and the end, and waits until all consumers have received it. */
    void end() throws InterruptedException {
        writers.forEach(RecordWriter::end);
        CompletableFuture<?>[] drained = partitions.stream()
                .map(partition -> partition.drained().toCompletableFuture())
                .toArray(CompletableFuture[]::new);
        try {
            CompletableFuture.allOf(drained).get();
        } catch (java.util.concurrent.ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    /** Returns all buffers. Consumers that have not received the end get {@code reason}. */
    void release(String reason) {
        writers.forEach(RecordWriter::abandon);
        partitions.forEach(partition -> exchange.release(partition, reason));
        notMade.forEach(partition -> exchange.refuse(partition, reason));
        writers.clear();
        partitions.clear();
    }
}
