package io.berth.benchmark;

import io.berth.benchmark.decision.Pool;
import io.berth.benchmark.report.Printable;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The command {@code berth bench}. Exit code 0: measured, 1: nothing could be measured or an aim is missed, 2: bad input. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "WHAT",
        description = {
            "Measures what decisions, the ResourceManager path and rescales cost, on this machine.",
            "Processor time and allocated bytes are those of all Java threads; the result is the median of runs after warm-up."
        },
        footer = {
            "",
            "Exit codes: 0 measured, 1 nothing could be measured or (with --fail) an aim is missed, 2 bad input."
        },
        subcommands = {
            MatchingCommand.class,
            ResourceManagerCommand.class,
            RescaleCommand.class,
            ShadowCommand.class,
            PoolsCommand.class,
            AssignmentCommand.class,
            DistributionCommand.class,
            JournalCommand.class
        })
public final class Benchmarks implements Runnable {

    /** Read by {@code ./berth}, which starts this process. */
    static final String HEAP = "'./berth bench --heap SIZE' gives the process another heap than 4g.";

    private static final int FAILED = 1;
    private static final int BAD_INPUT = 2;

    /** The output format. */
    enum Format {
        table,
        json
    }

    private final PrintStream out;
    private final PrintStream err;

    @Spec
    private CommandSpec spec;

    @Option(
            names = {"-o", "--output-format"},
            scope = ScopeType.INHERIT,
            paramLabel = "table|json",
            description = "Output format. Default: table")
    private Format format = Format.table;

    private Benchmarks(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    public static void main(String[] arguments) {
        int code = run(System.out, System.err, arguments);
        System.out.flush();
        System.exit(code);
    }

    /** Runs a command line. */
    static int run(PrintStream out, PrintStream err, String... arguments) {
        CommandLine line = new CommandLine(new Benchmarks(out, err));
        line.setCommandName("berth bench");
        line.setOut(new PrintWriter(out, true, Charset.defaultCharset()));
        line.setErr(new PrintWriter(err, true, Charset.defaultCharset()));
        line.setParameterExceptionHandler((failure, given) -> {
            err.println("berth: " + failure.getMessage());
            err.println(
                    "'" + failure.getCommandLine().getCommandSpec().qualifiedName() + " --help' shows what is allowed");
            return BAD_INPUT;
        });
        line.setExecutionExceptionHandler((failure, command, result) -> {
            err.println("berth: nothing could be measured: "
                    + (failure instanceof Pool.NotDecidedException ? failure.getMessage() : failure.toString()));
            return FAILED;
        });
        return line.execute(arguments);
    }

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "the name of the benchmark is missing: allowed are matching, resource-manager, rescale, shadow, pools, assignment,"
                        + " distribution, journal");
    }

    void progress(String text) {
        err.println(text);
        err.flush();
    }

    void print(Printable report) {
        out.println(format == Format.json ? report.json() : report.table());
        out.flush();
    }
}
