package io.berth.ops.cli.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.ops.cli.console.Api;
import io.berth.ops.cli.console.Console;
import io.berth.ops.cli.console.ExitCode;
import io.berth.ops.cli.console.Table;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParentCommand;

/** Shows who leads each role, and the numbers of workers and slots. */
@Command(
        name = "status",
        mixinStandardHelpOptions = true,
        description = "Shows who leads each role, whether the process that answers leads it or waits, and how many"
                + " workers there are.")
public final class StatusCommand implements Callable<Integer> {

    @ParentCommand
    private Console berth;

    @Override
    public Integer call() {
        Api api = berth.api();
        berth.print(api, api.get("status"), status -> {
            berth.terminal()
                    .out()
                    .println("Berth " + status.path("version").asText() + ", workers join at "
                            + status.path("masterAddress").asText() + ": "
                            + status.path("workers").asInt() + " are registered, "
                            + status.path("slots").asInt() + " slots are allocated");
            String resourceManager = status.path("resourceManager").asText();
            if (!resourceManager.equals("serving")) {
                berth.terminal().out().println("The ResourceManager does not answer: " + resourceManager);
            }
            Table table = new Table("ROLE", "LEADER", "EPOCH", "HERE");
            for (JsonNode role : status.path("roles")) {
                String leader = role.path("leader").asText();
                long epoch = role.path("epoch").asLong();
                table.row(
                        role.path("role").asText(),
                        leader.isEmpty() ? "nobody" : leader,
                        epoch == 0 ? "" : epoch,
                        role.path("here").asText());
            }
            table.print(berth.terminal().out());
        });
        return ExitCode.DONE;
    }
}
