package io.berth.ops.cli.job;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.core.api.operations.PlainText;
import io.berth.core.api.time.TimeText;
import io.berth.ops.cli.console.Api;
import io.berth.ops.cli.console.Console;
import io.berth.ops.cli.console.ExitCode;
import io.berth.ops.cli.console.Table;
import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Shows one job: why it waits, requirements, slots, vertices and history. */
@Command(
        name = "job",
        mixinStandardHelpOptions = true,
        description = "Shows one job: why it waits, requirements, slots, vertices, history.")
public final class JobCommand implements Callable<Integer> {

    @ParentCommand
    private Console berth;

    @Parameters(paramLabel = "ID", description = "Id of the job, as 'berth jobs' lists it")
    private String id = "";

    @Option(
            names = "--history",
            description = "Shows what happened to it instead, also after its end: states, failures with their stack"
                    + " traces, rescales")
    private boolean history;

    @Override
    public Integer call() {
        Api api = berth.api();
        if (history) {
            berth.print(
                    api,
                    api.get("jobs/" + Api.encode(id) + "/history"),
                    happened -> JobHistory.print(happened, berth.terminal().out()));
            return ExitCode.DONE;
        }
        berth.print(
                api,
                api.get("jobs/" + Api.encode(id)),
                job -> print(job, berth.terminal().out()));
        return ExitCode.DONE;
    }

    private static String learned(int runs) {
        return switch (runs) {
            case 0 -> "";
            case 1 -> ", learned from 1 earlier run";
            default -> ", learned from " + runs + " earlier runs";
        };
    }

    private static void print(JsonNode job, PrintStream out) {
        String reason = job.path("reason").asText();
        out.println("Job " + job.path("id").asText() + " (" + job.path("name").asText() + "): "
                + job.path("status").asText() + (reason.isEmpty() ? "" : ", " + reason));
        out.println("queue " + job.path("queue").asText() + ", pool "
                + job.path("pool").asText() + ", priority "
                + job.path("priority").asInt() + ", place "
                + job.path("submissionIndex").asLong() + ", restarts "
                + job.path("restarts").asInt() + ", rescales "
                + job.path("rescales").asInt() + ", last attempt "
                + job.path("runMillis").asLong() + " ms"
                + (JobFollower.isEnd(JobFollower.status(job)) ? ", ended " + JobFollower.lasted(job) : ""));
        String submitter = job.path("submitter").asText();
        if (!submitter.isEmpty()) {
            out.println("submitted by " + submitter);
        }
        if (job.path("expectedRuntimeMillis").asLong() > 0) {
            out.println("expected to run for "
                    + TimeText.of(job.path("expectedRuntimeMillis").asLong())
                    + learned(job.path("runtimeLearnedFrom").asInt()));
        }
        ReasonTree.print(job.path("waiting"), out);
        Table groups = new Table("GROUP", "PROFILE", "MINIMUM", "DESIRED", "ACQUIRED");
        for (JsonNode group : job.path("groups")) {
            groups.row(
                    group.path("name").asText(),
                    group.path("profile").asText(),
                    group.path("minimum").asInt(),
                    group.path("desired").asInt(),
                    group.path("acquired").asInt());
        }
        out.println();
        groups.print(out);
        Table vertices = new Table(
                "VERTEX", "OPERATOR", "PARALLELISM", "BOUNDS", "RUNNING", "FINISHED", "IN", "EXCHANGED", "OUT");
        for (JsonNode vertex : job.path("vertices")) {
            vertices.row(
                    vertex.path("name").asText(),
                    vertex.path("operator").asText(),
                    vertex.path("parallelism").asInt(),
                    vertex.path("minimum").asInt() + ":"
                            + vertex.path("desired").asInt() + ":"
                            + vertex.path("maximum").asInt(),
                    vertex.path("running").asInt(),
                    vertex.path("finished").asInt(),
                    vertex.path("recordsIn").asLong(),
                    vertex.path("exchangedIn").asLong(),
                    vertex.path("recordsOut").asLong());
        }
        out.println();
        vertices.print(out);
        printMeasures(job, out);
        Table slots = new Table("SLOT", "WORKER", "GROUP", "PROFILE", "DECISION");
        for (JsonNode slot : job.path("slots")) {
            slots.row(
                    slot.path("allocation").asText(),
                    slot.path("worker").asText(),
                    slot.path("group").asText(),
                    slot.path("profile").asText(),
                    slot.path("decision").asLong());
        }
        out.println();
        slots.print(out);
        out.println();
        job.path("counters")
                .properties()
                .forEach(counter -> out.println(PlainText.of(counter.getKey()) + " "
                        + counter.getValue().asText()));
        JobHistory.printStates(job.path("history"), out);
    }

    /** What was measured; a figure that is not known is a dash. */
    private static void printMeasures(JsonNode job, PrintStream out) {
        JsonNode measures = job.path("measures");
        if (measures.path("windowMillis").isNumber()) {
            Table table = new Table(
                    "VERTEX", "IN/S", "OUT/S", "BUSY", "IDLE", "BACK-PRESSURED", "SPLITS LEFT", "RECORDS LEFT", "LAG");
            for (int index = 0; index < job.path("vertices").size(); index++) {
                JsonNode vertex = measures.path("vertices").path(index);
                JsonNode tasks = vertex.path("tasks");
                int parallelism =
                        job.path("vertices").path(index).path("parallelism").asInt();
                table.row(
                        job.path("vertices").path(index).path("name").asText(),
                        rate(tasks.path("recordsIn"), parallelism),
                        rate(tasks.path("recordsOut"), parallelism),
                        share(tasks.path("busy")),
                        share(tasks.path("idle")),
                        share(tasks.path("backPressured")),
                        vertex.path("backlogSplits").isNumber()
                                ? vertex.path("backlogSplits").asText()
                                : "-",
                        vertex.path("backlogRecords").isNumber()
                                ? vertex.path("backlogRecords").asText()
                                : "-",
                        vertex.path("lagMillis").isNumber()
                                ? TimeText.of(vertex.path("lagMillis").asLong())
                                : "-");
            }
            out.println();
            table.print(out);
            out.println("measured over "
                    + TimeText.of(measures.path("windowMillis").asLong())
                    + "; shares: mean over the tasks, then that of the task with most of it");
        }
        for (JsonNode room : measures.path("room")) {
            out.println("room for group " + room.path("group").asText() + ": "
                    + room.path("free").asLong() + " free slots, "
                    + room.path("startable").asLong() + " on workers that may be started"
                    + (room.path("queue").isNumber()
                            ? "; the queue may have " + room.path("queue").asLong() + " more"
                            : ""));
        }
        if (measures.path("lastRescaleMillis").isNumber()) {
            out.println("the last rescale stopped the job for "
                    + TimeText.of(measures.path("lastRescaleMillis").asLong()));
        }
    }

    private static String rate(JsonNode spread, int parallelism) {
        return spread.isObject()
                ? String.format(Locale.ROOT, "%.1f", spread.path("mean").asDouble() * parallelism)
                : "-";
    }

    private static String share(JsonNode spread) {
        return spread.isObject()
                ? String.format(
                        Locale.ROOT,
                        "%.0f%% %.0f%%",
                        100 * spread.path("mean").asDouble(),
                        100 * spread.path("greatest").asDouble())
                : "-";
    }
}
