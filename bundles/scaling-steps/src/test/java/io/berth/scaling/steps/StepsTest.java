package io.berth.scaling.steps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.scaling.EdgeKind;
import io.berth.spi.scaling.ScalingSession;
import io.berth.spi.scaling.TaskMetric;
import io.berth.testkit.ArrayJobView;
import io.berth.testkit.FixedConfiguration;
import io.berth.testkit.FixedContext;
import io.berth.testkit.RecordedParallelism;
import io.berth.testkit.RecordedParallelism.Judgement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StepsTest {

    private static final long MINUTE = 60_000;

    /** Runs at 4 and 4 since time 0, of 20 at most, with a slot sharing group for each. */
    private final ArrayJobView job = new ArrayJobView(2)
            .vertex(0, 1, 2, 20)
            .vertex(1, 1, 2, 20)
            .edge(0, 1, EdgeKind.REBALANCE)
            .current(0, 4)
            .current(1, 4);

    private static ScalingSession session(ArrayJobView job, Map<String, String> configuration)
            throws InvalidConfigurationException {
        StepsFactory factory = new StepsFactory();
        return factory.create(FixedConfiguration.of(factory.describe(), configuration), FixedContext.of("job job"))
                .open(job);
    }

    private RecordedParallelism desire(Map<String, String> configuration) throws InvalidConfigurationException {
        RecordedParallelism result = new RecordedParallelism(job);
        session(job, configuration).desire(result);
        return result;
    }

    private void busy(double source, double sink) {
        job.measured(MINUTE).metric(0, TaskMetric.BUSY, source, source).metric(1, TaskMetric.BUSY, sink, sink);
    }

    @Test
    void aVertexGrowsByTheFactorFromTheUpperThresholdOn() throws InvalidConfigurationException {
        job.now(2 * MINUTE);
        busy(0.79, 0.8);
        assertThat(desire(Map.of()).values()).containsExactly(4, 6);
        assertThat(desire(Map.of("factor", "1.9")).values()).containsExactly(4, 8);
        assertThat(desire(Map.of("step", "1")).values()).containsExactly(4, 5);
    }

    @Test
    void growsAtMostToItsMaximum() throws InvalidConfigurationException {
        job.now(2 * MINUTE);
        busy(0.5, 0.9);
        assertThat(desire(Map.of("step", "100")).values()).containsExactly(4, 20);
    }

    @Test
    void aVertexShrinksBelowTheLowerThresholdAfterThePause() throws InvalidConfigurationException {
        busy(0.3, 0.4);
        job.now(14 * MINUTE);
        assertThat(desire(Map.of()).values()).containsExactly(4, 4);
        job.now(15 * MINUTE);
        assertThat(desire(Map.of()).values()).containsExactly(3, 4);
        assertThat(desire(Map.of("step", "1")).values()).containsExactly(3, 4);
    }

    @Test
    void doesNotShrinkWhenThoseThatStayWouldBeTooBusy() throws InvalidConfigurationException {
        job.now(60 * MINUTE);
        busy(0.3, 0.5);
        assertThat(desire(Map.of("step", "3")).values()).containsExactly(4, 4);
        busy(0.17, 0.5);
        assertThat(desire(Map.of("step", "3")).values()).containsExactly(1, 4);
    }

    @Test
    void timeUnderBackPressureIsNotSpare() throws InvalidConfigurationException {
        job.now(60 * MINUTE);
        busy(0.1, 0.5);
        job.metric(0, TaskMetric.BACK_PRESSURED, 0.6, 0.6);
        assertThat(desire(Map.of()).values()).containsExactly(4, 4);
    }

    @Test
    void withASourceThatIsBehindTheBusiestVertexGrows() throws InvalidConfigurationException {
        job.now(60 * MINUTE).lag(0, 2 * MINUTE);
        busy(0.2, 0.6);
        assertThat(desire(Map.of()).values()).containsExactly(4, 6);
        assertThat(desire(Map.of("backlog.up", "0")).values()).containsExactly(3, 4);
        busy(0.2, 0.3);
        assertThat(desire(Map.of()).values()).containsExactly(4, 4);
    }

    @Test
    void aBacklogCountsByTheTimeToReadIt() throws InvalidConfigurationException {
        job.now(60 * MINUTE).metric(0, TaskMetric.RECORDS_OUT, 25, 25);
        busy(0.5, 0.6);
        assertThat(desire(Map.of()).values()).containsExactly(4, 4);
        job.backlogRecords(0, 6_000);
        RecordedParallelism behind = desire(Map.of());
        assertThat(behind.values()).containsExactly(4, 6);
        assertThat(behind.reason()).contains("vertex-0 is 1 min behind").contains("vertex-1");
    }

    @Test
    void aVertexMayHaveThresholdsOfItsOwn() throws InvalidConfigurationException {
        job.now(2 * MINUTE);
        busy(0.9, 0.65);
        assertThat(desire(Map.of("vertex.vertex-0.busy.up", "0.95", "vertex.vertex-1.busy.up", "0.65"))
                        .values())
                .containsExactly(4, 6);
    }

    @Test
    void twoStepsHaveAPauseBetweenThem() throws InvalidConfigurationException {
        busy(0.9, 0.9);
        job.now(MINUTE);
        RecordedParallelism early = desire(Map.of());
        assertThat(early.values()).containsExactly(4, 4);
        assertThat(early.reviewMillis()).hasValue(MINUTE);
        job.now(2 * MINUTE);
        assertThat(desire(Map.of()).values()).containsExactly(6, 6);
    }

    @Test
    void aJobThatStoppedStartsAgainWithWhatWasDesired() throws InvalidConfigurationException {
        job.current(0, 0).current(1, 0);
        assertThat(desire(Map.of()).values()).containsExactly(2, 2);
        job.lastDesired(0, 7).lastDesired(1, 25);
        assertThat(desire(Map.of()).values()).containsExactly(7, 20);
    }

    /** Work for so many busy tasks, at each threshold and between: however small the job, it settles. */
    @Test
    void noAmountOfConstantWorkMakesItOscillate() throws InvalidConfigurationException {
        for (Map<String, String> configuration : List.of(
                Map.<String, String>of(), Map.of("step", "3"), Map.of("busy.down", "0.5"), Map.of("factor", "1.9"))) {
            for (double work = 0.1; work < 18; work += 0.1) {
                ArrayJobView one = new ArrayJobView(1).vertex(0, 1, 1, 20).current(0, 3);
                ScalingSession session = session(one, configuration);
                int changes = 0;
                for (int minute = 1; minute <= 300; minute++) {
                    double busy = Math.min(1, work / one.current(0));
                    one.now(minute * MINUTE).measured(MINUTE).metric(0, TaskMetric.BUSY, busy, busy);
                    RecordedParallelism result = new RecordedParallelism(one);
                    session.delta();
                    session.desire(result);
                    if (result.values()[0] != one.current(0)) {
                        changes++;
                        one.current(0, result.values()[0]);
                    }
                }
                assertThat(changes).as("work %s with %s", work, configuration).isLessThanOrEqualTo(7);
            }
        }
    }

    @Test
    void acceptsAStepForWhichThereAreSlots() throws InvalidConfigurationException {
        job.now(2 * MINUTE);
        busy(0.9, 0.5);
        ScalingSession session = session(job, Map.of());
        session.desire(new RecordedParallelism(job));
        Judgement whole = new Judgement();
        session.judge(Judgement.change(6, 4), whole);
        assertThat(whole.accepted()).isTrue();
    }

    @Test
    void thresholdsWithoutAGapAreRefused() {
        assertThatThrownBy(() -> session(job, Map.of("busy.down", "0.6")))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageContaining("busy.down is '0.6'")
                .hasMessageContaining("busy.up, which is 0.8");
        assertThatThrownBy(() -> session(job, Map.of("vertex.count.busy.up", "0.5")))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageContaining("busy.down is '0.4'")
                .hasMessageContaining("vertex.count.busy.up, which is 0.5");
        assertThatThrownBy(() -> session(job, Map.of("pause.up", "20 min")))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageContaining("pause.down is '15 min'");
    }
}
