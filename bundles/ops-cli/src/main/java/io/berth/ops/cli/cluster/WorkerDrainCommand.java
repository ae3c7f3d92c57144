package io.berth.ops.cli.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.ops.cli.console.Api;
import io.berth.ops.cli.console.CommandGroup;
import io.berth.ops.cli.console.Console;
import io.berth.ops.cli.console.ExitCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Drains a worker: it takes no slots, and its jobs move to other workers. */
@Command(
        name = "drain",
        mixinStandardHelpOptions = true,
        description = {
            "Drains a worker: it takes no slots, its jobs move to other workers, and an empty worker that a backend"
                    + " started is stopped.",
            "A job takes other slots first and restarts once, which does not count as a failure."
        })
public final class WorkerDrainCommand implements Callable<Integer> {

    @ParentCommand
    private CommandGroup group;

    @Parameters(
            paramLabel = "WORKER",
            description = "Id or address, HOST:PORT, as 'berth workers' lists it; or HOST for all workers there")
    private String worker = "";

    @Option(
            names = "--deadline",
            paramLabel = "DURATION",
            description = "When jobs restart even without other slots: a number with s, m, h or d, for example 10m."
                    + " Default: they move when they have other slots")
    private @Nullable String deadline;

    @Option(names = "--reason", paramLabel = "TEXT", description = "Why, for people. Default: drained by USER")
    private String reason = "drained by " + System.getProperty("user.name", "an operator");

    @Option(names = "--wait", description = "Shows which jobs still have slots there, until there are none")
    private boolean wait;

    @Override
    public Integer call() {
        Console berth = group.console();
        Api api = berth.api();
        Map<String, String> drain = new TreeMap<>(Map.of("reason", reason));
        if (deadline != null) {
            drain.put("deadline", deadline);
        }
        JsonNode answer = api.post("workers/" + Api.encode(worker) + "/drain", "application/json", api.write(drain));
        berth.print(
                api,
                answer,
                workers -> workers.forEach(each -> berth.terminal().out().println(DrainedWorkers.line(each))));
        if (!wait) {
            return ExitCode.DONE;
        }
        List<String> ids = new ArrayList<>();
        answer.forEach(each -> ids.add(each.path("worker").asText()));
        return new DrainedWorkers(api, berth.terminal()).await(ids);
    }
}
