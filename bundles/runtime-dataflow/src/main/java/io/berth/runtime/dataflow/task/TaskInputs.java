package io.berth.runtime.dataflow.task;

import io.berth.core.api.job.JobGraph.Partitioning;
import io.berth.core.api.task.TaskDeployment;
import io.berth.core.api.task.TaskDeployment.Input;
import io.berth.core.api.task.TaskDeployment.Producer;
import io.berth.dataflow.api.Collector;
import io.berth.runtime.dataflow.exchange.Exchange;
import io.berth.runtime.dataflow.exchange.Exchange.Origin;
import io.berth.runtime.dataflow.exchange.buffer.NetworkBuffer;
import io.berth.runtime.dataflow.exchange.input.InputGate;
import io.berth.runtime.dataflow.exchange.input.RecordReader;
import io.berth.runtime.dataflow.measure.WaitTimes;
import java.util.ArrayList;
import java.util.List;

/** All channels that a task reads. Confined to the thread of the task. */
final class TaskInputs implements InputGate.Reader {

    private final List<RecordReader<Object>> readers = new ArrayList<>();
    private final InputGate gate;
    private final Collector<Object> head;

    TaskInputs(
            TaskDeployment deployment,
            Operators operators,
            Exchange exchange,
            WaitTimes waits,
            Collector<Object> head) {
        this.head = head;
        List<Origin> origins = new ArrayList<>();
        for (Input input : deployment.inputs()) {
            int part = input.partitioning() == Partitioning.FORWARD
                    ? 0
                    : deployment.attempt().subtask();
            for (Producer producer : input.producers()) {
                origins.add(new Origin(producer.partition(), part, producer.dataAddress()));
                readers.add(new RecordReader<>(operators.serializer(input.producer())));
            }
        }
        this.gate = exchange.createGate(origins, waits);
    }

    void open() {
        gate.open();
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
        readers.get(channel).read(buffer, head);
    }

    @Override
    public void end(int channel) {
        readers.get(channel).end();
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
