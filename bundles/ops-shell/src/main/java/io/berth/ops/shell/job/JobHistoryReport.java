package io.berth.ops.shell.job;

import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobFailure;
import io.berth.core.api.job.JobRescale;
import io.berth.core.api.job.JobRescale.Change;
import io.berth.core.api.time.TimeText;
import io.berth.ops.shell.console.Answers;
import java.io.PrintStream;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.karaf.shell.support.table.ShellTable;

/** What happened to a job, for people. */
final class JobHistoryReport {

    private JobHistoryReport() {}

    /** The same fields as over REST. */
    static Map<String, Object> json(JobDetails job) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("states", job.history());
        fields.put("failures", job.events().failures());
        fields.put("rescales", job.events().rescales());
        return fields;
    }

    static void print(JobDetails job, PrintStream out) {
        printStates(job, out);
        job.events().failures().forEach(failure -> print(failure, out));
        if (!job.events().rescales().isEmpty()) {
            print(job.events().rescales(), out);
        }
    }

    static void printStates(JobDetails job, PrintStream out) {
        job.history()
                .forEach(change -> out.println(Instant.ofEpochMilli(change.wallMillis()) + " "
                        + change.status().label() + " " + change.reason()));
    }

    private static void print(JobFailure failure, PrintStream out) {
        out.println(Instant.ofEpochMilli(failure.cause().wallMillis()) + " execution " + failure.execution()
                + " failed: " + failure.cause().text());
        failure.cause().stack().lines().forEach(line -> out.println("    " + line));
        if (failure.othersInAll() > 0) {
            out.println("  " + failure.othersInAll() + (failure.othersInAll() == 1 ? " other task" : " other tasks")
                    + " failed with it: "
                    + failure.others().stream()
                            .map(other -> other.task() + " on worker " + other.worker())
                            .collect(Collectors.joining(", "))
                    + (failure.othersInAll() > failure.others().size() ? ", ..." : ""));
        }
    }

    private static void print(List<JobRescale> rescales, PrintStream out) {
        ShellTable table =
                Answers.table("Rescaled at", "Kind", "Outcome", "Took", "Phases", "Parallelism", "Slots", "Why");
        rescales.forEach(rescale -> table.addRow()
                .addContent(
                        Instant.ofEpochMilli(rescale.startedMillis()),
                        words(rescale.kind()),
                        words(rescale.outcome()),
                        TimeText.exact(rescale.millis()),
                        rescale.phases().stream()
                                .map(phase -> phase.status().label() + " " + TimeText.exact(phase.millis()))
                                .collect(Collectors.joining(", ")),
                        changes(rescale.vertices()),
                        changes(rescale.groups()),
                        rescale.trigger() + (rescale.policy().isEmpty() ? "" : " (" + rescale.policy() + ")")));
        table.print(out);
    }

    private static String changes(List<Change> changes) {
        String text = changes.stream()
                .filter(change -> change.before() != change.after())
                .map(change -> change.name() + " " + change.before() + " -> "
                        + (change.after() == 0 ? "?" : String.valueOf(change.after())))
                .collect(Collectors.joining(", "));
        return text.isEmpty() ? "same" : text;
    }

    private static String words(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
