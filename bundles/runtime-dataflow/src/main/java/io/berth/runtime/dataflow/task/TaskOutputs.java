package io.berth.runtime.dataflow.task;

import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobGraph.Partitioning;
import io.berth.core.api.task.PartitionId;
import io.berth.core.api.task.TaskDeployment;
import io.berth.core.api.task.TaskDeployment.ChainedOperator;
import io.berth.core.api.task.TaskDeployment.Output;
import io.berth.dataflow.api.Collector;
import io.berth.dataflow.api.KeySelector;
import io.berth.runtime.dataflow.exchange.Exchange;
import io.berth.runtime.dataflow.exchange.output.EdgeWriter;
import io.berth.runtime.dataflow.exchange.output.RecordWriter;
import io.berth.runtime.dataflow.exchange.output.ResultPartition;
import io.berth.runtime.dataflow.exchange.result.ResultWriter;
import io.berth.runtime.dataflow.measure.RecordCounter;
import io.berth.runtime.dataflow.measure.WaitTimes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/** All partitions that a task produces, and their writers. Confined to the thread of the task. */
final class TaskOutputs {

    static final Collector<Object> DROPPING = record -> {};

    private final Exchange exchange;
    private final List<PartitionId> notMade = new ArrayList<>();
    private final List<ResultPartition> partitions = new ArrayList<>();
    private final WaitTimes waits;
    private final List<ResultWriter<Object>> results = new ArrayList<>();
    private List<EdgeWriter<Object>> writers = List.of();
    /** Which output each writer belongs to. */
    private final List<String> names = new ArrayList<>();

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
        List<EdgeWriter<Object>> made = new ArrayList<>();
        for (Output output : deployment.outputs()) {
            ChainedOperator producer =
                    deployment.operators().get(deployment.operators().size() - 1);
            KeySelector<Object, ?> keys = output.partitioning() == Partitioning.HASH
                    ? operators.keys(output.consumer(), output.input())
                    : record -> record;
            operators.serializer(producer, output.output());
            if (output.exchange() == JobGraph.Exchange.BLOCKING) {
                ResultWriter<Object> result = exchange.results()
                        .writer(
                                notMade.get(results.size()),
                                output.consumers(),
                                output.partitioning(),
                                keys,
                                () -> operators.serializer(producer, output.output()));
                results.add(result);
                made.add(result);
            } else {
                ResultPartition partition = exchange.createPartition(notMade.get(results.size()), output.consumers());
                notMade.remove(results.size());
                partitions.add(partition);
                made.add(new RecordWriter<>(
                        partition,
                        output.partitioning(),
                        keys,
                        output.consumerMaxParallelism(),
                        () -> operators.serializer(producer, output.output()),
                        waits));
            }
            names.add(output.output());
            // Those that exist are released when a later one fails.
            writers = List.copyOf(made);
        }
    }

    /** Receives the main output of the last operator. */
    Collector<Object> collector() {
        return collector(writers(""), discarded);
    }

    /** Receives what the last operator emits to a side output; where no edge begins it is dropped. */
    Collector<Object> collector(String sideOutput) {
        return collector(writers(sideOutput), DROPPING);
    }

    private static Collector<Object> collector(List<EdgeWriter<Object>> of, Collector<Object> otherwise) {
        return switch (of.size()) {
            case 0 -> otherwise;
            case 1 -> of.get(0).collector();
            default -> {
                List<Collector<Object>> all =
                        of.stream().map(EdgeWriter::collector).toList();
                yield record -> all.forEach(each -> each.collect(record));
            }
        };
    }

    private List<EdgeWriter<Object>> writers(String output) {
        List<EdgeWriter<Object>> of = new ArrayList<>();
        for (int i = 0; i < writers.size(); i++) {
            if (names.get(i).equals(output)) {
                of.add(writers.get(i));
            }
        }
        return of;
    }

    /** Records that the last operator emitted to its main output. */
    long emitted() {
        return emitted(writers(""));
    }

    private long emitted(List<EdgeWriter<Object>> all) {
        return all.isEmpty() ? discarded.records.get() : all.get(0).records();
    }

    /** Records written to all edges together. */
    long exchanged() {
        return exchanged(writers);
    }

    private static long exchanged(List<EdgeWriter<Object>> all) {
        return all.stream().mapToLong(EdgeWriter::records).sum();
    }

    /** The two counts for any thread, as long as it has the result. */
    Counts counts() {
        List<EdgeWriter<Object>> all = writers;
        List<EdgeWriter<Object>> main = writers("");
        return new Counts(() -> emitted(main), () -> exchanged(all));
    }

    /** @param emitted records that the last operator emitted; {@code exchanged}: written to all edges together */
    record Counts(LongSupplier emitted, LongSupplier exchanged) {}

    void flush() {
        writers.forEach(EdgeWriter::flush);
    }

    /**
     * Writes the rest and the end, and waits until all consumers of pipelined edges have received it. Nobody waits for
     * those of blocking edges.
     */
    void end() throws InterruptedException {
        writers.forEach(EdgeWriter::end);
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

    /** The task has finished: what it stored belongs to the worker now, and consumers find it. */
    void publish() {
        for (ResultWriter<Object> result : results) {
            result.publish();
            notMade.remove(0);
        }
        results.clear();
    }

    /** Returns all buffers, and deletes what was stored and is not published. Consumers that have not received the end get {@code reason}. */
    void release(String reason) {
        writers.forEach(EdgeWriter::abandon);
        partitions.forEach(partition -> exchange.release(partition, reason));
        notMade.forEach(partition -> exchange.refuse(partition, reason));
        writers = List.of();
        names.clear();
        partitions.clear();
        results.clear();
    }
}
