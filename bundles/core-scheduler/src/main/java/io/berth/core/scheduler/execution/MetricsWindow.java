package io.berth.core.scheduler.execution;

import io.berth.core.api.task.TaskMetrics;
import io.berth.core.api.task.TaskMetrics.Activity;
import io.berth.core.api.task.TaskMetrics.OperatorMetrics;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * The reports of one task over the last time, to compute rates from. The sums and the time of a report come from the
 * clock of the worker, so neither the way of the report nor another clock changes a rate. Keeps a bounded number of
 * reports, however often they come. Confined to the main thread of the job.
 */
public final class MetricsWindow {

    /** The window moves in steps of this part of it. */
    private static final int STEPS = 10;

    private final long windowMicros;
    private final Deque<TaskMetrics> kept = new ArrayDeque<>();
    private Optional<TaskMetrics> latest = Optional.empty();

    /** @param windowMillis over which rates are computed */
    public MetricsWindow(long windowMillis) {
        windowMicros = windowMillis * 1_000;
    }

    private static long elapsed(TaskMetrics report) {
        return report.activity().map(Activity::elapsedMicros).orElse(0L);
    }

    /** Adds a report; one that is not newer than the latest has no effect. */
    public void add(TaskMetrics report) {
        if (report.activity().isEmpty()
                || latest.filter(last -> elapsed(last) >= elapsed(report)).isPresent()) {
            return;
        }
        latest = Optional.of(report);
        if (kept.isEmpty() || elapsed(report) - elapsed(kept.getLast()) >= windowMicros / STEPS) {
            kept.addLast(report);
        }
        while (kept.size() > 1 && elapsed(report) - elapsed(second()) >= windowMicros) {
            kept.removeFirst();
        }
    }

    private TaskMetrics second() {
        var reports = kept.iterator();
        reports.next();
        return reports.next();
    }

    /** How many reports it keeps beside the latest one. */
    int size() {
        return kept.size();
    }

    /** What happened between the oldest and the latest report; empty until there are two. */
    public Optional<Change> change() {
        return latest.filter(report -> elapsed(report) > elapsed(kept.getFirst()))
                .map(report -> new Change(kept.getFirst(), report));
    }

    /** Two reports of a task. */
    public record Change(TaskMetrics first, TaskMetrics last) {

        private static Activity activity(TaskMetrics report) {
            return report.activity().orElseThrow();
        }

        /** Time between the reports, more than 0. */
        public long micros() {
            return elapsed(last) - elapsed(first);
        }

        private double share(long micros) {
            return Math.max(0, Math.min(1, (double) micros / micros()));
        }

        /** Share of time in which the task waited for its consumers. */
        public double backPressured() {
            return share(activity(last).backPressuredMicros() - activity(first).backPressuredMicros());
        }

        /** Share of time in which it waited for input. */
        public double idle() {
            return Math.min(
                    1 - backPressured(),
                    share(activity(last).idleMicros() - activity(first).idleMicros()));
        }

        /** Share of the rest. */
        public double busy() {
            return Math.max(0, 1 - backPressured() - idle());
        }

        private double perSecond(long count) {
            return Math.max(0, count * 1_000_000.0 / micros());
        }

        private static Optional<OperatorMetrics> of(TaskMetrics report, String vertex) {
            return report.operators().stream()
                    .filter(operator -> operator.vertex().equals(vertex))
                    .findFirst();
        }

        /** Records that the vertex received per second. */
        public double recordsIn(String vertex) {
            return perSecond(of(last, vertex).map(OperatorMetrics::recordsIn).orElse(0L)
                    - of(first, vertex).map(OperatorMetrics::recordsIn).orElse(0L));
        }

        /** Records that the vertex emitted per second. */
        public double recordsOut(String vertex) {
            return perSecond(of(last, vertex).map(OperatorMetrics::recordsOut).orElse(0L)
                    - of(first, vertex).map(OperatorMetrics::recordsOut).orElse(0L));
        }
    }
}
