package io.berth.simulator.replay;

import io.berth.core.api.time.SystemClock;
import io.berth.simulator.policies.PolicyPair;
import io.berth.simulator.replay.cluster.Invariants;
import io.berth.simulator.replay.measure.ReplayResult;
import io.berth.simulator.traces.BadTrace;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Replays a trace: {@code berth simulate --nodes FILE --jobs FILE} shows all figures, and {@code berth policy compare}
 * those by which policies are chosen. Exit code 0 when slots were conserved, 1 when not, 2 for bad input.
 */
public final class ReplayCommand {

    /** The part of {@code berth simulate --help} about replays. */
    public static final String HELP = ReplayHelp.SIMULATE;

    /** The text of {@code berth policy compare --help}. */
    public static final String COMPARE_HELP = ReplayHelp.COMPARE;

    private static final int DONE = 0;
    private static final int BROKEN = 1;
    private static final int BAD_INPUT = 2;

    /** What is made of the results. */
    private enum Command {
        SIMULATE("berth simulate", "--plot") {
            @Override
            String table(Scenario scenario, List<ReplayResult> results) {
                return new ReplayTable(scenario, results).text();
            }

            @Override
            String plot(Scenario scenario, List<ReplayResult> results) {
                return new ReplayPlot(results).chart().text();
            }
        },
        COMPARE("berth policy compare", "--svg") {
            @Override
            String table(Scenario scenario, List<ReplayResult> results) {
                return new ComparedTable(scenario, results).text();
            }

            @Override
            String plot(Scenario scenario, List<ReplayResult> results) {
                return ComparedPlot.svg(scenario, results);
            }
        };

        private final String words;
        private final String plotOption;

        Command(String words, String plotOption) {
            this.words = words;
            this.plotOption = plotOption;
        }

        abstract String table(Scenario scenario, List<ReplayResult> results);

        abstract String plot(Scenario scenario, List<ReplayResult> results);
    }

    private final Command command;
    private final PrintStream out;
    private final PrintStream err;

    private ReplayCommand(Command command, PrintStream out, PrintStream err) {
        this.command = command;
        this.out = out;
        this.err = err;
    }

    /** Whether these arguments of {@code berth simulate} request a replay. */
    public static boolean asked(List<String> arguments) {
        return ReplayOptions.asked(arguments, Command.SIMULATE.plotOption);
    }

    /** Runs {@code berth simulate}. @return its exit code */
    public static int simulate(List<String> arguments, PrintStream out, PrintStream err) {
        return new ReplayCommand(Command.SIMULATE, out, err).run(arguments);
    }

    /** Runs {@code berth policy compare}. @return its exit code */
    public static int compare(List<String> arguments, PrintStream out, PrintStream err) {
        return new ReplayCommand(Command.COMPARE, out, err).run(arguments);
    }

    private int run(List<String> arguments) {
        try {
            return run(ReplayOptions.read(arguments, command.plotOption));
        } catch (BadTrace bad) {
            err.println("berth: " + bad.getMessage());
        } catch (IllegalArgumentException bad) {
            err.println("berth: " + bad.getMessage());
            err.println("'" + command.words + " --help' shows what is allowed");
        }
        return BAD_INPUT;
    }

    private int run(ReplayOptions options) {
        Scenario scenario = Scenario.read(options);
        ReplayProgress progress = new ReplayProgress(
                err, new SystemClock(), scenario, options.policies().size());
        List<ReplayResult> results = new ArrayList<>();
        for (PolicyPair policy : options.policies()) {
            try {
                results.add(new Replay(
                                scenario.input(),
                                policy,
                                options.quiet() ? (now, arrived, waiting) -> {} : progress.of(policy.name()))
                        .run());
            } catch (Invariants.Violation broken) {
                err.println("berth: " + broken.getMessage());
                return BROKEN;
            }
        }
        out.print(
                options.json()
                        ? new ReplayJson(scenario, results).text() + System.lineSeparator()
                        : command.table(scenario, results));
        options.plot().ifPresent(file -> file.write(command.plot(scenario, results)));
        return DONE;
    }
}
