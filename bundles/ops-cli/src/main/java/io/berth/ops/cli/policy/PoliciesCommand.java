package io.berth.ops.cli.policy;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.ops.cli.console.Api;
import io.berth.ops.cli.console.Console;
import io.berth.ops.cli.console.ExitCode;
import io.berth.ops.cli.console.Table;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParentCommand;

/** Lists the policies that are installed, and which decide. */
@Command(
        name = "policies",
        mixinStandardHelpOptions = true,
        description = "Lists the policies that are installed, and which decide.")
public final class PoliciesCommand implements Callable<Integer> {

    @ParentCommand
    private Console berth;

    @Override
    public Integer call() {
        Api api = berth.api();
        berth.print(api, api.get("policies"), answer -> {
            Table table = new Table(
                    "KIND", "NAME", "VERSION", "BUNDLE", "RANKING", "STATE", "DECISIONS", "FAILURES", "SUMMARY");
            for (JsonNode policy : answer.path("policies")) {
                table.row(
                        policy.path("kind").asText(),
                        policy.path("name").asText(),
                        policy.path("version").asText(),
                        policy.path("bundle").asText(),
                        policy.path("ranking").asInt(),
                        policy.path("state").asText(),
                        policy.path("decisions").asLong(),
                        policy.path("failures").asLong(),
                        policy.path("summary").asText());
            }
            table.print(berth.terminal().out());
            for (JsonNode choice : answer.path("choices")) {
                String name = choice.path("name").asText();
                String obstacle = choice.path("obstacle").asText();
                berth.terminal()
                        .out()
                        .println(
                                "chosen: " + choice.path("kind").asText() + " " + (name.isEmpty() ? "by ranking" : name)
                                        + " (index " + choice.path("index").asLong() + ")"
                                        + (obstacle.isEmpty() ? "" : ", which " + obstacle));
            }
            for (JsonNode shadow : answer.path("shadows")) {
                berth.terminal().out().println(shadow.path("line").asText());
            }
        });
        return ExitCode.DONE;
    }
}
