package io.berth.core.policies.scaling;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobGraph.JobVertex;
import io.berth.core.api.job.JobGraph.SlotSharingGroup;
import io.berth.core.api.job.JobMeasures;
import io.berth.core.api.job.JobMeasures.Means;
import io.berth.core.api.job.SchedulingAttributes;
import io.berth.core.api.job.VertexMeasures;
import io.berth.core.api.job.VertexMeasures.Spread;
import io.berth.core.api.job.VertexMeasures.TaskMeasures;
import io.berth.core.api.policy.ScalingAdvisor.Limit;
import io.berth.core.api.policy.ScalingAdvisor.ScalingInput;
import io.berth.core.policies.cache.DecisionTime;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.scaling.TaskMetric;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class GraphViewTest {

    private static final JobGraph JOB = new JobGraph(
            new JobId("a"),
            "",
            0,
            SchedulingAttributes.DEFAULT,
            new TreeMap<>(),
            List.of(),
            List.of(
                    new JobVertex("source", "", 1, 1, 9, 128, "g", new TreeMap<>()),
                    new JobVertex("sink", "", 1, 1, 9, 128, "g", new TreeMap<>())),
            List.of(),
            List.of(new SlotSharingGroup("g", ResourceProfile.of(1_000, 1_000))));

    private final GraphView view = new GraphView(JOB);
    private long state;

    private void apply(int parallelism, JobMeasures measures, Means stopped) {
        state++;
        ScalingInput input =
                new ScalingInput(state, Collections.nCopies(2, parallelism), List.of(3), Limit.NONE, measures, stopped);
        assertThat(view.apply(input, new DecisionTime(state, state))).isEmpty();
    }

    private static VertexMeasures vertex(double... means) {
        Spread[] all = new Spread[means.length];
        for (int nth = 0; nth < means.length; nth++) {
            all[nth] = new Spread(means[nth], 2 * means[nth]);
        }
        return new VertexMeasures(
                Optional.of(new TaskMeasures(3, all[0], all[1], all[2], all[3], all[4])),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    @Test
    void anEarlierStateShowsTheFiguresThatTheViewShowedInIt() {
        JobMeasures measures = new JobMeasures(
                Optional.of(4_000L),
                List.of(vertex(0, 10, 0.5, 0.25, 0.125), VertexMeasures.NONE),
                Optional.empty(),
                List.of());
        apply(3, measures, Means.NONE);
        double emitted = view.recordsOutPerSecond(0).orElseThrow();
        apply(0, JobMeasures.NONE, Means.NONE);
        apply(2, JobMeasures.NONE, Means.NONE);
        assertThat(view.history()).isEqualTo(2);
        assertThat(view.historyMeasuredMillis(1)).hasValue(4_000);
        assertThat(view.historyRecordsInPerSecond(1, 0)).hasValue(0);
        assertThat(view.historyRecordsOutPerSecond(1, 0)).hasValue(emitted).hasValue(30);
        assertThat(view.historyMean(1, 0, TaskMetric.RECORDS_OUT)).hasValue(10);
        assertThat(view.historyMean(1, 0, TaskMetric.BUSY)).hasValue(0.5);
        assertThat(view.historyMean(1, 0, TaskMetric.IDLE)).hasValue(0.25);
        assertThat(view.historyMean(1, 0, TaskMetric.BACK_PRESSURED)).hasValue(0.125);
        assertThat(view.historyMean(1, 1, TaskMetric.BUSY))
                .as("nothing was measured of this vertex")
                .isEmpty();
        assertThat(view.historyRecordsInPerSecond(1, 1)).isEmpty();
        assertThat(view.historyMeasuredMillis(0)).as("it did not run").isEmpty();
        assertThat(view.historyMean(0, 0, TaskMetric.BUSY)).isEmpty();
    }

    @Test
    void whatWasKnownWhenTheTasksStoppedIsNewerThanWhatADecisionSaw() {
        JobMeasures seen =
                new JobMeasures(Optional.of(1_000L), List.of(vertex(1, 1, 1, 0, 0)), Optional.empty(), List.of());
        JobMeasures last =
                new JobMeasures(Optional.of(9_000L), List.of(vertex(7, 1, 1, 0, 0)), Optional.empty(), List.of());
        apply(2, seen, Means.NONE);
        apply(0, JobMeasures.NONE, last.means());
        assertThat(view.historyMeasuredMillis(0)).hasValue(9_000);
        assertThat(view.historyRecordsInPerSecond(0, 0)).hasValue(14);
    }

    @Test
    void theMostWorkIsThatOfTheTasksThatRanAndStaysAfterARestart() {
        long minute = 60_000;
        for (int busy = 1; busy <= 8; busy++) {
            JobMeasures seen = new JobMeasures(
                    Optional.of(1_000L), List.of(vertex(1, 1, busy / 8.0, 0, 0)), Optional.empty(), List.of());
            state = busy * minute;
            apply(4, seen, Means.NONE);
        }
        state = 9 * minute;
        apply(0, JobMeasures.NONE, Means.NONE);
        assertThat(view.peakWork(0, 5 * minute)).hasValue(4);
        assertThat(view.peakWork(1, 5 * minute))
                .as("nothing was measured of this vertex")
                .isEmpty();
        assertThat(view.peakWork(0, 10 * minute))
                .as("it is not known for so long")
                .isEmpty();

        GraphView next = view.with(JOB);
        assertThat(next.apply(
                        new ScalingInput(1, List.of(0, 0), List.of(3), Limit.NONE, JobMeasures.NONE, Means.NONE),
                        new DecisionTime(12 * minute, 0)))
                .isEmpty();
        assertThat(next.peakWork(0, 10 * minute)).hasValue(4);
    }
}
