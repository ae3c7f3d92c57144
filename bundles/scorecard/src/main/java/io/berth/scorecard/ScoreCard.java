package io.berth.scorecard;

import io.berth.scorecard.check.Judge;
import io.berth.scorecard.check.Meter;
import io.berth.scorecard.check.Settings;
import io.berth.scorecard.trace.ExampleTrace;
import io.berth.simulator.policies.PolicyJar;
import io.berth.simulator.replay.ReplayedTrace;
import io.berth.simulator.traces.BadTrace;
import io.berth.testkit.rules.Seeds;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code berth policy test}. Exit code 0: all points, 1: points were lost, 2: bad input. */
@Command(name = "test", mixinStandardHelpOptions = true)
public final class ScoreCard implements Callable<Integer> {

    private static final int LOST = 1;
    private static final int BAD_INPUT = 2;
    private static final int MAX_SEEDS = 100_000;
    private static final int MAX_LIMIT_SECONDS = 86_400;
    private static final List<Integer> QUICK = List.of(100, 1_000);
    private static final List<Integer> ALL = List.of(100, 1_000, 10_000, 100_000);

    /** The output format. */
    enum Format {
        table,
        json
    }

    private final PrintStream out;
    private final PrintStream err;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "JAR", description = "The bundle of the policies")
    private Path jar = Path.of("");

    @Option(names = "--policy", paramLabel = "NAME", description = "Only this policy of the jar. Default: all")
    private Optional<String> policy = Optional.empty();

    @Option(names = "--seed", paramLabel = "N", description = "The first seed. Default: 0")
    private int seed;

    @Option(names = "--seeds", paramLabel = "N", description = "How many seeds. Default: 300")
    private int seeds = 300;

    @Option(
            names = "--nodes",
            paramLabel = "FILE",
            description = "The nodes of the trace that is replayed. Default: a small example")
    private Optional<Path> nodes = Optional.empty();

    @Option(names = "--jobs", paramLabel = "FILE", description = "Its jobs")
    private Optional<Path> jobs = Optional.empty();

    @Option(names = "--quick", description = "Measures the cost at 100 and 1000 workers only")
    private boolean quick;

    @Option(names = "--limit", paramLabel = "SECONDS", description = "A check is cut after so long. Default: 300")
    private int limit = 300;

    @Option(
            names = {"-o", "--output-format"},
            paramLabel = "table|json",
            description = "Output format. Default: table")
    private Format format = Format.table;

    private ScoreCard(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    public static void main(String[] arguments) {
        int code = run(System.out, System.err, arguments);
        System.out.flush();
        // A call that hangs does not keep the process.
        System.exit(code);
    }

    /** Runs a command line. */
    static int run(PrintStream out, PrintStream err, String... arguments) {
        CommandLine line = new CommandLine(new ScoreCard(out, err));
        line.setCommandName("berth policy test");
        line.setOut(new PrintWriter(out, true, Charset.defaultCharset()));
        line.setErr(new PrintWriter(err, true, Charset.defaultCharset()));
        line.setParameterExceptionHandler((failure, given) -> {
            err.println("berth: " + failure.getMessage());
            err.println("'berth policy test --help' shows what is allowed");
            return BAD_INPUT;
        });
        return line.execute(arguments);
    }

    @Override
    public Integer call() {
        within("--seed", seed, 0, Integer.MAX_VALUE - MAX_SEEDS);
        within("--seeds", seeds, 1, MAX_SEEDS);
        within("--limit", limit, 1, MAX_LIMIT_SECONDS);
        PolicyJar bundle = read();
        List<Object> chosen = bundle.factories().stream()
                .filter(factory -> policy.map(Grading.name(factory)::equals).orElse(true))
                .toList();
        if (chosen.isEmpty()) {
            throw bad("option --policy is '" + policy.orElse("") + "': the jar has "
                    + String.join(
                            ", ", bundle.factories().stream().map(Grading::name).toList()));
        }
        Grading grading = new Grading(
                new Settings(new Seeds(seed, seeds), quick ? QUICK : ALL, Meter.ofThread(), Optional.of(trace())),
                new Judge(limit * 1_000L),
                this::progress);
        List<Card> cards = chosen.stream()
                .map(factory -> grading.card(bundle.symbolicName(), factory))
                .toList();
        CardText text = new CardText(jar.toString(), repeated());
        out.println(format == Format.json ? text.json(cards) : text.table(cards));
        out.flush();
        return cards.stream().allMatch(Card::full) ? 0 : LOST;
    }

    private PolicyJar read() {
        try {
            return PolicyJar.read(jar);
        } catch (IllegalArgumentException refused) {
            // The reader of jars names the option of the other commands.
            throw bad(String.valueOf(refused.getMessage()).replaceFirst("^option --bundle", "parameter JAR"));
        }
    }

    private ReplayedTrace trace() {
        if (nodes.isPresent() != jobs.isPresent()) {
            throw bad("option " + (nodes.isPresent() ? "--nodes" : "--jobs")
                    + " is given alone: a trace has both, --nodes and --jobs");
        }
        try {
            return nodes.isPresent() ? ReplayedTrace.read(nodes.get(), jobs.orElseThrow()) : ExampleTrace.read();
        } catch (BadTrace | IllegalArgumentException refused) {
            throw bad(String.valueOf(refused.getMessage()));
        }
    }

    /** The options that a command which repeats a check needs too. */
    private String repeated() {
        return nodes.map(file -> " --nodes " + file).orElse("")
                + jobs.map(file -> " --jobs " + file).orElse("")
                + (quick ? " --quick" : "");
    }

    private void progress(String line) {
        err.println(line);
        err.flush();
    }

    private void within(String option, int value, int least, int most) {
        if (value < least || value > most) {
            throw bad("option " + option + " is " + value + ": " + least + " to " + most + " is allowed");
        }
    }

    private ParameterException bad(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
