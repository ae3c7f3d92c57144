package io.berth.runtime.dataflow.task;

import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobGraph.Partitioning;
import io.berth.core.api.task.PartitionId;
import io.berth.core.api.task.TaskDeployment;
import io.berth.core.api.task.TaskDeployment.Input;
import io.berth.core.api.task.TaskDeployment.Producer;
import io.berth.dataflow.api.Collector;
import io.berth.dataflow.api.KeyGroups;
import io.berth.runtime.dataflow.exchange.Exchange;
import io.berth.runtime.dataflow.exchange.Exchange.Origin;
import io.berth.runtime.dataflow.exchange.buffer.NetworkBuffer;
import io.berth.runtime.dataflow.exchange.input.InputGate;
import io.berth.runtime.dataflow.exchange.input.RecordReader;
import io.berth.runtime.dataflow.exchange.wire.Wanted;
import io.berth.runtime.dataflow.measure.WaitTimes;
import java.util.ArrayList;
import java.util.List;

/** All channels that a task reads. Confined to the thread of the task. */
final class TaskInputs implements InputGate.Reader {

    private static final Integer ENDED = 0;

    private final List<RecordReader<Object>> readers = new ArrayList<>();
    /** Where the records of each channel go. */
    private final List<Collector<Object>> heads = new ArrayList<>();

    /** The number of the input that each channel belongs to. */
    private final List<Integer> inputs = new ArrayList<>();

    private final InputGate gate;
    /** The stored partition that the task reads first. */
    private final int first;

    private final OperatorChain chain;

    TaskInputs(
            TaskDeployment deployment, Operators operators, Exchange exchange, WaitTimes waits, OperatorChain chain) {
        this.chain = chain;
        List<Origin> origins = new ArrayList<>();
        for (Input input : deployment.inputs()) {
            Collector<Object> head = chain.input(input.input());
            for (Producer producer : input.producers()) {
                origins.add(new Origin(wanted(deployment, input, producer.partition()), producer.dataAddress()));
                readers.add(new RecordReader<>(operators.serializer(input.producer(), input.output())));
                heads.add(head);
                inputs.add(input.input());
            }
        }
        this.gate = exchange.createGate(origins, waits);
        this.first = (int) ((long) deployment.attempt().subtask() * origins.size() / deployment.parallelism());
    }

    /** Of a stored partition, the parts that are the key groups of the task, whatever the parallelism is now. */
    private static Wanted wanted(TaskDeployment deployment, Input input, PartitionId partition) {
        int subtask = deployment.attempt().subtask();
        if (input.exchange() == JobGraph.Exchange.PIPELINED) {
            return new Wanted(partition, input.partitioning() == Partitioning.FORWARD ? 0 : subtask);
        }
        if (input.partitioning() == Partitioning.BROADCAST || input.partitioning() == Partitioning.FORWARD) {
            return new Wanted(partition, 0, 1, true);
        }
        int parts = deployment.maxParallelism();
        int first = KeyGroups.first(subtask, deployment.parallelism(), parts);
        int end = KeyGroups.end(subtask, deployment.parallelism(), parts);
        return new Wanted(partition, first, end - first, true);
    }

    void open() {
        gate.open(first);
    }

    boolean ended() {
        return gate.ended();
    }

    /** Processes the next buffer, if one arrives within {@code nanos}. */
    boolean read(long nanos) throws InterruptedException {
        return gate.read(nanos, this);
    }

    @Override
    public void buffer(int channel, NetworkBuffer buffer) {
        readers.get(channel).read(buffer, heads.get(channel));
    }

    @Override
    public void end(int channel) {
        readers.get(channel).end();
        Integer input = inputs.get(channel);
        inputs.set(channel, ENDED);
        if (!inputs.contains(input)) {
            chain.endOf(input);
        }
    }

    /** Any thread. */
    long exchanged() {
        long sum = 0;
        for (RecordReader<Object> reader : readers) {
            sum += reader.records();
        }
        return sum;
    }

    void close() {
        gate.close();
    }
}
