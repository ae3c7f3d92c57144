package io.berth.simulator.replay;

import io.berth.core.api.time.Clock;
import java.io.PrintStream;
import java.util.Locale;

/** Shows every few seconds how far the replays are. */
final class ReplayProgress {

    private static final long NANOS = 5_000_000_000L;
    /** The clock is asked only once for so many moments. */
    private static final int MOMENTS = 64;

    private final PrintStream err;
    private final int jobs;
    private final long firstMillis;
    private final int combinations;
    private final Clock clock;
    private long last;
    private int begun;

    /** @param combinations of policies, each of which replays the trace */
    ReplayProgress(PrintStream err, Clock clock, Scenario scenario, int combinations) {
        this.err = err;
        this.clock = clock;
        this.last = clock.nanos();
        this.jobs = scenario.input().jobs().size();
        this.firstMillis = scenario.input().jobs().get(0).arrivalMillis();
        this.combinations = combinations;
    }

    /** The progress of the next combination. */
    Replay.Progress of(String policy) {
        String name = combinations == 1 ? policy : policy + " (" + ++begun + " of " + combinations + ")";
        return new Replay.Progress() {
            private int moments;

            @Override
            public void at(long nowMillis, int arrived, int waiting) {
                if (++moments % MOMENTS == 0 && clock.nanos() - last > NANOS) {
                    last = clock.nanos();
                    err.printf(
                            Locale.ROOT,
                            "%s: hour %d, %d of %d jobs have arrived, %d wait%n",
                            name,
                            (nowMillis - firstMillis) / 3_600_000,
                            arrived,
                            jobs,
                            waiting);
                }
            }
        };
    }
}
