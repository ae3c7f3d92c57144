package io.berth.simulator.replay;

import io.berth.simulator.policies.PolicyPair;
import io.berth.simulator.replay.measure.ReplayResult;
import java.nio.file.Path;
import java.util.List;

/** A trace that is read once, to be replayed with several policies. */
public final class ReplayedTrace {

    private final Scenario scenario;

    private ReplayedTrace(Scenario scenario) {
        this.scenario = scenario;
    }

    /**
     * Reads a cluster and its jobs, each in any known format.
     *
     * @throws io.berth.simulator.traces.BadTrace when a trace is wrong
     * @throws IllegalArgumentException when the two do not fit together
     */
    public static ReplayedTrace read(Path nodes, Path jobs) {
        return new ReplayedTrace(Scenario.read(
                ReplayOptions.read(List.of("--nodes", nodes.toString(), "--jobs", jobs.toString()), "--plot")));
    }

    /** Replays it in virtual time, on this thread. */
    public ReplayResult with(PolicyPair policies) {
        return new Replay(scenario.input(), policies, (now, arrived, waiting) -> {}).run();
    }
}
