package io.berth.simulator.traces;

/**
 * A node is away.
 *
 * @param node index in the cluster, from 0
 * @param downMillis when it leaves, by the clock of the jobs
 * @param upMillis when it returns, not before {@code downMillis}; {@link #NEVER} when it does not return
 */
public record Outage(int node, long downMillis, long upMillis) {

    public static final long NEVER = Long.MAX_VALUE;

    public Outage {
        if (node < 0 || upMillis < downMillis) {
            throw new IllegalArgumentException("outage of node " + node + " from " + downMillis + " to " + upMillis
                    + " ms: allowed are nodes from 0 and an end that is not before the beginning");
        }
    }
}
