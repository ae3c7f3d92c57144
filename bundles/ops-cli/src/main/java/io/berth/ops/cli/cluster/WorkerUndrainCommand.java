package io.berth.ops.cli.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.ops.cli.console.Api;
import io.berth.ops.cli.console.CommandGroup;
import io.berth.ops.cli.console.Console;
import io.berth.ops.cli.console.ExitCode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Lets a worker that is being drained take slots again. */
@Command(
        name = "undrain",
        mixinStandardHelpOptions = true,
        description = "Lets a worker that is being drained take slots again. Jobs that have not moved yet stay.")
public final class WorkerUndrainCommand implements Callable<Integer> {

    @ParentCommand
    private CommandGroup group;

    @Parameters(
            paramLabel = "WORKER",
            description = "Id or address, HOST:PORT, as 'berth workers' lists it; or HOST for all workers there")
    private String worker = "";

    @Override
    public Integer call() {
        Console berth = group.console();
        Api api = berth.api();
        JsonNode answer = api.post("workers/" + Api.encode(worker) + "/undrain", "application/json", "");
        berth.print(
                api,
                answer,
                workers -> workers.forEach(each -> berth.terminal().out().println(DrainedWorkers.line(each))));
        for (JsonNode each : answer) {
            if (!each.path("problem").asText().isEmpty()) {
                return ExitCode.FAILED;
            }
        }
        return ExitCode.DONE;
    }
}
