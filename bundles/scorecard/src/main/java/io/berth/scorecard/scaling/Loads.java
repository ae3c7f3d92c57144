package io.berth.scorecard.scaling;

import io.berth.scorecard.check.Cost;
import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.scaling.EdgeKind;
import io.berth.spi.scaling.ScalingPolicyFactory;
import io.berth.spi.scaling.ScalingSession;
import io.berth.spi.scaling.TaskMetric;
import io.berth.testkit.ArrayJobView;
import io.berth.testkit.RecordedParallelism;

/** A job that may use a slot on each worker and uses half of them. Before each decision its load changes. */
final class Loads implements Cost.Decisions {

    private static final int VERTICES = 4;
    private static final int WINDOW_MILLIS = 60_000;
    private static final int STEPS = 10;

    private final ArrayJobView job = new ArrayJobView(1);
    private final ScalingSession session;
    private long now;

    Loads(ScalingPolicyFactory factory, int workers) throws InvalidConfigurationException {
        for (int vertex = 0; vertex < VERTICES; vertex++) {
            job.vertex(0, 1, workers / 2, workers);
            if (vertex > 0) {
                job.edge(vertex - 1, vertex, EdgeKind.REBALANCE);
            }
        }
        for (int vertex = 0; vertex < VERTICES; vertex++) {
            job.current(vertex, workers / 2);
        }
        job.slots(0, workers / 2).room(0, workers / 2, 0);
        session = Jobs.open(factory, job);
    }

    @Override
    public void next() {
        now++;
        double busy = 0.5 + (now % STEPS) / (2.0 * STEPS);
        job.now(now * WINDOW_MILLIS).wallTime(now * WINDOW_MILLIS).measured(WINDOW_MILLIS);
        for (int vertex = 0; vertex < VERTICES; vertex++) {
            job.metric(vertex, TaskMetric.BUSY, busy, busy).metric(vertex, TaskMetric.IDLE, 1 - busy, 1 - busy);
        }
        job.observed();
        session.delta();
        session.desire(new RecordedParallelism(job));
    }

    @Override
    public void close() {
        session.close();
    }
}
