package io.berth.ops.cli.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.core.api.job.SpecText;
import io.berth.core.api.time.TimeText;
import io.berth.ops.cli.console.Api;
import io.berth.ops.cli.console.Console;
import io.berth.ops.cli.console.ExitCode;
import io.berth.ops.cli.console.Table;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParentCommand;

/** Lists the workers. */
@Command(name = "workers", mixinStandardHelpOptions = true, description = "Lists the workers.")
public final class WorkersCommand implements Callable<Integer> {

    @ParentCommand
    private Console berth;

    @Override
    public Integer call() {
        Api api = berth.api();
        berth.print(api, api.list("workers"), workers -> {
            Table table = new Table(
                    "ID", "STATE", "POOL", "BACKEND", "SLOTS", "RESULTS", "TOTAL", "FREE", "COST/H", "HEARD", "BLOCKED",
                    "LEAVES", "QUEUED");
            for (JsonNode worker : workers) {
                table.row(
                        worker.path("id").asText(),
                        worker.path("state").asText(),
                        worker.path("pool").asText(),
                        worker.path("backend").asText(),
                        worker.path("slots").asInt(),
                        worker.path("results").asInt(),
                        worker.path("total").asText(),
                        worker.path("free").asText(),
                        SpecText.cost(worker.path("costPerHour").asDouble()),
                        worker.path("lastHeartbeatAgeMillis").asLong() + " ms ago",
                        blocked(worker),
                        DrainedWorkers.column(worker),
                        queued(worker));
            }
            table.print(berth.terminal().out());
        });
        return ExitCode.DONE;
    }

    private static String queued(JsonNode worker) {
        String reason = worker.path("queuedReason").asText();
        return reason.isEmpty()
                ? ""
                : "for " + TimeText.of(worker.path("queuedMillis").asLong()) + ": " + reason;
    }

    private static String blocked(JsonNode worker) {
        long millis = worker.path("blockedMillis").asLong();
        return millis == 0
                ? ""
                : TimeText.of(millis) + ": " + worker.path("blockedReason").asText();
    }
}
