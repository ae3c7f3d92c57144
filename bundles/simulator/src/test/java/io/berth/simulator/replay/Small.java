package io.berth.simulator.replay;

import io.berth.simulator.policies.PoliciesOfKind;
import io.berth.simulator.replay.cluster.Dimensions;
import io.berth.simulator.replay.cluster.ReplayedWorker;
import io.berth.simulator.replay.measure.ReplayResult;
import io.berth.simulator.traces.Node;
import io.berth.simulator.traces.Outage;
import io.berth.simulator.traces.TraceJob;
import io.berth.simulator.traces.TraceJob.Demand;
import io.berth.spi.ResourceProfile;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/** Clusters and jobs that are small enough to verify by hand. */
public final class Small {

    private Small() {}

    public static ResourceProfile profile(int cpu, int mebibytes, int gpus) {
        TreeMap<String, Long> extended = new TreeMap<>();
        extended.put("gpu", (long) gpus);
        return new ResourceProfile(cpu * 1_000L, (long) mebibytes << 20, 0, 0, extended);
    }

    public static Node node(String name, int cpu) {
        return new Node(name, "", profile(cpu, 1_024, 0));
    }

    /** A job with slots of one core. */
    public static TraceJob job(String name, double arrival, double run, int slots, String user) {
        return new TraceJob(
                name,
                (long) (arrival * 1_000),
                OptionalLong.of((long) (run * 1_000)),
                List.of(new Demand(profile(1, 1, 0), slots)),
                user,
                "");
    }

    static Outage outage(int node, double down, double up) {
        return new Outage(node, (long) (down * 1_000), (long) (up * 1_000));
    }

    static ReplayResult replay(List<Node> nodes, List<TraceJob> jobs, List<Outage> outages, String strategy) {
        return new Replay(
                        new ReplayInput(nodes, jobs, outages, Optional.empty()),
                        PoliciesOfKind.shippedStrategy(strategy),
                        (now, arrived, waiting) -> {})
                .run();
    }

    static ReplayResult firstFit(List<Node> nodes, List<TraceJob> jobs, Outage... outages) {
        return replay(nodes, jobs, List.of(outages), "first-fit");
    }

    public static ReplayedWorker worker(int index, Node node, Dimensions dimensions) {
        ReplayedWorker worker = new ReplayedWorker(index, node, dimensions.amounts(node.total()), (of, slot) -> {});
        worker.begin();
        return worker;
    }
}
