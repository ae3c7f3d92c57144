package io.berth.ops.cli.job;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.core.api.job.ParallelismBounds.VertexBounds;
import io.berth.core.api.operations.BoundsText;
import io.berth.ops.cli.console.Api;
import io.berth.ops.cli.console.CommandFailure;
import io.berth.ops.cli.console.Console;
import io.berth.ops.cli.console.ExitCode;
import io.berth.ops.cli.console.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Shows or changes the bounds of the parallelism of a job. */
@Command(
        name = "scale",
        mixinStandardHelpOptions = true,
        description = "Shows the bounds of the parallelism of a job, or changes them while it runs.",
        footer = {
            "",
            "Vertices that are not given keep their bounds. Both ends of a forward edge need the same ones.",
            "Example: berth scale word-count-ab2cd count=2:8 sink=2:8"
        })
public final class ScaleCommand implements Callable<Integer> {

    @ParentCommand
    private Console berth;

    @Parameters(index = "0", paramLabel = "ID", description = "Id of the job, as 'berth jobs' lists it")
    private String id = "";

    @Parameters(
            index = "1..*",
            arity = "0..*",
            paramLabel = "VERTEX=MIN:MAX",
            description = "New bounds of a vertex: " + BoundsText.ALLOWED)
    private List<String> changes = new ArrayList<>();

    @Override
    public Integer call() {
        Api api = berth.api();
        String path = "jobs/" + Api.encode(id) + "/requirements";
        JsonNode requirements = api.get(path);
        if (!changes.isEmpty()) {
            Map<String, Object> body = new LinkedHashMap<>();
            body.put("revision", requirements.path("revision").asLong());
            body.put("vertices", changed(requirements));
            requirements = api.put(path, body);
        }
        berth.print(api, requirements, this::print);
        return ExitCode.DONE;
    }

    private List<VertexBounds> changed(JsonNode requirements) {
        List<VertexBounds> present = new ArrayList<>();
        requirements.path("vertices").forEach(vertex -> present.add(bounds(vertex)));
        try {
            return BoundsText.apply(present, changes);
        } catch (IllegalArgumentException refusal) {
            throw new CommandFailure(ExitCode.BAD_INPUT, refusal.getMessage() + "; nothing was changed");
        }
    }

    private static VertexBounds bounds(JsonNode vertex) {
        return new VertexBounds(
                vertex.path("vertex").asText(),
                vertex.path("minimum").asInt(),
                vertex.path("desired").asInt(),
                vertex.path("maximum").asInt());
    }

    private void print(JsonNode requirements) {
        Table table = new Table("VERTEX", "MINIMUM", "DESIRED", "MAXIMUM");
        for (JsonNode vertex : requirements.path("vertices")) {
            VertexBounds bounds = bounds(vertex);
            table.row(bounds.vertex(), bounds.minimum(), bounds.desired(), bounds.maximum());
        }
        berth.terminal()
                .out()
                .println("Job " + id + (changes.isEmpty() ? " has" : " now has") + " requirements of revision "
                        + requirements.path("revision").asLong());
        table.print(berth.terminal().out());
    }
}
