package io.berth.ops.cli.job;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.core.api.operations.PlainText;
import io.berth.core.api.time.TimeText;
import io.berth.ops.cli.console.Table;
import java.io.PrintStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What happened to a job, for people. */
final class JobHistory {

    private JobHistory() {}

    static void print(JsonNode history, PrintStream out) {
        printStates(history.path("states"), out);
        history.path("failures").forEach(failure -> printFailure(failure, out));
        if (!history.path("rescales").isEmpty()) {
            printRescales(history.path("rescales"), out);
        }
    }

    static void printStates(JsonNode states, PrintStream out) {
        for (JsonNode change : states) {
            out.println((time(change.path("wallMillis")) + " "
                            + change.path("status").asText() + " "
                            + change.path("reason").asText())
                    .stripTrailing());
        }
    }

    private static void printFailure(JsonNode failure, PrintStream out) {
        JsonNode cause = failure.path("cause");
        out.println();
        out.println(time(cause.path("wallMillis")) + " execution "
                + failure.path("execution").asLong() + " failed: "
                + PlainText.of(cause.path("text").asText()));
        cause.path("stack").asText().lines().forEach(line -> out.println("    " + PlainText.of(line)));
        int others = failure.path("othersInAll").asInt();
        if (others > 0) {
            List<String> tasks = new ArrayList<>();
            failure.path("others")
                    .forEach(other -> tasks.add(other.path("task").asText() + " on worker "
                            + other.path("worker").asText()));
            out.println("  " + others + (others == 1 ? " other task" : " other tasks") + " failed with it: "
                    + PlainText.of(String.join(", ", tasks))
                    + (others > tasks.size() ? ", ..." : ""));
        }
    }

    private static void printRescales(JsonNode rescales, PrintStream out) {
        Table table = new Table("RESCALED AT", "KIND", "OUTCOME", "TOOK", "PHASES", "PARALLELISM", "SLOTS", "WHY");
        for (JsonNode rescale : rescales) {
            long took = 0;
            List<String> phases = new ArrayList<>();
            for (JsonNode phase : rescale.path("phases")) {
                long millis = phase.path("millis").asLong();
                took += millis;
                phases.add(phase.path("status").asText() + " " + TimeText.exact(millis));
            }
            String policy = rescale.path("policy").asText();
            table.row(
                    time(rescale.path("startedMillis")),
                    words(rescale.path("kind")),
                    words(rescale.path("outcome")),
                    TimeText.exact(took),
                    String.join(", ", phases),
                    changes(rescale.path("vertices")),
                    changes(rescale.path("groups")),
                    rescale.path("trigger").asText() + (policy.isEmpty() ? "" : " (" + policy + ")"));
        }
        out.println();
        table.print(out);
    }

    private static String changes(JsonNode changes) {
        List<String> texts = new ArrayList<>();
        for (JsonNode change : changes) {
            int before = change.path("before").asInt();
            int after = change.path("after").asInt();
            if (before != after) {
                texts.add(change.path("name").asText() + " " + before + " -> " + (after == 0 ? "?" : after));
            }
        }
        return texts.isEmpty() ? "same" : String.join(", ", texts);
    }

    private static String words(JsonNode constant) {
        return constant.asText().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private static Instant time(JsonNode millis) {
        return Instant.ofEpochMilli(millis.asLong());
    }
}
