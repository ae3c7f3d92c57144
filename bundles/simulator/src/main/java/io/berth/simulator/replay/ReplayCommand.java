package io.berth.simulator.replay;

import io.berth.core.api.time.SystemClock;
import io.berth.simulator.policies.PolicyPair;
import io.berth.simulator.replay.cluster.Invariants;
import io.berth.simulator.replay.measure.ReplayResult;
import io.berth.simulator.report.PlotFile;
import io.berth.simulator.traces.BadTrace;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** {@code berth simulate --nodes FILE --jobs FILE}. Exit code 0 when slots were conserved, 1 when not, 2 for bad input. */
public final class ReplayCommand {

    /** The part of {@code --help} about replays. */
    public static final String HELP = ReplayHelp.SIMULATE;

    private static final int DONE = 0;
    private static final int BROKEN = 1;
    private static final int BAD_INPUT = 2;
    private static final long PROGRESS_NANOS = 5_000_000_000L;

    private final PrintStream out;
    private final PrintStream err;

    private ReplayCommand(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /** Whether these arguments request a replay. */
    public static boolean asked(List<String> arguments) {
        return ReplayOptions.asked(arguments);
    }

    /** Runs the command. @return its exit code */
    public static int run(List<String> arguments, PrintStream out, PrintStream err) {
        try {
            ReplayOptions options = ReplayOptions.read(arguments);
            return new ReplayCommand(out, err).run(options);
        } catch (BadTrace bad) {
            err.println("berth: " + bad.getMessage());
        } catch (IllegalArgumentException bad) {
            err.println("berth: " + bad.getMessage());
            err.println("'berth simulate --help' shows what is allowed");
        }
        return BAD_INPUT;
    }

    private int run(ReplayOptions options) {
        Scenario scenario = Scenario.read(options);
        List<ReplayResult> results = new ArrayList<>();
        for (PolicyPair policy : options.policies()) {
            try {
                results.add(new Replay(
                                scenario.input(),
                                policy,
                                options.quiet() ? (now, arrived, waiting) -> {} : progress(scenario, policy.name()))
                        .run());
            } catch (Invariants.Violation broken) {
                err.println("berth: " + broken.getMessage());
                return BROKEN;
            }
        }
        out.print(
                options.json()
                        ? new ReplayJson(scenario, results).text() + System.lineSeparator()
                        : new ReplayTable(scenario, results).text());
        options.plot().ifPresent(file -> PlotFile.write(file, new ReplayPlot(results).chart()));
        return DONE;
    }

    private Replay.Progress progress(Scenario scenario, String policy) {
        SystemClock clock = new SystemClock();
        int jobs = scenario.input().jobs().size();
        long first = scenario.input().jobs().get(0).arrivalMillis();
        return new Replay.Progress() {
            private long lastProgress = clock.nanos();
            private int calls;

            @Override
            public void at(long nowMillis, int arrived, int waiting) {
                if ((++calls & 63) == 0 && clock.nanos() - lastProgress > PROGRESS_NANOS) {
                    lastProgress = clock.nanos();
                    err.printf(
                            Locale.ROOT,
                            "%s: hour %d, %d of %d jobs have arrived, %d wait%n",
                            policy,
                            (nowMillis - first) / 3_600_000,
                            arrived,
                            jobs,
                            waiting);
                }
            }
        };
    }
}
