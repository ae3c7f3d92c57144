package io.berth.simulator.job;

import io.berth.core.api.job.JobGraph;
import io.berth.core.api.task.FailureKind;
import io.berth.core.api.task.TaskContext;
import io.berth.core.api.task.TaskContext.Committable;
import io.berth.core.api.task.TaskContext.SplitAnswer;
import io.berth.core.api.task.TaskDeployment;
import io.berth.core.api.task.TaskHandle;
import io.berth.core.api.task.TaskMetrics;
import io.berth.simulator.time.Incarnation;
import io.berth.simulator.time.VirtualTime;
import io.berth.simulator.time.VirtualTime.What;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * A task without data. A source receives splits and needs time for each; another task ends when its producers have
 * ended. Before it ends, it waits for the request to commit. It fails at random, and when one of its producers is
 * gone. In jobs with blocking edges, tasks keep {@link Records}, and only those without output commit.
 */
public final class SimulatedTask implements TaskHandle {

    /** Keys of the configuration of a vertex. */
    public static final String SPLITS = "splits";

    public static final String SPLIT_MILLIS = "split.ms";
    static final String FAIL_PERCENT = "fail.percent";
    /** How long a task that reads from others works at most after these have ended; none by default. */
    public static final String WORK_MILLIS = "work.ms";

    private static final int MAX_FAILED_CALLS = 5;
    private static final long PAUSE_NANOS = 200 * VirtualTime.MILLI;
    /** While the world is calm, jobs do not change. */
    static final long STILL_NANOS = 5 * VirtualTime.SECOND;

    private final TaskDeployment deployment;
    private final TaskContext context;
    private final Incarnation process;
    private final RandomGenerator random;
    private final Exchange exchange;
    private final LongSupplier slowEnd;
    private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    private final String vertex;
    private final List<Integer> kept = new ArrayList<>();
    private boolean canceled;
    private boolean done;
    private long records;
    private int failedCalls;

    /** @param slowEnd how much longer than usual it takes to end after it was canceled, in nanoseconds */
    public SimulatedTask(
            TaskDeployment deployment,
            TaskContext context,
            Incarnation process,
            RandomGenerator random,
            Exchange exchange,
            LongSupplier slowEnd) {
        this.deployment = deployment;
        this.context = context;
        this.process = process;
        this.random = random;
        this.exchange = exchange;
        this.slowEnd = slowEnd;
        this.vertex = deployment.operators().get(0).vertex();
    }

    public TaskDeployment deployment() {
        return deployment;
    }

    public Incarnation process() {
        return process;
    }

    boolean hasEnded() {
        return outcome.isDone();
    }

    private boolean keepsRecords() {
        return !configured(Records.FIRST, "").isEmpty();
    }

    /** Whether it reads a record of its producers. */
    boolean reads(int record) {
        return Records.isFor(record, deployment.attempt().subtask(), deployment.parallelism());
    }

    /** Its inputs from tasks that run at the same time. */
    List<TaskDeployment.Input> pipelined() {
        return deployment.inputs().stream()
                .filter(input -> input.exchange() == JobGraph.Exchange.PIPELINED)
                .toList();
    }

    /** The records that it has kept. */
    List<Integer> kept() {
        return kept;
    }

    /** The records that it has read. */
    long records() {
        return records;
    }

    /** Whether all its output is complete. */
    boolean isDone() {
        return done;
    }

    void begin() {
        int percent = Integer.parseInt(configured(FAIL_PERCENT, "0"));
        if (percent > 0 && random.nextInt(100) < percent) {
            long in = random.nextLong(60 * VirtualTime.SECOND);
            process.in(in, What.WORLD, () -> {
                if (!exchange.isCalm()) {
                    end(new Outcome.Failed("simulated failure", FailureKind.TRANSIENT));
                }
            });
        }
        if (!deployment.inputs().isEmpty()) {
            readInputs();
            return;
        }
        if (deployment.attempt().subtask() == 0) {
            report();
        }
        next();
    }

    private void readInputs() {
        if (pipelined().size() == deployment.inputs().size()) {
            exchange.reads(this);
            return;
        }
        new StoredInputs(this, exchange, random, Long.parseLong(configured(StoredInputs.PARTITION_MILLIS, "1000")))
                .read(
                        stored -> {
                            kept.addAll(stored);
                            exchange.reads(this);
                        },
                        this::end);
    }

    private String configured(String key, String otherwise) {
        return deployment.operators().get(0).configuration().getOrDefault(key, otherwise);
    }

    private void report() {
        List<byte[]> splits = new ArrayList<>();
        for (int split = 0; split < Integer.parseInt(configured(SPLITS, "4")); split++) {
            splits.add(Integer.toString(split).getBytes(StandardCharsets.UTF_8));
        }
        context.reportSplits(vertex, splits).whenComplete((reported, failure) -> {
            if (failure != null) {
                again(this::report, failure);
            }
        });
    }

    private void next() {
        if (hasEnded()) {
            return;
        }
        if (exchange.isCalm()) {
            process.in(STILL_NANOS, What.WORLD, this::next);
            return;
        }
        context.nextSplit(vertex).whenComplete((answer, failure) -> {
            if (failure != null) {
                again(this::next, failure);
            } else if (answer instanceof SplitAnswer.NotYet) {
                process.in(PAUSE_NANOS, What.WORLD, this::next);
            } else if (answer instanceof SplitAnswer.Exhausted) {
                complete();
            } else {
                failedCalls = 0;
                if (answer instanceof SplitAnswer.Assigned assigned && keepsRecords()) {
                    kept.add(Integer.parseInt(configured(Records.FIRST, "0"))
                            + Integer.parseInt(new String(assigned.split(), StandardCharsets.UTF_8)));
                }
                long nanos = Long.parseLong(configured(SPLIT_MILLIS, "1000")) * VirtualTime.MILLI;
                process.in(nanos / 2 + random.nextLong(nanos + 1), What.WORLD, () -> {
                    records += 10;
                    next();
                });
            }
        });
    }

    private void again(Runnable call, Throwable failure) {
        if (hasEnded()) {
            return;
        }
        if (++failedCalls > MAX_FAILED_CALLS) {
            end(new Outcome.Failed("no splits: " + failure.getMessage(), FailureKind.CONSEQUENCE));
        } else {
            process.in(PAUSE_NANOS, What.WORLD, call);
        }
    }

    /** Its producers have ended. */
    void inputComplete() {
        long nanos = Long.parseLong(configured(WORK_MILLIS, "0")) * VirtualTime.MILLI;
        if (nanos == 0) {
            complete();
        } else {
            process.in(random.nextLong(nanos), What.WORLD, this::complete);
        }
    }

    /** All its input has been read. */
    private void complete() {
        if (hasEnded() || done) {
            return;
        }
        done = true;
        if (keepsRecords()) {
            pipelined().stream()
                    .flatMap(input -> input.producers().stream())
                    .flatMap(producer -> exchange.written(producer.partition().producer()).stream())
                    .filter(this::reads)
                    .forEach(kept::add);
        }
        exchange.completed(this, kept);
        if (keepsRecords() && !deployment.outputs().isEmpty()) {
            end(new Outcome.Finished());
            return;
        }
        List<Committable> committables = List.of(new Committable(
                deployment.operators().get(deployment.operators().size() - 1).vertex(), Output.written(this)));
        context.readyToCommit(committables);
    }

    /** A producer is gone. */
    void disconnected(String cause) {
        end(new Outcome.Failed(cause, FailureKind.CONSEQUENCE));
    }

    private void end(Outcome with) {
        if (!outcome.isDone()) {
            outcome.complete(with);
            exchange.ended(this, with);
        }
    }

    @Override
    public void cancel() {
        if (!canceled) {
            canceled = true;
            long slow = slowEnd.getAsLong();
            process.in(VirtualTime.MILLI + random.nextLong(300 * VirtualTime.MILLI), What.WORLD, () -> endIn(slow));
        }
    }

    private void endIn(long nanos) {
        if (nanos <= 0 || exchange.isCalm()) {
            end(new Outcome.Canceled());
        } else {
            process.in(Math.min(nanos, VirtualTime.SECOND), What.WORLD, () -> endIn(nanos - VirtualTime.SECOND));
        }
    }

    @Override
    public void commit(List<Committable> committables) {
        if (canceled && !committables.isEmpty()) {
            exchange.committedLate(this);
        }
        process.in(VirtualTime.MILLI + random.nextLong(20 * VirtualTime.MILLI), What.WORLD, () -> {
            if (!outcome.isDone()) {
                exchange.committed(this, committables);
                end(new Outcome.Finished());
            }
        });
    }

    @Override
    public CompletionStage<Outcome> outcome() {
        return outcome;
    }

    @Override
    public TaskMetrics metrics() {
        return new TaskMetrics(
                List.of(new TaskMetrics.OperatorMetrics(vertex, records, records)), records, records, new TreeMap<>());
    }

    @Override
    public String toString() {
        return deployment.attempt() + " in slot " + deployment.allocation() + " on " + process;
    }
}
