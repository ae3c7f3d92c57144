package io.berth.testkit;

import io.berth.spi.scaling.EdgeKind;
import io.berth.spi.scaling.ScalingSession;
import io.berth.spi.scaling.TaskMetric;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * A chain of vertices under a load that does not change: a source that could emit so many records per second, and after
 * it vertices whose tasks can each process so many. Each vertex passes on each record. The slowest vertex limits the
 * rate of all; those before it are back-pressured, those after it idle. Slots are granted as desired.
 */
public final class ConstantLoad {

    private static final long REVIEW_MILLIS = 60_000;

    private final double load;
    private final double[] perTask;
    private final ArrayJobView job = new ArrayJobView(1);
    private long now;
    private int changes;

    /**
     * @param maximum of each vertex; its minimum is 1
     * @param load records per second that the source would emit with enough tasks
     * @param perTask records per second that one task of each vertex can process, the source first
     */
    public ConstantLoad(int maximum, double load, double... perTask) {
        this.load = load;
        this.perTask = perTask.clone();
        for (int vertex = 0; vertex < perTask.length; vertex++) {
            job.vertex(0, 1, 1, maximum);
            if (vertex > 0) {
                job.edge(vertex - 1, vertex, EdgeKind.REBALANCE);
            }
        }
        for (int vertex = 0; vertex < perTask.length; vertex++) {
            job.current(vertex, 1);
        }
        job.slots(0, 1);
        measure();
    }

    /** The job as a policy sees it. */
    public ArrayJobView job() {
        return job;
    }

    /** How often the job was rescaled. */
    public int changes() {
        return changes;
    }

    /** Records per second that flow through the job now. */
    public double rate() {
        double rate = load;
        for (int vertex = 0; vertex < perTask.length; vertex++) {
            rate = Math.min(rate, job.current(vertex) * perTask[vertex]);
        }
        return rate;
    }

    private void measure() {
        double rate = rate();
        // The last vertex that limits the rate holds back those before it.
        int limiting = -1;
        for (int vertex = 0; vertex < perTask.length; vertex++) {
            limiting = job.current(vertex) * perTask[vertex] <= rate ? vertex : limiting;
        }
        job.measured(REVIEW_MILLIS);
        for (int vertex = 0; vertex < perTask.length; vertex++) {
            double perSecond = rate / job.current(vertex);
            double busy = perSecond / perTask[vertex];
            metric(vertex, TaskMetric.RECORDS_IN, vertex == 0 ? 0 : perSecond);
            metric(vertex, TaskMetric.RECORDS_OUT, vertex == perTask.length - 1 ? 0 : perSecond);
            metric(vertex, TaskMetric.BUSY, busy);
            metric(vertex, TaskMetric.BACK_PRESSURED, vertex < limiting ? 1 - busy : 0);
            metric(vertex, TaskMetric.IDLE, vertex < limiting ? 0 : 1 - busy);
        }
    }

    private void metric(int vertex, TaskMetric metric, double value) {
        job.metric(vertex, metric, value, value);
    }

    /**
     * One decision of a session that is open on {@link #job}, and what follows from it.
     *
     * @return whether the job was rescaled
     */
    public boolean decide(ScalingSession session) {
        session.delta();
        RecordedParallelism desired = new RecordedParallelism(job);
        session.desire(desired);
        int[] wanted = desired.values();
        for (int vertex = 0; vertex < wanted.length; vertex++) {
            job.lastDesired(vertex, wanted[vertex]);
        }
        job.slots(0, IntStream.of(wanted).max().orElse(0));
        OptionalLong wish = desired.reviewMillis();
        boolean accepted = false;
        int[] current = IntStream.range(0, job.vertices()).map(job::current).toArray();
        if (!Arrays.equals(wanted, current)) {
            RecordedJudgement judgement = new RecordedJudgement();
            session.judge(RecordedJudgement.change(wanted), judgement);
            accepted = judgement.accepted();
            wish = LongStream.concat(wish.stream(), judgement.reviewMillis().stream())
                    .min();
        }
        now += wish.orElse(REVIEW_MILLIS);
        job.now(now);
        if (accepted) {
            changes++;
            for (int vertex = 0; vertex < wanted.length; vertex++) {
                job.current(vertex, wanted[vertex]);
            }
            job.lastRescaleMillis(1_000);
        }
        measure();
        return accepted;
    }
}
