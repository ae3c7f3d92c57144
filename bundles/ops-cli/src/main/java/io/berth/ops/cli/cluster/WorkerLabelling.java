package io.berth.ops.cli.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.ops.cli.console.Api;
import io.berth.ops.cli.console.CommandFailure;
import io.berth.ops.cli.console.Console;
import io.berth.ops.cli.console.ExitCode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Parameters;

/** The parameters of a change of labels or taints, which prints what the workers have then. */
final class WorkerLabelling {

    @Parameters(
            index = "0",
            paramLabel = "WORKER",
            description = "Id or address, HOST:PORT, as 'berth workers' lists it; or HOST for all workers there")
    private String worker = "";

    @Parameters(
            index = "1..*",
            arity = "1..*",
            paramLabel = "KEY=VALUE|KEY-",
            description = "Sets the value of the key; KEY- removes the key")
    private List<String> changes = new ArrayList<>();

    /** @param field of the request: labels or taints */
    int change(Console berth, String field) {
        Map<String, @Nullable String> pairs = new LinkedHashMap<>();
        for (String change : changes) {
            int equals = change.indexOf('=');
            if (equals > 0) {
                pairs.put(change.substring(0, equals), change.substring(equals + 1));
            } else if (equals < 0 && change.endsWith("-") && change.length() > 1) {
                pairs.put(change.substring(0, change.length() - 1), null);
            } else {
                throw new CommandFailure(
                        ExitCode.BAD_INPUT, "'" + change + "': allowed is KEY=VALUE, or KEY- to remove it");
            }
        }
        Api api = berth.api();
        JsonNode answer = api.post(
                "workers/" + Api.encode(worker) + "/labels", "application/json", api.write(Map.of(field, pairs)));
        berth.print(api, answer, workers -> workers.forEach(each -> print(berth, each)));
        for (JsonNode each : answer) {
            if (!each.path("problem").asText().isEmpty()) {
                return ExitCode.FAILED;
            }
        }
        return ExitCode.DONE;
    }

    private static void print(Console berth, JsonNode worker) {
        String problem = worker.path("problem").asText();
        berth.terminal()
                .out()
                .println("Worker " + worker.path("worker").asText() + ": labels " + text(worker.path("labels"))
                        + ", taints " + text(worker.path("taints"))
                        + (problem.isEmpty() ? "" : "; " + problem));
    }

    private static String text(JsonNode pairs) {
        List<String> parts = new ArrayList<>();
        pairs.properties()
                .forEach(pair -> parts.add(pair.getKey() + "=" + pair.getValue().asText()));
        return parts.isEmpty() ? "none" : String.join(", ", parts);
    }
}
