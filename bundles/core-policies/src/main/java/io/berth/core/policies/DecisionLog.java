package io.berth.core.policies;

import io.berth.core.api.operations.PolicyOperations.DecisionDetails;
import io.berth.core.api.operations.PolicyOperations.DecisionFilter;
import io.berth.core.api.operations.PolicyOperations.PolicyStamp;
import io.berth.core.api.policy.PolicyIdentity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The last decisions, numbered from 1: as many as are to be kept, fewer when they have many lines, so that a crowded
 * cluster does not fill the memory. Any thread.
 */
final class DecisionLog {

    private static final int MOST_LINES = 200;

    /** Of all decisions together: some tens of megabytes. */
    static final int MOST_LINES_KEPT = 200_000;

    private final SortedMap<Long, DecisionDetails> kept = new TreeMap<>();
    private int most;
    private int linesKept;
    private long last;

    DecisionLog(int most) {
        this.most = most;
    }

    synchronized void keep(int newMost) {
        most = newMost;
        trim();
    }

    /** The number of the next decision. */
    synchronized long next() {
        return ++last;
    }

    synchronized void record(DecisionDetails decision) {
        put(decision);
        trim();
    }

    /** Adds lines to the results of a decision, when it is still kept. */
    synchronized void amend(long number, List<String> results) {
        DecisionDetails before = kept.get(number);
        if (before == null || results.isEmpty()) {
            return;
        }
        List<String> all = new ArrayList<>(before.results());
        all.addAll(bounded(results));
        put(new DecisionDetails(
                before.number(),
                before.wallMillis(),
                before.owner(),
                before.policies(),
                before.stateNumber(),
                before.jobs(),
                before.inputs(),
                all,
                before.reasons(),
                before.micros(),
                before.candidates(),
                before.rounds()));
        trim();
    }

    private void put(DecisionDetails decision) {
        linesKept += lines(decision);
        DecisionDetails replaced = kept.put(decision.number(), decision);
        linesKept -= replaced == null ? 0 : lines(replaced);
    }

    private static int lines(DecisionDetails decision) {
        return 1 + decision.jobs().size() + decision.inputs().size() + decision.results().size()
                + decision.reasons().size();
    }

    synchronized Optional<DecisionDetails> decision(long number) {
        return Optional.ofNullable(kept.get(number));
    }

    /** Newest first. */
    List<DecisionDetails> find(DecisionFilter filter) {
        List<DecisionDetails> all;
        synchronized (this) {
            all = new ArrayList<>(kept.values());
        }
        List<DecisionDetails> found = new ArrayList<>();
        for (int index = all.size() - 1; index >= 0 && found.size() < filter.limit(); index--) {
            if (passes(all.get(index), filter)) {
                found.add(all.get(index));
            }
        }
        return found;
    }

    private static boolean passes(DecisionDetails decision, DecisionFilter filter) {
        boolean policy = filter.kind().isEmpty() && filter.policy().isEmpty()
                || decision.policies().stream().anyMatch(stamp -> filter.kind()
                                .map(kind -> stamp.kind() == kind)
                                .orElse(true)
                        && filter.policy().map(name -> stamp.name().equals(name)).orElse(true));
        return policy && filter.job().map(job -> decision.jobs().contains(job)).orElse(true);
    }

    static PolicyStamp stamp(PolicyIdentity identity) {
        return new PolicyStamp(
                identity.kind(),
                identity.name(),
                identity.bundle(),
                identity.version(),
                identity.generation(),
                identity.configurationRevision());
    }

    /** At most so many lines that a log of decisions stays small. */
    static List<String> bounded(List<String> lines) {
        if (lines.size() <= MOST_LINES) {
            return lines;
        }
        List<String> some = new ArrayList<>(lines.subList(0, MOST_LINES));
        some.add("and " + (lines.size() - MOST_LINES) + " more");
        return some;
    }

    private void trim() {
        while (kept.size() > most || linesKept > MOST_LINES_KEPT && kept.size() > 1) {
            linesKept -= lines(kept.remove(kept.firstKey()));
        }
    }
}
