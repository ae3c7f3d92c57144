package io.berth.ops.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Chooses policies. */
@Command(name = "policy", mixinStandardHelpOptions = true, description = "Chooses policies.")
final class PolicyCommand implements Callable<Integer> {

    private static final String CHECK_INDEX =
            "Only if the choice still has this index: 'berth policies' tells it";

    @ParentCommand
    private Berth berth;

    @Override
    public Integer call() {
        throw new CommandFailure(
                ExitCode.BAD_INPUT, "allowed is 'berth policy use KIND NAME'; 'berth policies' lists them");
    }

    @Command(
            name = "use",
            mixinStandardHelpOptions = true,
            description = "Chooses the policy of a kind, from the next decision on.")
    Integer use(
            @Parameters(paramLabel = "KIND", description = "matching, distribution or scaling") String kind,
            @Parameters(paramLabel = "NAME", description = "Name or LDAP filter; '' chooses by ranking") String name,
            @Option(names = "--check-index", paramLabel = "INDEX", description = CHECK_INDEX) Long index) {
        Api api = berth.api();
        Map<String, Object> choice = new TreeMap<>(Map.of("name", name));
        Optional.ofNullable(index).ifPresent(given -> choice.put("index", given));
        JsonNode answer = api.put("policies/" + Api.encode(kind), choice);
        berth.print(api, answer, changed -> chosen(kind, changed));
        return ExitCode.DONE;
    }

    private void chosen(String kind, JsonNode changed) {
        String name = changed.path("name").asText();
        berth.terminal().out().println("From the next decision on: " + kind + " "
                + (name.isEmpty() ? "by ranking" : name) + " (index " + changed.path("index").asLong() + ")");
    }
}
