package io.berth.ops.cli.policy;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.ops.cli.console.Api;
import io.berth.ops.cli.console.CommandGroup;
import io.berth.ops.cli.console.Console;
import io.berth.ops.cli.console.ExitCode;
import io.berth.ops.cli.console.Table;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** Lists the last decisions, newest first. */
@Command(
        name = "decisions",
        mixinStandardHelpOptions = true,
        subcommands = DecisionsExportCommand.class,
        description = "Lists the last decisions, newest first.")
public final class DecisionsCommand implements Callable<Integer>, CommandGroup {

    @ParentCommand
    private Console berth;

    @Option(names = "--kind", description = "Only those in which a policy of this kind took part")
    private String kind = "";

    @Option(names = "--policy", description = "Only those in which this policy took part")
    private String policy = "";

    @Option(names = "--generation", description = "Only those in which this generation of a policy took part")
    private String generation = "";

    @Option(names = "--job", description = "Only those that concern this job")
    private String job = "";

    @Option(names = "--pool", description = "Only those for this pool")
    private String pool = "";

    @Option(names = "--after", paramLabel = "N", description = "Only those with a higher number")
    private String after = "";

    @Option(names = "--limit", description = "At most this number. Default: ${DEFAULT-VALUE}")
    private int limit = 20;

    @Override
    public Console console() {
        return berth;
    }

    @Override
    public Integer call() {
        Api api = berth.api();
        Map<String, String> filter = new LinkedHashMap<>();
        filter.put("kind", kind);
        filter.put("policy", policy);
        filter.put("generation", generation);
        filter.put("job", job);
        filter.put("pool", pool);
        filter.put("after", after);
        filter.put("limit", Integer.toString(limit));
        berth.print(api, api.get("decisions" + Api.query(filter)), decisions -> {
            Table table = new Table("NUMBER", "OWNER", "STATE", "POLICIES", "JOBS", "MICROS", "RESULTS", "REASONS");
            for (JsonNode decision : decisions) {
                table.row(
                        decision.path("number").asLong(),
                        decision.path("owner").asText(),
                        decision.path("stateNumber").asLong(),
                        policies(decision),
                        join(decision.path("jobs"), ", "),
                        decision.path("micros").asLong(),
                        join(decision.path("results"), "; "),
                        join(decision.path("reasons"), "; "));
            }
            table.print(berth.terminal().out());
        });
        return ExitCode.DONE;
    }

    static String policies(JsonNode decision) {
        StringJoiner names = new StringJoiner(", ");
        for (JsonNode policy : decision.path("policies")) {
            names.add(policy.path("kind").asText() + " " + policy.path("name").asText() + " "
                    + policy.path("version").asText() + " generation "
                    + policy.path("generation").asLong());
        }
        return names.toString();
    }

    private static String join(JsonNode lines, String separator) {
        StringJoiner joined = new StringJoiner(separator);
        lines.forEach(line -> joined.add(line.asText()));
        String text = joined.toString();
        return text.length() > 100 ? text.substring(0, 100) + "..." : text;
    }
}
