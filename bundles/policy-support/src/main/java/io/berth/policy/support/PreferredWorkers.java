package io.berth.policy.support;

import io.berth.spi.matching.AdmittedView;
import io.berth.spi.matching.WorkersView;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The workers that groups of jobs prefer, by constraints. All workers are looked at once for constraints that an entry of a
 * call has, and one again after it came or got other labels; for groups that prefer none, nothing is.
 */
public final class PreferredWorkers {

    private static final int MAX_COUNT = 1_024;

    /** Workers that are preferred, those with the largest weights first, those of equal weights by index. */
    public record Preferred(int[] workers, int[] weights) {

        private static final Preferred NONE = new Preferred(new int[0], new int[0]);

        public int size() {
            return workers.length;
        }

        /** The first one after it that has another weight. */
        int nextWeight(int from) {
            int to = from + 1;
            while (to < workers.length && weights[to] == weights[from]) {
                to++;
            }
            return to;
        }
    }

    /** How much of a worker is used, as a share. */
    record Used(int worker, double share) {

        static final Comparator<Used> LEAST_FIRST =
                Comparator.comparingDouble(Used::share).thenComparingInt(Used::worker);
    }

    private record Weighted(int worker, int weight) {}

    /** Of constraints: who is preferred, and who is to be looked at again. */
    private static final class Known {
        private final BitSet stale = new BitSet();
        private Preferred preferred = Preferred.NONE;
    }

    private final WorkersView workers;
    private final Map<Integer, Known> known = new HashMap<>();

    /** Reads nothing of the view before it is asked. */
    public PreferredWorkers(WorkersView workers) {
        this.workers = workers;
    }

    /** A worker came, or has other labels. */
    void relabeled(int worker) {
        known.values().forEach(one -> one.stale.set(worker));
    }

    /** The workers that the group of an entry prefers, pending ones and those that its constraints exclude included. */
    public Preferred of(AdmittedView entries, int entry) {
        if (!entries.prefers(entry)) {
            return Preferred.NONE;
        }
        int constraints = entries.constraints(entry);
        Known found = known.get(constraints);
        if (found == null) {
            if (known.size() == MAX_COUNT) {
                known.clear();
            }
            found = new Known();
            found.stale.set(0, workers.limit());
            known.put(constraints, found);
        }
        if (!found.stale.isEmpty()) {
            found.preferred = lookAgain(found, entries, entry);
            found.stale.clear();
        }
        return found.preferred;
    }

    private Preferred lookAgain(Known found, AdmittedView entries, int entry) {
        List<Weighted> all = new ArrayList<>();
        Preferred before = found.preferred;
        for (int at = 0; at < before.size(); at++) {
            if (!found.stale.get(before.workers()[at])) {
                all.add(new Weighted(before.workers()[at], before.weights()[at]));
            }
        }
        for (int worker = found.stale.nextSetBit(0); worker >= 0; worker = found.stale.nextSetBit(worker + 1)) {
            int weight = worker < workers.limit() && workers.present(worker) ? entries.preference(entry, worker) : 0;
            if (weight > 0) {
                all.add(new Weighted(worker, weight));
            }
        }
        all.sort(Comparator.comparingInt(Weighted::weight).reversed().thenComparingInt(Weighted::worker));
        return new Preferred(
                all.stream().mapToInt(Weighted::worker).toArray(),
                all.stream().mapToInt(Weighted::weight).toArray());
    }
}
