package io.berth.simulator.network;

import io.berth.core.api.rpc.RpcAddress;
import io.berth.simulator.time.VirtualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The state of the network between processes: how long messages take, how many are lost, and which processes are cut
 * off from which.
 */
public final class NetworkConditions {

    /** The minimum time of a message when nothing is wrong. */
    static final long MIN_LATENCY_NANOS = 200_000;
    /** The maximum that is added to the minimum. */
    static final long LATENCY_SPREAD_NANOS = 3 * VirtualTime.MILLI;

    /** No message passes from a process in {@code from} to one in {@code to}. */
    public record Cut(List<RpcAddress> from, List<RpcAddress> to) {

        public Cut {
            from = List.copyOf(from);
            to = List.copyOf(to);
        }

        boolean concerns(RpcAddress sender, RpcAddress receiver) {
            return from.contains(sender) && to.contains(receiver);
        }
    }

    private final RandomGenerator random;
    private final List<Cut> cuts = new ArrayList<>();
    private double lossShare;
    private long addedLatencyNanos;
    private long addedSpreadNanos;

    public NetworkConditions(RandomGenerator random) {
        this.random = random;
    }

    public void cut(Cut cut) {
        cuts.add(cut);
    }

    public void repair(Cut cut) {
        cuts.remove(cut);
    }

    /** @param share of the messages that are lost, from 0 to 1 */
    public void lossy(double share) {
        lossShare = share;
    }

    /** Delays all messages by {@code added}, plus a random time up to {@code spread}. */
    public void slow(long added, long spread) {
        addedLatencyNanos = added;
        addedSpreadNanos = spread;
    }

    public void clear() {
        cuts.clear();
        lossShare = 0;
        addedLatencyNanos = 0;
        addedSpreadNanos = 0;
    }

    public boolean isCut(RpcAddress from, RpcAddress to) {
        for (Cut cut : cuts) {
            if (cut.concerns(from, to)) {
                return true;
            }
        }
        return false;
    }

    boolean loses() {
        return lossShare > 0 && random.nextDouble() < lossShare;
    }

    long latencyNanos() {
        long latency = MIN_LATENCY_NANOS + random.nextLong(LATENCY_SPREAD_NANOS);
        return addedLatencyNanos + addedSpreadNanos == 0
                ? latency
                : latency + addedLatencyNanos + (addedSpreadNanos == 0 ? 0 : random.nextLong(addedSpreadNanos));
    }
}
