package io.berth.ops.cli.policy;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.ops.cli.console.Api;
import io.berth.ops.cli.console.Console;
import io.berth.ops.cli.console.ExitCode;
import java.io.PrintStream;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Shows one decision: candidates, inputs, rounds, results and reasons. */
@Command(
        name = "decision",
        mixinStandardHelpOptions = true,
        description = "Shows one decision: candidates, inputs, rounds, results and reasons.")
public final class DecisionCommand implements Callable<Integer> {

    @ParentCommand
    private Console berth;

    @Parameters(paramLabel = "N", description = "Number of the decision, as 'berth decisions' lists it")
    private long number;

    @Override
    public Integer call() {
        Api api = berth.api();
        berth.print(
                api,
                api.get("decisions/" + number),
                decision -> print(decision, berth.terminal().out()));
        return ExitCode.DONE;
    }

    private static void print(JsonNode decision, PrintStream out) {
        out.println("Decision " + decision.path("number").asLong() + " of "
                + Instant.ofEpochMilli(decision.path("wallMillis").asLong()) + " for "
                + decision.path("owner").asText() + " on state "
                + decision.path("stateNumber").asLong() + ", "
                + decision.path("micros").asLong() + " microseconds");
        for (JsonNode policy : decision.path("policies")) {
            out.println("  by " + policy.path("kind").asText() + " "
                    + policy.path("name").asText() + " "
                    + policy.path("version").asText() + " ("
                    + policy.path("bundle").asText() + "), generation "
                    + policy.path("generation").asLong() + ", configuration "
                    + policy.path("configurationRevision").asLong());
        }
        if (!decision.path("candidates").isEmpty()) {
            out.println("candidates:");
            for (JsonNode one : decision.path("candidates")) {
                out.println("  " + one.path("kind").asText() + " "
                        + one.path("name").asText() + " "
                        + one.path("version").asText() + " ("
                        + one.path("bundle").asText() + "), configuration "
                        + one.path("configurationRevision").asLong() + ": "
                        + one.path("verdict").asText());
            }
        }
        for (String part : new String[] {"jobs", "inputs", "rounds", "results", "reasons"}) {
            if (!decision.path(part).isEmpty()) {
                out.println(part + ":");
                decision.path(part).forEach(line -> out.println("  " + line.asText()));
            }
        }
        if (!decision.path("shadows").isEmpty()) {
            out.println("shadows:");
            decision.path("shadows").forEach(shadow -> shadow(shadow, out));
        }
    }

    private static void shadow(JsonNode shadow, PrintStream out) {
        out.println("  " + shadow.path("line").asText());
        shadow.path("differences").forEach(line -> out.println("    " + line.asText()));
    }
}
