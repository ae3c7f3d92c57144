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

/** Lets a blocked worker take slots again. */
@Command(name = "unblock", mixinStandardHelpOptions = true, description = "Lets a blocked worker take slots again.")
public final class WorkerUnblockCommand implements Callable<Integer> {

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
        JsonNode answer = api.post("workers/" + Api.encode(worker) + "/unblock", "application/json", "");
        berth.print(
                api,
                answer,
                lifted -> lifted.forEach(each -> berth.terminal()
                        .out()
                        .println("Worker " + each.path("worker").asText() + " takes slots again")));
        return ExitCode.DONE;
    }
}
