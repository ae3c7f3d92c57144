package io.berth.ops.cli.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.core.api.time.TimeText;
import io.berth.ops.cli.console.Api;
import io.berth.ops.cli.console.CommandGroup;
import io.berth.ops.cli.console.Console;
import io.berth.ops.cli.console.ExitCode;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Blocks a worker: it takes no slots for some time. */
@Command(
        name = "block",
        mixinStandardHelpOptions = true,
        description =
                "Blocks a worker: it takes no slots for some time. 'berth workers' shows which, for how long and why.")
public final class WorkerBlockCommand implements Callable<Integer> {

    @ParentCommand
    private CommandGroup group;

    @Parameters(
            paramLabel = "WORKER",
            description = "Id or address, HOST:PORT, as 'berth workers' lists it; or HOST for all workers there")
    private String worker = "";

    @Option(
            names = "--for",
            required = true,
            paramLabel = "DURATION",
            description = "Required. How long: a number with s, m, h or d, for example 10m")
    private String duration = "";

    @Option(names = "--reason", required = true, paramLabel = "TEXT", description = "Required. Why, for people")
    private String reason = "";

    @Override
    public Integer call() {
        Console berth = group.console();
        Api api = berth.api();
        Map<String, String> block = new TreeMap<>(Map.of("for", duration, "reason", reason));
        JsonNode answer = api.post("workers/" + Api.encode(worker) + "/block", "application/json", api.write(block));
        berth.print(
                api,
                answer,
                blocks -> blocks.forEach(each -> berth.terminal()
                        .out()
                        .println("Worker "
                                + each.path("worker").asText() + " takes no slots for "
                                + TimeText.of(each.path("millis").asLong()) + ": "
                                + each.path("reason").asText())));
        return ExitCode.DONE;
    }
}
