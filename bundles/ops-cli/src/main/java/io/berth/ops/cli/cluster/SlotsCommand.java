package io.berth.ops.cli.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.ops.cli.console.Api;
import io.berth.ops.cli.console.Console;
import io.berth.ops.cli.console.ExitCode;
import io.berth.ops.cli.console.Table;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParentCommand;

/** Lists the allocated slots. */
@Command(name = "slots", mixinStandardHelpOptions = true, description = "Lists the allocated slots.")
public final class SlotsCommand implements Callable<Integer> {

    @ParentCommand
    private Console berth;

    @Override
    public Integer call() {
        Api api = berth.api();
        berth.print(api, api.list("slots"), slots -> {
            Table table = new Table("ALLOCATION", "WORKER", "JOB", "GROUP", "PROFILE", "STATE", "DECISION");
            for (JsonNode slot : slots) {
                table.row(
                        slot.path("allocation").asText(),
                        slot.path("worker").asText(),
                        slot.path("job").asText(),
                        slot.path("group").asText(),
                        slot.path("profile").asText(),
                        slot.path("state").asText(),
                        slot.path("decision").asLong());
            }
            table.print(berth.terminal().out());
        });
        return ExitCode.DONE;
    }
}
