package io.berth.ops.cli.policy;

import io.berth.ops.cli.console.Api;
import io.berth.ops.cli.console.CommandFailure;
import io.berth.ops.cli.console.CommandGroup;
import io.berth.ops.cli.console.ExitCode;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** Writes the recorded decisions to a file. */
@Command(
        name = "export",
        mixinStandardHelpOptions = true,
        description = {
            "Writes the recorded decisions to a file, for 'berth simulate --decisions FILE'.",
            "Decisions are recorded while decisions.journal is true in etc/io.berth.core.policies.cfg."
        })
final class DecisionsExportCommand implements Callable<Integer> {

    @ParentCommand
    private CommandGroup decisions;

    @Option(names = "--output", paramLabel = "FILE", description = "The file. Default: ${DEFAULT-VALUE}")
    private Path output = Path.of("decisions.journal");

    @Option(
            names = "--from",
            paramLabel = "N",
            description = "Begins at the last recorded state before this decision. Default: the oldest")
    private Optional<String> from = Optional.empty();

    @Option(names = "--to", paramLabel = "N", description = "Ends after this decision. Default: the newest")
    private Optional<String> to = Optional.empty();

    @Override
    public Integer call() {
        Map<String, String> range = new LinkedHashMap<>();
        range.put("from", number("--from", from));
        range.put("to", number("--to", to));
        Api api = decisions.console().api();
        long bytes = api.download("decisions/export" + Api.query(range), output);
        decisions.console().terminal().out().println("wrote " + bytes + " bytes to " + output);
        return ExitCode.DONE;
    }

    private static String number(String option, Optional<String> text) {
        if (text.filter(given -> !given.matches("[1-9][0-9]{0,17}")).isPresent()) {
            throw new CommandFailure(
                    ExitCode.BAD_INPUT,
                    "option " + option + " is '" + text.get() + "': the number of a decision is allowed");
        }
        return text.orElse("");
    }
}
