package io.berth.ops.cli.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.core.api.job.AmountText;
import io.berth.core.api.job.SpecText;
import io.berth.core.api.time.TimeText;
import io.berth.ops.cli.console.Api;
import io.berth.ops.cli.console.Console;
import io.berth.ops.cli.console.ExitCode;
import io.berth.ops.cli.console.Table;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Shows a pool: its workers, who decides for it, its queues, what they use, and the worker specs that may extend it. */
@Command(
        name = "pool",
        mixinStandardHelpOptions = true,
        description =
                "Shows the workers, policies, rule, limits and queues of a pool, what these use, and its worker specs.")
public final class PoolCommand implements Callable<Integer> {

    @ParentCommand
    private Console berth;

    @Parameters(paramLabel = "POOL", defaultValue = "default", description = "Name of the pool. Default: default")
    private String pool = "default";

    @Override
    public Integer call() {
        Api api = berth.api();
        berth.print(api, api.get("pools/" + Api.encode(pool)), this::print);
        return ExitCode.DONE;
    }

    private void print(JsonNode details) {
        long measured = details.path("measuredMillis").asLong();
        berth.terminal()
                .out()
                .println("Pool " + details.path("name").asText() + ", half of what was used is forgotten after "
                        + TimeText.of(details.path("halfLifeMillis").asLong())
                        + (measured == 0 ? ", not measured yet" : ", measured at " + Instant.ofEpochMilli(measured)));
        berth.terminal()
                .out()
                .println("Workers: " + PoolsCommand.has(details) + "; members: "
                        + details.path("members").asText() + "; order "
                        + details.path("order").asInt()
                        + (details.path("startsWorkers").asBoolean() ? "" : "; none may be started for it"));
        berth.terminal()
                .out()
                .println("Matching rule: " + PoolsCommand.orCommon(details.path("rule"))
                        + limits(details.path("limits")));
        String file = details.path("obstacles").path("file").asText();
        if (!file.isEmpty()) {
            berth.terminal().out().println("File: " + file);
        }
        for (String kind : List.of("matching", "distribution")) {
            JsonNode choice = details.path("policies").path(kind);
            String obstacle = details.path("obstacles").path(kind).asText();
            List<String> parts = new ArrayList<>(List.of(PoolsCommand.orCommon(choice.path("selector"))
                    + (obstacle.isEmpty() ? "" : ", which " + obstacle)));
            choice.path("parameters")
                    .properties()
                    .forEach(
                            one -> parts.add(one.getKey() + "=" + one.getValue().asText()));
            details.path("fallbacks").path(kind).forEach(name -> parts.add("else " + name.asText()));
            berth.terminal().out().println("Policy for " + kind + ": " + String.join(", ", parts));
        }
        Table queues = new Table(
                "QUEUE", "PARENT", "WEIGHT", "GUARANTEED", "LIMIT", "USED", "PENDING", "USED SECONDS", "SUBMITTERS");
        for (JsonNode queue : details.path("queues")) {
            List<String> submitters = new ArrayList<>();
            queue.path("submitters").forEach(name -> submitters.add(name.asText()));
            queues.row(
                    queue.path("name").asText(),
                    queue.path("parent").asText(),
                    queue.path("weight").asDouble(),
                    amounts(queue.path("guaranteed")),
                    amounts(queue.path("limit")),
                    amounts(queue.path("used")),
                    amounts(queue.path("pending")),
                    amounts(queue.path("usedSeconds")),
                    String.join(",", submitters));
        }
        queues.print(berth.terminal().out());
        if (!details.path("specs").isEmpty()) {
            specs(details.path("specs"));
        }
    }

    private void specs(JsonNode specs) {
        Table table = new Table("SPEC", "TOTAL", "SLOTS", "WORKERS", "COST/H", "STARTS IN");
        for (JsonNode spec : specs) {
            table.row(
                    spec.path("backend").asText() + "/" + spec.path("spec").asText(),
                    spec.path("total").asText(),
                    spec.path("slots").asInt(),
                    spec.path("workers").asInt() + " of " + spec.path("maximum").asInt(),
                    SpecText.cost(spec.path("costPerHour").asDouble()),
                    SpecText.start(
                            spec.path("startMillis").asLong(),
                            spec.path("startLearnedFrom").asInt()));
        }
        table.print(berth.terminal().out());
    }

    private static String limits(JsonNode limits) {
        List<String> parts = new ArrayList<>();
        limit(parts, "at least ", "cpu", limits.path("minCpuMillis").asLong());
        limit(parts, "at least ", "heap", limits.path("minMemoryBytes").asLong());
        limit(parts, "at most ", "cpu", limits.path("maxCpuMillis").asLong());
        limit(parts, "at most ", "heap", limits.path("maxMemoryBytes").asLong());
        return parts.isEmpty() ? "" : "; workers have together " + String.join(", ", parts);
    }

    private static void limit(List<String> parts, String words, String resource, long amount) {
        if (amount > 0) {
            parts.add(words + AmountText.of(resource, amount).replace("heap", "memory"));
        }
    }

    private static String amounts(JsonNode amounts) {
        List<String> parts = new ArrayList<>();
        amounts.properties()
                .forEach(amount -> parts.add(
                        AmountText.of(amount.getKey(), amount.getValue().asLong())));
        return String.join(" ", parts);
    }
}
