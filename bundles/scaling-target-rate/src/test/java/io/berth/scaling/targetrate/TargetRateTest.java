package io.berth.scaling.targetrate;

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
import java.util.Map;
import org.junit.jupiter.api.Test;

class TargetRateTest {

    private static final long MINUTE = 60_000;
    private static final int DAY = 24 * 60;

    private static ScalingSession session(ArrayJobView job, Map<String, String> configuration)
            throws InvalidConfigurationException {
        TargetRateFactory factory = new TargetRateFactory();
        return factory.create(FixedConfiguration.of(factory.describe(), configuration), FixedContext.of("job job"))
                .open(job);
    }

    private static RecordedParallelism desire(ArrayJobView job, Map<String, String> configuration)
            throws InvalidConfigurationException {
        RecordedParallelism result = new RecordedParallelism(job);
        session(job, configuration).desire(result);
        return result;
    }

    /** Source, one vertex and a sink, of which the vertex does the work: 100 records per second a task. */
    private static ModelJob chain() {
        return new ModelJob(32, new double[] {1_000, 100, 800}, new double[] {1, 1, 0}, EdgeKind.REBALANCE);
    }

    private static void measure(ArrayJobView job, int vertex, double rateOfATask, double busy, double backPressured) {
        job.measured(MINUTE)
                .metric(vertex, TaskMetric.RECORDS_IN, job.source(vertex) ? 0 : rateOfATask, rateOfATask)
                .metric(vertex, TaskMetric.RECORDS_OUT, rateOfATask, rateOfATask)
                .metric(vertex, TaskMetric.BUSY, busy, busy)
                .metric(vertex, TaskMetric.BACK_PRESSURED, backPressured, backPressured)
                .metric(vertex, TaskMetric.IDLE, 1 - busy - backPressured, 1 - busy - backPressured);
    }

    /** The word count of the DS2 paper: 100,000 sentences a minute for a splitter, a million words for a counter. */
    @Test
    void ds2_findsTheTasksOfItsWordCountInTwoSteps() throws InvalidConfigurationException {
        double sentences = 1_000_000 / 60.0;
        ModelJob job = new ModelJob(
                64,
                new double[] {sentences * 1.5, sentences / 10, 20 * sentences / 20},
                new double[] {1, 20, 0},
                EdgeKind.REBALANCE);
        ScalingSession session =
                session(job.view(), Map.of("utilization", "0.99", "max.step.up", "1000", "align", "0"));
        job.run(session, 120, minute -> sentences);
        assertThat(job.rescales()).isLessThanOrEqualTo(2);
        assertThat(job.capacity()).isGreaterThanOrEqualTo(sentences);
        assertThat(job.current()[1]).isBetween(10, 13);
        assertThat(job.current()[2]).isBetween(20, 26);
    }

    @Test
    void followsAStepOfTheLoadAndThenKeepsStill() throws InvalidConfigurationException {
        ModelJob job = chain();
        ScalingSession session = session(job.view(), Map.of());
        job.run(session, 120, minute -> 100);
        int before = job.rescales();
        job.run(session, 30, minute -> 900);
        assertThat(job.capacity()).isGreaterThan(900);
        assertThat(job.rescales() - before).isLessThanOrEqualTo(4);
        job.run(session, 120, minute -> 900);
        int settled = job.rescales();
        job.run(session, 7 * DAY, minute -> 900);
        assertThat(job.rescales()).isEqualTo(settled);
        assertThat(job.backlog()).isLessThan(1);
    }

    @Test
    void followsARampWithoutFallingBehindForLong() throws InvalidConfigurationException {
        ModelJob job = chain();
        ScalingSession session = session(job.view(), Map.of());
        job.run(session, 10 * 60, minute -> 50 + 1_450 * minute / 600.0);
        assertThat(job.behindMinutes()).isLessThanOrEqualTo(12);
        assertThat(job.rescales()).isLessThanOrEqualTo(12);
        assertThat(job.backlog()).isLessThan(1_500 * 60);
    }

    @Test
    void followsADayWithFewRescalesAndFewSlots() throws InvalidConfigurationException {
        ModelJob job = chain();
        ScalingSession session = session(job.view(), Map.of());
        int days = 7;
        job.run(session, days * DAY, minute -> 800 - 600 * Math.cos(2 * Math.PI * minute / DAY));
        assertThat(job.rescales()).isLessThanOrEqualTo(12 * days);
        assertThat(job.behindMinutes()).isLessThan(days * DAY / 100);
        double peak = 24.0 * days * (14 + 2 + 2);
        assertThat(job.taskHours()).isLessThan(0.9 * peak);
    }

    @Test
    void givesUpOnAVertexThatDoesNotBecomeFasterAndSaysSo() throws InvalidConfigurationException {
        ModelJob job = chain().ceiling(1, 150);
        ScalingSession session = session(job.view(), Map.of());
        job.run(session, 100, minute -> 900);
        assertThat(job.rescales()).isLessThanOrEqualTo(4);
        assertThat(job.reason()).contains("vertex-1 stays at ").contains("next attempt in ");
        int attempts = job.rescales();
        job.run(session, 12 * 60, minute -> 900);
        assertThat(job.rescales() - attempts).isLessThanOrEqualTo(6);
    }

    @Test
    void doesNotGrowForAVertexThatHasItsMaximum() throws InvalidConfigurationException {
        ModelJob job = new ModelJob(4, new double[] {150, 10, 150}, new double[] {1, 1, 0}, EdgeKind.REBALANCE);
        ScalingSession session = session(job.view(), Map.of());
        job.run(session, 300, minute -> 5_000);
        assertThat(job.current()).containsExactly(1, 4, 1);
        assertThat(job.reason()).contains("vertex-1").contains("its maximum");
    }

    @Test
    void worksOffABacklogWithinTheTimeForIt() throws InvalidConfigurationException {
        ModelJob job = chain();
        ScalingSession session = session(job.view(), Map.of("max.step.up", "100"));
        job.run(session, 60, minute -> 60);
        job.backlog(600_000);
        job.run(session, 25, minute -> 60);
        assertThat(job.backlog()).isLessThan(1);
    }

    @Test
    void growsToADivisorOfTheKeyGroupsThatIsNotMuchLarger() throws InvalidConfigurationException {
        ArrayJobView job = new ArrayJobView(1)
                .vertex(0, 1, 1, 64)
                .vertex(0, 1, 1, 64)
                .edge(0, 1, EdgeKind.HASH)
                .current(0, 5)
                .current(1, 5)
                .now(10 * MINUTE);
        measure(job, 0, 100, 0.7, 0);
        measure(job, 1, 100, 0.97, 0);
        Map<String, String> bounds = Map.of("high", "0.95");
        assertThat(desire(job, bounds).values()).containsExactly(5, 7);
        Map<String, String> aligned = Map.of("high", "0.95", "align", "0.2");
        assertThat(desire(job, aligned).values()).containsExactly(5, 8);
    }

    @Test
    void saysWhatTheRateNeeds() throws InvalidConfigurationException {
        ArrayJobView job = new ArrayJobView(1).vertex(0, 1, 1, 64).current(0, 2).now(10 * MINUTE);
        measure(job, 0, 410, 1, 0);
        RecordedParallelism result = desire(job, Map.of());
        assertThat(result.values()).containsExactly(3);
        assertThat(result.reason())
                .isEqualTo("vertex-0 is busy 1.00 of the time at 410/s a task; 820/s need 3 tasks at 0.80");
    }

    @Test
    void figuresOfTasksThatHaveJustStartedDoNotCount() throws InvalidConfigurationException {
        ArrayJobView job = new ArrayJobView(1).vertex(0, 1, 1, 64).current(0, 2).now(MINUTE);
        measure(job, 0, 410, 1, 0);
        RecordedParallelism early = desire(job, Map.of());
        assertThat(early.values()).containsExactly(2);
        assertThat(early.reviewMillis()).hasValue(MINUTE);
        job.now(2 * MINUTE);
        assertThat(desire(job, Map.of()).values()).containsExactly(3);
    }

    @Test
    void aJobThatStoppedStartsAgainWithWhatWasDesired() throws InvalidConfigurationException {
        ArrayJobView job = new ArrayJobView(1).vertex(0, 1, 4, 64);
        assertThat(desire(job, Map.of()).values()).containsExactly(4);
        job.lastDesired(0, 9);
        assertThat(desire(job, Map.of()).values()).containsExactly(9);
    }

    /** A decision a minute while it is as busy as this. */
    private static void observe(ArrayJobView job, long fromMinute, long toMinute, double busy) {
        for (long minute = fromMinute; minute <= toMinute; minute++) {
            job.now(minute * MINUTE);
            measure(job, 0, 410, busy, 0);
            job.observed();
        }
    }

    @Test
    void aDecreaseWaitsTheLongerTheLessItSaves() throws InvalidConfigurationException {
        ArrayJobView job = new ArrayJobView(1).vertex(0, 1, 1, 64).current(0, 10);
        observe(job, 0, 9, 0.2);
        assertThat(desire(job, Map.of()).values()).containsExactly(10);
        observe(job, 10, 10, 0.2);
        RecordedParallelism many = desire(job, Map.of());
        // 3 slots for 7: 20 min * 3 / 7 are less than 10 min.
        assertThat(many.values()).containsExactly(3);
        assertThat(many.reason())
                .isEqualTo("vertex-0 had work for 2.00 tasks at most in the last 10 min; 3 tasks of 10 are enough");

        ArrayJobView other = new ArrayJobView(1).vertex(0, 1, 1, 64).current(0, 10);
        observe(other, 0, 159, 0.7);
        assertThat(desire(other, Map.of()).values()).containsExactly(10);
        observe(other, 160, 160, 0.7);
        // 9 slots for 1: 180 min.
        assertThat(desire(other, Map.of()).values()).containsExactly(10);
        observe(other, 161, 320, 0.7);
        assertThat(desire(other, Map.of()).values()).containsExactly(9);
    }

    @Test
    void aDecreaseLeavesRoomForTheWorkOfAWhileAgo() throws InvalidConfigurationException {
        ArrayJobView job = new ArrayJobView(1).vertex(0, 1, 1, 64).current(0, 10);
        observe(job, 0, 10, 0.2);
        observe(job, 11, 12, 0.6);
        observe(job, 13, 20, 0.2);
        // In the last 10 min there was work for 6 tasks, and 5 min are too short for 3 slots of 10.
        assertThat(desire(job, Map.of()).values()).containsExactly(10);
        observe(job, 21, 27, 0.2);
        assertThat(desire(job, Map.of()).values()).containsExactly(3);
    }

    @Test
    void oneOfManySlotsGoesAfterTheLongestTimeThatIsKnown() throws InvalidConfigurationException {
        ArrayJobView job = new ArrayJobView(1).vertex(0, 1, 1, 200).current(0, 100);
        observe(job, 0, 1_279, 0.79);
        assertThat(desire(job, Map.of()).values()).containsExactly(100);
        observe(job, 1_280, 1_280, 0.79);
        assertThat(desire(job, Map.of()).values()).containsExactly(99);
    }

    @Test
    void aMaximumThatWasLoweredIsNoReasonOfTheWork() throws InvalidConfigurationException {
        ArrayJobView job = new ArrayJobView(1).vertex(0, 1, 1, 4).current(0, 10);
        observe(job, 0, 30, 0.8);
        RecordedParallelism result = desire(job, Map.of());
        assertThat(result.values()).containsExactly(4);
        assertThat(result.reason()).doesNotContain("are enough");
    }

    @Test
    void doesNotDecreaseAVertexWhenThatSavesNoSlot() throws InvalidConfigurationException {
        for (boolean saves : new boolean[] {false, true}) {
            ArrayJobView job = new ArrayJobView(1)
                    .vertex(0, 1, 1, 64)
                    .vertex(0, 1, 1, 64)
                    .edge(0, 1, EdgeKind.REBALANCE)
                    .current(0, 10)
                    .current(1, 10);
            for (long minute = 0; minute <= 60; minute++) {
                job.now(minute * MINUTE);
                measure(job, 0, 100, 0.1, 0);
                measure(job, 1, 100, saves ? 0.4 : 0.75, 0);
                job.observed();
            }
            assertThat(desire(job, Map.of()).values()).isEqualTo(saves ? new int[] {2, 5} : new int[] {10, 10});
        }
    }

    @Test
    void targetRatesFollowTheEdgesOfAJoin() throws InvalidConfigurationException {
        // Two sources, one of them held back to a third of what it could emit, feed one vertex.
        ArrayJobView job = new ArrayJobView(1)
                .vertex(0, 1, 1, 64)
                .vertex(0, 1, 1, 64)
                .vertex(0, 1, 1, 64)
                .edge(0, 2, EdgeKind.REBALANCE)
                .edge(1, 2, EdgeKind.REBALANCE)
                .current(0, 1)
                .current(1, 1)
                .current(2, 4)
                .now(10 * MINUTE);
        measure(job, 0, 100, 0.1, 2.0 / 3);
        measure(job, 1, 300, 0.5, 0);
        measure(job, 2, 100, 1, 0);
        // It receives 400, and should receive 300 + 300: 6 busy tasks, 8 at 0.8.
        assertThat(desire(job, Map.of()).values()).containsExactly(1, 1, 8);
    }

    @Test
    void moreTasksDoNotHelpAVertexThatReceivesABroadcast() throws InvalidConfigurationException {
        ArrayJobView job = new ArrayJobView(2)
                .vertex(0, 1, 1, 64)
                .vertex(1, 1, 1, 64)
                .edge(0, 1, EdgeKind.BROADCAST)
                .current(0, 1)
                .current(1, 4)
                .now(10 * MINUTE);
        measure(job, 0, 100, 0.1, 0.9);
        measure(job, 1, 100, 1, 0);
        RecordedParallelism result = desire(job, Map.of());
        assertThat(result.values()).containsExactly(1, 4);
        assertThat(result.reason()).contains("vertex-1").contains("broadcast");
    }

    @Test
    void verticesOfForwardEdgesGrowTogether() throws InvalidConfigurationException {
        ArrayJobView job = new ArrayJobView(1)
                .vertex(0, 1, 1, 64)
                .vertex(0, 1, 1, 6)
                .edge(0, 1, EdgeKind.FORWARD)
                .current(0, 4)
                .current(1, 4)
                .now(10 * MINUTE);
        measure(job, 0, 100, 0.5, 0);
        measure(job, 1, 100, 1, 0);
        assertThat(desire(job, Map.of()).values()).containsExactly(5, 5);
    }

    @Test
    void decidesWithoutAnyFigure() throws InvalidConfigurationException {
        ArrayJobView job = new ArrayJobView(1).vertex(0, 1, 1, 64).current(0, 4).now(10 * MINUTE);
        assertThat(desire(job, Map.of()).values()).containsExactly(4);
        job.measured(MINUTE);
        assertThat(desire(job, Map.of()).values()).containsExactly(4);
    }

    @Test
    void boundsWithoutAGapToTheUtilizationAreRefused() {
        assertThatThrownBy(() -> session(new ArrayJobView(1), Map.of("high", "80 %")))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageContaining("high is '80 %'")
                .hasMessageContaining("more than utilization, which is 0.8, is allowed");
    }
}
