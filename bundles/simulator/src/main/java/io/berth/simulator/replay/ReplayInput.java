package io.berth.simulator.replay;

import io.berth.simulator.replay.cluster.ReplayedPool;
import io.berth.simulator.traces.Node;
import io.berth.simulator.traces.Outage;
import io.berth.simulator.traces.TraceJob;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** The input of a replay. */
record ReplayInput(
        List<Node> nodes,
        List<TraceJob> jobs,
        List<Outage> outages,
        Optional<Elastic> elastic,
        OptionalInt moveSeconds,
        ReplayedPool pool) {

    /**
     * @param jobs in the order of arrivals
     * @param outages of one node must not overlap
     * @param elastic empty: all nodes exist from the start
     * @param moveSeconds how long a job stands still that moves slots, beside the time without them; empty: none
     *     returns a slot while it runs
     */
    ReplayInput {
        nodes = List.copyOf(nodes);
        jobs = List.copyOf(jobs);
        outages = List.copyOf(outages);
    }

    /** In a pool without queues. */
    ReplayInput(List<Node> nodes, List<TraceJob> jobs, List<Outage> outages, Optional<Elastic> elastic) {
        this(nodes, jobs, outages, elastic, OptionalInt.empty(), ReplayedPool.DEFAULT);
    }

    /**
     * Workers are started on nodes when they are needed.
     *
     * @param startSeconds how long a start takes
     * @param idleSeconds how long a worker without slots is kept; checked each quarter of it, from every 10 to every 1,000 seconds
     */
    record Elastic(long startSeconds, long idleSeconds) {}
}
