package io.berth.ops.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.core.api.time.SystemClock;
import io.berth.ops.cli.cluster.PoolCommand;
import io.berth.ops.cli.cluster.PoolsCommand;
import io.berth.ops.cli.cluster.SlotsCommand;
import io.berth.ops.cli.cluster.StatusCommand;
import io.berth.ops.cli.cluster.WorkersCommand;
import io.berth.ops.cli.console.Api;
import io.berth.ops.cli.console.CommandFailure;
import io.berth.ops.cli.console.Console;
import io.berth.ops.cli.console.ExitCode;
import io.berth.ops.cli.console.Terminal;
import io.berth.ops.cli.job.CancelCommand;
import io.berth.ops.cli.job.JobCommand;
import io.berth.ops.cli.job.JobsCommand;
import io.berth.ops.cli.job.LogsCommand;
import io.berth.ops.cli.job.RunCommand;
import io.berth.ops.cli.job.ScaleCommand;
import io.berth.ops.cli.policy.DecisionCommand;
import io.berth.ops.cli.policy.DecisionsCommand;
import io.berth.ops.cli.policy.PoliciesCommand;
import io.berth.ops.cli.policy.PolicyCommand;
import io.berth.ops.cli.process.BenchCommand;
import io.berth.ops.cli.process.DemoCommand;
import io.berth.ops.cli.process.MasterCommand;
import io.berth.ops.cli.process.SimulateCommand;
import io.berth.ops.cli.process.WorkerCommand;
import io.berth.ops.cli.security.SecurityCommand;
import io.berth.ops.cli.security.TokenCommand;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command line {@code berth}: the same nouns and verbs as REST and the Karaf shell. */
@Command(
        name = "berth",
        description = "Runs dataflow jobs on a Berth cluster.",
        mixinStandardHelpOptions = true,
        versionProvider = BuildVersion.class,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            RunCommand.class,
            JobsCommand.class,
            JobCommand.class,
            LogsCommand.class,
            ScaleCommand.class,
            CancelCommand.class,
            StatusCommand.class,
            WorkersCommand.class,
            SlotsCommand.class,
            PoolsCommand.class,
            PoolCommand.class,
            PoliciesCommand.class,
            PolicyCommand.class,
            DecisionsCommand.class,
            DecisionCommand.class,
            WorkerCommand.class,
            MasterCommand.class,
            DemoCommand.class,
            SecurityCommand.class,
            TokenCommand.class,
            SimulateCommand.class,
            BenchCommand.class,
            CommandLine.HelpCommand.class
        },
        footer = {
            "",
            "Exit codes: 0 done, 1 the job failed or a promise was broken, 2 bad input,",
            "3 control plane not reachable, 4 cannot run on this cluster.",
            "'berth COMMAND --help' shows more about a command."
        })
public final class Berth implements Console {

    /** Output format. */
    enum Format {
        table,
        json
    }

    private final Terminal terminal;

    @Option(
            names = "--url",
            scope = ScopeType.INHERIT,
            paramLabel = "URL",
            split = ",",
            description = "Control plane; several, separated by commas, are a leader and its standbys."
                    + " Default: BERTH_URL, or http://127.0.0.1:8181")
    private List<String> urls = List.of();

    @Option(
            names = "--token-file",
            scope = ScopeType.INHERIT,
            paramLabel = "FILE",
            description = "File with your token, if the control plane needs one; only you may be able to read it."
                    + " Default: BERTH_TOKEN_FILE, or none")
    private Optional<Path> tokenFile = Optional.empty();

    @Option(
            names = {"-o", "--output-format"},
            scope = ScopeType.INHERIT,
            paramLabel = "table|json",
            description = "Output format. Default: table")
    private Format format = Format.table;

    Berth(Terminal terminal) {
        this.terminal = terminal;
    }

    public static void main(String[] arguments) {
        CountDownLatch stopped = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        Terminal terminal = new Terminal(
                System.out,
                System.err,
                columns(Optional.ofNullable(System.getenv("BERTH_COLUMNS"))),
                System.getenv(),
                Path.of(Optional.ofNullable(System.getenv("BERTH_HOME")).orElse(""))
                        .toAbsolutePath(),
                new SystemClock(),
                stopped);
        // On Ctrl-C the command is notified and ends what it started; the JVM ends after that.
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            stopped.countDown();
                            try {
                                ended.await(60, TimeUnit.SECONDS);
                            } catch (InterruptedException interrupted) {
                                Thread.currentThread().interrupt();
                            }
                        },
                        "berth-ops-cli-shutdown"));
        int code = ExitCode.FAILED;
        try {
            code = run(terminal, arguments);
        } finally {
            ended.countDown();
        }
        if (stopped.getCount() > 0) {
            System.exit(code);
        }
    }

    /** Columns of the terminal of standard error, as the script {@code berth} found them; 0 without a terminal. */
    static int columns(Optional<String> told) {
        try {
            int columns = told.map(Integer::parseInt).orElse(0);
            return columns > 0 ? Math.max(20, columns) : 0;
        } catch (NumberFormatException noNumber) {
            return 0;
        }
    }

    /** Runs a command line to its end. */
    public static int run(Terminal terminal, String... arguments) {
        CommandLine line = new CommandLine(new Berth(terminal));
        line.setOut(new PrintWriter(terminal.out(), true, Charset.defaultCharset()));
        line.setErr(new PrintWriter(terminal.err(), true, Charset.defaultCharset()));
        line.setCaseInsensitiveEnumValuesAllowed(true);
        // As in 'berth worker --id drain'.
        line.setAllowSubcommandsAsOptionParameters(true);
        line.setParameterExceptionHandler((failure, given) -> {
            CommandLine command = failure.getCommandLine();
            terminal.progress("berth: " + message(failure));
            terminal.progress("'" + command.getCommandSpec().qualifiedName() + " --help' shows what is allowed");
            return ExitCode.BAD_INPUT;
        });
        line.setExecutionExceptionHandler((failure, command, result) -> {
            if (failure instanceof CommandFailure told) {
                terminal.progress("berth: " + told.getMessage());
                return told.exitCode();
            }
            terminal.progress("berth: " + failure);
            failure.printStackTrace(terminal.err());
            return ExitCode.FAILED;
        });
        line.setExecutionStrategy(result -> {
            Integer shown = CommandLine.executeHelpRequest(result);
            if (shown != null) {
                return shown;
            }
            refuseOptionsBeforeSubcommand(result);
            return new CommandLine.RunLast().execute(result);
        });
        if (arguments.length == 0) {
            line.usage(terminal.out());
            return ExitCode.BAD_INPUT;
        }
        return line.execute(arguments);
    }

    /** An option of a command has no effect on the command that follows it, unless all commands have it. */
    private static void refuseOptionsBeforeSubcommand(ParseResult root) {
        for (ParseResult each = root; each.hasSubcommand(); each = each.subcommand()) {
            CommandSpec before = each.commandSpec();
            CommandSpec last = each.subcommand().commandSpec();
            for (OptionSpec option : each.matchedOptions()) {
                if (option.scopeType() != ScopeType.INHERIT) {
                    throw new ParameterException(
                            last.commandLine(),
                            "option '" + option.longestName() + "' is one of '" + before.qualifiedName() + "', not of '"
                                    + last.qualifiedName() + "'"
                                    + (last.findOption(option.longestName()) == null
                                            ? ""
                                            : ": write it after '" + last.name() + "'"));
                }
            }
        }
    }

    private static String message(ParameterException failure) {
        if (failure instanceof UnmatchedArgumentException unmatched
                && !unmatched.getUnmatched().isEmpty()) {
            String given = unmatched.getUnmatched().get(0);
            boolean option = given.startsWith("-");
            boolean command =
                    !option && !failure.getCommandLine().getSubcommands().isEmpty();
            List<String> near = unmatched.getSuggestions();
            return (option ? "option " : command ? "command " : "argument ") + "'" + given + "' is not known"
                    + (near.isEmpty() || !command && !option ? "" : ": did you mean '" + near.get(0) + "'?");
        }
        return String.valueOf(failure.getMessage())
                .replace("Value for option option", "Value for option")
                .replace("' is not an int", "' is not a whole number in range")
                .replace("' is not a long", "' is not a whole number in range");
    }

    @Override
    public Terminal terminal() {
        return terminal;
    }

    @Override
    public Api api() {
        return new Api(
                urls.stream().allMatch(String::isBlank)
                        ? terminal.variable("BERTH_URL").orElse("http://127.0.0.1:8181")
                        : String.join(",", urls),
                () -> tokenFile.or(() -> terminal.variable("BERTH_TOKEN_FILE").map(Path::of)));
    }

    @Override
    public boolean json() {
        return format == Format.json;
    }

    @Override
    public void print(Api api, JsonNode answer, Consumer<JsonNode> asTable) {
        if (json()) {
            terminal.out().println(api.write(answer));
        } else {
            asTable.accept(answer);
        }
        terminal.out().flush();
    }
}
