package io.berth.ops.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Chooses policies. */
@Command(name = "policy", mixinStandardHelpOptions = true, description = "Chooses policies.")
final class PolicyCommand implements Callable<Integer> {

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
            @Parameters(paramLabel = "NAME", description = "Name or LDAP filter; '' chooses by ranking") String name) {
        Api api = berth.api();
        JsonNode answer = api.put("policies/" + Api.encode(kind), Map.of("name", name));
        berth.print(api, answer, ignored -> berth.terminal().out().println(
                "From the next decision on: " + kind + " " + (name.isEmpty() ? "by ranking" : name)));
        return ExitCode.DONE;
    }
}
