package io.berth.simulator.job;

import io.berth.core.api.job.JobGraph;
import io.berth.core.api.task.FailureKind;
import io.berth.core.api.task.TaskDeployment.Producer;
import io.berth.core.api.task.TaskHandle.Outcome;
import io.berth.simulator.time.Incarnation;
import io.berth.simulator.time.VirtualTime;
import io.berth.simulator.time.VirtualTime.What;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * Reads the stored inputs of a task, one partition after the other. When one is not there, or its worker cannot be reached
 * for some time, the task fails and says which one it is.
 */
public final class StoredInputs {

    /** The key of the configuration of a vertex that says how long a partition takes to be read, in milliseconds. */
    static final String PARTITION_MILLIS = "partition.ms";

    private static final long RETRY_NANOS = VirtualTime.SECOND;
    private static final int MAX_RETRIES = 12;

    /** What a connection to a worker shows. */
    public interface Connections {

        /** The process at a data address; empty when nobody answers there now. */
        Optional<Incarnation> answering(Incarnation reader, String dataAddress);

        /** Whether nobody will ever answer there as long as the task runs. */
        boolean isRefused(Incarnation reader, String dataAddress);
    }

    private final SimulatedTask task;
    private final Exchange exchange;
    private final RandomGenerator random;
    private final long nanosEach;
    private final List<Producer> left = new ArrayList<>();
    private final List<Integer> records = new ArrayList<>();
    private int retries;

    StoredInputs(SimulatedTask task, Exchange exchange, RandomGenerator random, long millisEach) {
        this.task = task;
        this.exchange = exchange;
        this.random = random;
        this.nanosEach = millisEach * VirtualTime.MILLI;
        task.deployment().inputs().stream()
                .filter(input -> input.exchange() == JobGraph.Exchange.BLOCKING)
                .forEach(input -> left.addAll(input.producers()));
    }

    /**
     * Reads them.
     *
     * @param done receives the records, once
     * @param failed receives why the task fails instead
     */
    void read(Consumer<List<Integer>> done, Consumer<Outcome.Failed> failed) {
        if (task.hasEnded()) {
            return;
        }
        if (exchange.isCalm()) {
            in(SimulatedTask.STILL_NANOS, done, failed);
            return;
        }
        if (left.isEmpty()) {
            done.accept(records);
            return;
        }
        Producer producer = left.get(0);
        Optional<Incarnation> process = exchange.connections().answering(task.process(), producer.dataAddress());
        if (process.isEmpty()) {
            if (exchange.connections().isRefused(task.process(), producer.dataAddress()) || ++retries > MAX_RETRIES) {
                failed.accept(lost(producer, "nobody answers there"));
            } else {
                in(RETRY_NANOS, done, failed);
            }
            return;
        }
        Optional<List<Integer>> content = exchange.results().read(process.get(), producer.partition());
        if (content.isEmpty()) {
            failed.accept(lost(producer, "it is not there"));
            return;
        }
        retries = 0;
        left.remove(0);
        content.get().stream().filter(task::reads).forEach(records::add);
        in(nanosEach / 2 + random.nextLong(nanosEach + 1), done, failed);
    }

    private void in(long nanos, Consumer<List<Integer>> done, Consumer<Outcome.Failed> failed) {
        task.process().in(nanos, What.WORLD, () -> read(done, failed));
    }

    private static Outcome.Failed lost(Producer producer, String why) {
        return new Outcome.Failed(
                "result " + producer.partition() + " at " + producer.dataAddress() + ": " + why,
                FailureKind.CONSEQUENCE,
                "",
                Optional.of(producer.partition()));
    }
}
