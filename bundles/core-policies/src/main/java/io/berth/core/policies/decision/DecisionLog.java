package io.berth.core.policies.decision;

import io.berth.core.api.operations.PolicyOperations.DecisionDetails;
import io.berth.core.api.operations.PolicyOperations.DecisionFilter;
import io.berth.core.api.operations.PolicyOperations.PolicyStamp;
import io.berth.core.api.policy.PlacementPlanner.Commit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The last decisions, numbered from 1. Decisions with many lines count for more, so that the log of a large cluster
 * stays small. Thread-safe.
 */
public final class DecisionLog {

    /** Of all decisions together: tens of megabytes. */
    static final int MAX_LINES_KEPT = 200_000;

    private final SortedMap<Long, StoredDecision> kept = new TreeMap<>();
    private int max;
    private int linesKept;
    private long last;

    public DecisionLog(int most) {
        this.max = most;
    }

    public synchronized void keep(int newMost) {
        max = newMost;
        trim();
    }

    /** The number of the next decision. */
    synchronized long next() {
        return ++last;
    }

    synchronized void record(StoredDecision decision) {
        put(decision);
        trim();
    }

    /** Adds what was committed, if the decision is still kept. */
    synchronized void committed(long number, Commit commit) {
        StoredDecision before = kept.get(number);
        if (before != null) {
            put(before.committed(commit));
            trim();
        }
    }

    private void put(StoredDecision decision) {
        linesKept += decision.lines();
        StoredDecision replaced = kept.put(decision.number(), decision);
        linesKept -= replaced == null ? 0 : replaced.lines();
    }

    public Optional<DecisionDetails> decision(long number) {
        Optional<StoredDecision> found;
        synchronized (this) {
            found = Optional.ofNullable(kept.get(number));
        }
        return found.map(StoredDecision::details);
    }

    /** Newest first. */
    public List<DecisionDetails> find(DecisionFilter filter) {
        List<StoredDecision> all;
        synchronized (this) {
            all = new ArrayList<>(kept.tailMap(filter.after() + 1).values());
        }
        List<DecisionDetails> found = new ArrayList<>();
        for (int index = all.size() - 1; index >= 0 && found.size() < filter.limit(); index--) {
            if (passes(all.get(index), filter)) {
                found.add(all.get(index).details());
            }
        }
        return found;
    }

    private static boolean passes(StoredDecision decision, DecisionFilter filter) {
        boolean anyPolicy = filter.kind().isEmpty()
                && filter.policy().isEmpty()
                && filter.generation().isEmpty();
        return (anyPolicy || decision.policies().stream().anyMatch(stamp -> passes(stamp, filter)))
                && filter.job().map(decision.jobs()::contains).orElse(true)
                && (filter.pool().isEmpty() || decision.owner().pool().equals(filter.pool()));
    }

    private static boolean passes(PolicyStamp stamp, DecisionFilter filter) {
        return filter.kind().map(kind -> stamp.kind() == kind).orElse(true)
                && filter.policy().map(name -> stamp.name().equals(name)).orElse(true)
                && (filter.generation().isEmpty()
                        || stamp.generation() == filter.generation().getAsLong());
    }

    private void trim() {
        while (kept.size() > max || linesKept > MAX_LINES_KEPT && kept.size() > 1) {
            linesKept -= kept.remove(kept.firstKey()).lines();
        }
    }
}
