package io.berth.scaling.targetrate;

import io.berth.spi.scaling.EdgeKind;
import io.berth.spi.scaling.ScalingSession;
import io.berth.spi.scaling.TaskMetric;
import io.berth.testkit.ArrayJobView;
import io.berth.testkit.RecordedParallelism;
import io.berth.testkit.RecordedParallelism.Judgement;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.function.LongToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * A chain of vertices in virtual time, in ticks of a minute. The source reads what arrives and a backlog of what it
 * could not read yet. The vertex that can process least holds back those before it. Slots are granted as desired, and
 * a rescale stops the job for ten seconds.
 */
final class ModelJob {

    static final long TICK = 60_000;
    private static final int TICK_SECONDS = 60;
    private static final double RESCALE_SECONDS = 10;

    private final ArrayJobView view;
    private final double[] perTask;
    private final double[] flow;
    private final double[] ceiling;
    private final int[] current;
    private long now;
    private long runningSince;
    private long nextDecision;
    private double backlog;
    private int rescales;
    private int decreases;
    private int behindTicks;
    private long taskTicks;
    private long slotTicks;
    private String reason = "";

    /**
     * Each vertex has a slot sharing group of its own, and runs at 1.
     *
     * @param perTask records that a task of each vertex can process per second; the source: emit
     * @param passedOn records that each vertex emits for one that it receives; of the source it is 1
     * @param kind of the edges
     */
    ModelJob(int maximum, double[] perTask, double[] passedOn, EdgeKind kind) {
        this.perTask = perTask.clone();
        int vertices = perTask.length;
        view = new ArrayJobView(vertices);
        flow = new double[vertices];
        ceiling = new double[vertices];
        current = new int[vertices];
        for (int vertex = 0; vertex < vertices; vertex++) {
            view.vertex(vertex, 1, 1, maximum);
            flow[vertex] = vertex < 2 ? 1 : flow[vertex - 1] * passedOn[vertex - 1];
            ceiling[vertex] = Double.MAX_VALUE;
            if (vertex > 0) {
                view.edge(vertex - 1, vertex, kind);
            }
        }
        for (int vertex = 0; vertex < vertices; vertex++) {
            start(vertex, 1);
        }
    }

    /** All tasks of the vertex together process at most so many records per second, however many they are. */
    ModelJob ceiling(int vertex, double perSecond) {
        ceiling[vertex] = perSecond;
        return this;
    }

    ModelJob backlog(double records) {
        backlog = records;
        return this;
    }

    ArrayJobView view() {
        return view;
    }

    private void start(int vertex, int parallelism) {
        current[vertex] = parallelism;
        view.current(vertex, parallelism).slots(vertex, parallelism);
    }

    private double capacity(int vertex) {
        return Math.min(current[vertex] * perTask[vertex], ceiling[vertex]);
    }

    /** Records of the source that the whole job can process per second. */
    double capacity() {
        return IntStream.range(0, current.length)
                .mapToDouble(vertex -> capacity(vertex) / flow[vertex])
                .min()
                .orElseThrow();
    }

    /** Runs for so many minutes under a load, in records per second by the minute of the run. */
    ModelJob run(ScalingSession session, int minutes, LongToDoubleFunction load) {
        for (int minute = 0; minute < minutes; minute++) {
            tick(load.applyAsDouble(minute));
            if (now >= nextDecision) {
                decide(session, load.applyAsDouble(minute));
            }
        }
        return this;
    }

    private void tick(double load) {
        double rate = Math.min(capacity(), load + backlog / TICK_SECONDS);
        backlog = Math.max(0, backlog + (load - rate) * TICK_SECONDS);
        behindTicks += capacity() < load ? 1 : 0;
        taskTicks += IntStream.of(current).sum();
        slotTicks += IntStream.of(current).max().orElseThrow();
        now += TICK;
        view.now(now).wallTime(now).measured(Math.min(TICK, now - runningSince));
        view.backlogRecords(0, Math.round(backlog)).lag(0, Math.round(backlog / load * 1_000));
        int limiting = -1;
        for (int vertex = 0; vertex < current.length; vertex++) {
            limiting = capacity(vertex) / flow[vertex] <= rate * (1 + 1e-9) ? vertex : limiting;
        }
        for (int vertex = 0; vertex < current.length; vertex++) {
            double busy = Math.min(1, rate * flow[vertex] / capacity(vertex));
            double out = vertex == current.length - 1 ? 0 : rate * flow[vertex + 1];
            metric(vertex, TaskMetric.RECORDS_IN, vertex == 0 ? 0 : rate * flow[vertex] / current[vertex]);
            metric(vertex, TaskMetric.RECORDS_OUT, out / current[vertex]);
            metric(vertex, TaskMetric.BUSY, busy);
            metric(vertex, TaskMetric.BACK_PRESSURED, vertex < limiting ? 1 - busy : 0);
            metric(vertex, TaskMetric.IDLE, vertex < limiting ? 0 : 1 - busy);
        }
    }

    private void metric(int vertex, TaskMetric metric, double value) {
        view.metric(vertex, metric, value, value);
    }

    private void decide(ScalingSession session, double load) {
        view.observed();
        session.delta();
        RecordedParallelism result = new RecordedParallelism(view);
        session.desire(result);
        reason = result.reason();
        int[] desired = result.values();
        for (int vertex = 0; vertex < desired.length; vertex++) {
            view.lastDesired(vertex, desired[vertex]);
        }
        OptionalLong review = result.reviewMillis();
        if (!Arrays.equals(desired, current)) {
            Judgement judgement = new Judgement();
            session.judge(Judgement.change(desired), judgement);
            review = LongStream.concat(review.stream(), judgement.reviewMillis().stream())
                    .min();
            if (judgement.accepted()) {
                rescales++;
                decreases += IntStream.of(desired).sum() < IntStream.of(current).sum() ? 1 : 0;
                for (int vertex = 0; vertex < desired.length; vertex++) {
                    if (desired[vertex] != current[vertex]) {
                        start(vertex, desired[vertex]);
                    }
                }
                runningSince = now;
                backlog += load * RESCALE_SECONDS;
            }
        }
        nextDecision = now + review.orElse(TICK);
    }

    int[] current() {
        return current.clone();
    }

    double backlog() {
        return backlog;
    }

    int rescales() {
        return rescales;
    }

    int decreases() {
        return decreases;
    }

    /** Minutes in which the job could process less than what arrived. */
    int behindMinutes() {
        return behindTicks;
    }

    /** Hours that the tasks of all vertices had together. */
    double taskHours() {
        return taskTicks / 60.0;
    }

    /** Hours of the slots that the job would have if all its vertices shared one group. */
    double slotHours() {
        return slotTicks / 60.0;
    }

    /** The reason of the last decision. */
    String reason() {
        return reason;
    }
}
