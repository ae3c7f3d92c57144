package io.berth.core.scheduler.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.berth.core.api.task.TaskMetrics;
import io.berth.core.api.task.TaskMetrics.Activity;
import io.berth.core.api.task.TaskMetrics.OperatorMetrics;
import io.berth.core.scheduler.execution.MetricsWindow.Change;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class MetricsWindowTest {

    private static final long SECOND = 1_000_000;

    private final MetricsWindow window = new MetricsWindow(10_000);

    private static TaskMetrics report(long elapsed, long idle, long backPressured, long in, long out) {
        return new TaskMetrics(
                List.of(new OperatorMetrics("map", in, out)),
                0,
                0,
                new TreeMap<>(),
                Optional.of(new Activity(elapsed, idle, backPressured, Optional.empty(), Optional.empty())));
    }

    private Change change() {
        return window.change().orElseThrow();
    }

    @Test
    void ratesAndSharesComeFromTheClockOfTheWorker() {
        window.add(report(2 * SECOND, SECOND, 0, 100, 10));
        assertThat(window.change()).as("one report says no rate").isEmpty();
        window.add(report(6 * SECOND, 2 * SECOND, SECOND, 500, 50));
        assertThat(change().micros()).isEqualTo(4 * SECOND);
        assertThat(change().recordsIn("map")).isEqualTo(100);
        assertThat(change().recordsOut("map")).isEqualTo(10);
        assertThat(change().recordsIn("other")).isZero();
        assertThat(change().idle()).isEqualTo(0.25);
        assertThat(change().backPressured()).isEqualTo(0.25);
        assertThat(change().busy()).isEqualTo(0.5);
    }

    @Test
    void sharesSumToOneWhenTheReportsContradictThemselves() {
        window.add(report(0, 0, 0, 0, 0));
        window.add(report(SECOND, 2 * SECOND, SECOND / 2, 0, 0));
        assertThat(change().idle() + change().busy() + change().backPressured()).isEqualTo(1, within(1e-9));
        assertThat(change().busy()).isNotNegative();
    }

    @Test
    void coversTheWindowAndKeepsABoundedNumberOfReports() {
        for (int tenths = 0; tenths <= 1_000; tenths++) {
            window.add(report(tenths * SECOND / 10, 0, 0, tenths < 500 ? 0 : 7L * (tenths - 500), 0));
        }
        assertThat(change().micros()).isBetween(10 * SECOND, 11 * SECOND);
        assertThat(change().recordsIn("map")).as("what was before is forgotten").isEqualTo(70, within(1e-6));
        assertThat(window.size()).isLessThanOrEqualTo(12);
    }

    @Test
    void aReportThatCameLateOrWithoutTimesChangesNothing() {
        window.add(report(SECOND, 0, 0, 10, 0));
        window.add(report(3 * SECOND, 0, 0, 30, 0));
        window.add(report(2 * SECOND, 0, 0, 20, 0));
        window.add(new TaskMetrics(List.of(), 0, 0, new TreeMap<>()));
        assertThat(change().recordsIn("map")).isEqualTo(10);
    }
}
