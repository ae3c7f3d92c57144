package io.berth.ops.shell.job;

import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.VertexMeasures;
import io.berth.core.api.job.VertexMeasures.Spread;
import io.berth.core.api.job.VertexMeasures.TaskMeasures;
import io.berth.core.api.job.Waiting;
import io.berth.core.api.time.TimeText;
import io.berth.ops.shell.console.Answers;
import java.io.PrintStream;
import java.time.Instant;
import java.util.Locale;
import java.util.function.Function;
import org.apache.karaf.shell.support.table.ShellTable;

/** One job for people. */
final class JobReport {

    private JobReport() {}

    static void print(JobDetails job, PrintStream out) {
        out.println("Job " + job.id() + " (" + job.name() + "): " + job.status().label()
                + (job.reason().isEmpty() ? "" : ", " + job.reason()));
        out.println("queue " + job.queue() + ", pool " + job.pool() + ", priority " + job.priority() + ", place "
                + job.submissionIndex() + ", restarts " + job.restarts() + ", rescales " + job.rescales()
                + ", last attempt "
                + job.runMillis() + " ms"
                + (job.status().isTerminal() && job.startedMillis() > 0
                        ? ", ended " + (job.endedMillis() - job.startedMillis()) + " ms after its first start"
                        : ""));
        if (!job.submitter().isEmpty()) {
            out.println("submitted by " + job.submitter());
        }
        if (job.expectedRuntimeMillis() > 0) {
            out.println("expected to run for " + TimeText.of(job.expectedRuntimeMillis())
                    + learned(job.runtimeLearnedFrom()));
        }
        printWaiting(job.waiting(), out);
        ShellTable groups = Answers.table("Group", "Profile", "Minimum", "Desired", "Acquired");
        job.groups()
                .forEach(group -> groups.addRow()
                        .addContent(group.name(), group.profile(), group.minimum(), group.desired(), group.acquired()));
        groups.print(out);
        ShellTable vertices = Answers.table(
                "Vertex", "Operator", "Parallelism", "Bounds", "Running", "Finished", "In", "Exchanged", "Out");
        job.vertices()
                .forEach(vertex -> vertices.addRow()
                        .addContent(
                                vertex.name(),
                                vertex.operator(),
                                vertex.parallelism(),
                                vertex.minimum() + ":" + vertex.desired() + ":" + vertex.maximum(),
                                vertex.running(),
                                vertex.finished(),
                                vertex.recordsIn(),
                                vertex.exchangedIn(),
                                vertex.recordsOut()));
        vertices.print(out);
        printMeasures(job, out);
        ShellTable slots = Answers.table("Slot", "Worker", "Group", "Profile", "Decision");
        job.slots()
                .forEach(slot -> slots.addRow()
                        .addContent(slot.allocation(), slot.worker(), slot.group(), slot.profile(), slot.decision()));
        slots.print(out);
        job.counters().forEach((name, count) -> out.println(name + " " + count));
        JobHistoryReport.printStates(job, out);
    }

    /** What was measured; a figure that is not known is a dash. */
    private static void printMeasures(JobDetails job, PrintStream out) {
        job.measures().windowMillis().ifPresent(window -> {
            ShellTable table = Answers.table(
                    "Vertex", "In/s", "Out/s", "Busy", "Idle", "Back-pressured", "Splits left", "Records left", "Lag");
            for (int index = 0; index < job.vertices().size(); index++) {
                JobDetails.VertexDetails vertex = job.vertices().get(index);
                VertexMeasures measures = job.measures().vertex(index);
                table.addRow()
                        .addContent(
                                vertex.name(),
                                rate(measures, TaskMeasures::recordsIn, vertex.parallelism()),
                                rate(measures, TaskMeasures::recordsOut, vertex.parallelism()),
                                share(measures, TaskMeasures::busy),
                                share(measures, TaskMeasures::idle),
                                share(measures, TaskMeasures::backPressured),
                                measures.backlogSplits().map(String::valueOf).orElse("-"),
                                measures.backlogRecords().map(String::valueOf).orElse("-"),
                                measures.lagMillis().map(TimeText::of).orElse("-"));
            }
            table.print(out);
            out.println("measured over " + TimeText.of(window)
                    + "; shares: mean over the tasks, then that of the task with most of it");
        });
        job.measures()
                .room()
                .forEach(room -> out.println("room for group " + room.group() + ": " + room.free() + " free slots, "
                        + room.startable() + " on workers that may be started"
                        + room.queue()
                                .map(slots -> "; the queue may have " + slots + " more")
                                .orElse("")));
        job.measures()
                .lastRescaleMillis()
                .ifPresent(millis -> out.println("the last rescale stopped the job for " + TimeText.of(millis)));
    }

    private static String rate(VertexMeasures measures, Function<TaskMeasures, Spread> rate, int parallelism) {
        return measures.tasks()
                .map(tasks ->
                        String.format(Locale.ROOT, "%.1f", rate.apply(tasks).mean() * parallelism))
                .orElse("-");
    }

    private static String share(VertexMeasures measures, Function<TaskMeasures, Spread> share) {
        return measures.tasks()
                .map(share)
                .map(spread ->
                        String.format(Locale.ROOT, "%.0f%% %.0f%%", 100 * spread.mean(), 100 * spread.greatest()))
                .orElse("-");
    }

    /** The reason code; empty for a job that does not wait. */
    static String why(JobDetails job) {
        return job.waiting().equals(Waiting.NOT)
                ? ""
                : job.waiting().current().code().name();
    }

    private static String learned(int runs) {
        return switch (runs) {
            case 0 -> "";
            case 1 -> ", learned from 1 earlier run";
            default -> ", learned from " + runs + " earlier runs";
        };
    }

    private static void printWaiting(Waiting waiting, PrintStream out) {
        if (waiting.equals(Waiting.NOT)) {
            return;
        }
        out.println("waits since " + Instant.ofEpochMilli(waiting.currentMillis()) + " for");
        waiting.current().lines().forEach(line -> out.println("  " + line));
        if (waiting.first().equals(waiting.current())) {
            out.println("that was the first cause");
        } else {
            out.println("first cause, of " + Instant.ofEpochMilli(waiting.firstMillis()));
            waiting.first().lines().forEach(line -> out.println("  " + line));
        }
    }
}
