package io.berth.policy.support;

import io.berth.spi.matching.AdmittedView;
import io.berth.spi.matching.WorkersView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The workers that groups of jobs prefer, by constraints. All workers are looked at once for constraints that an entry of a
 * call has, and again after a worker came or got other labels; for groups that prefer none, nothing is.
 */
final class PreferredWorkers {

    /** Workers that are preferred, those with the largest weights first, those of equal weights by index. */
    record Preferred(int[] workers, int[] weights) {

        private static final Preferred NONE = new Preferred(new int[0], new int[0]);

        int size() {
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

    private record Weighted(int worker, int weight) {}

    private final WorkersView workers;
    private final Map<Integer, Preferred> known = new HashMap<>();

    PreferredWorkers(WorkersView workers) {
        this.workers = workers;
    }

    /** A worker came, or has other labels. */
    void relabeled() {
        known.clear();
    }

    Preferred of(AdmittedView entries, int entry) {
        if (!entries.prefers(entry)) {
            return Preferred.NONE;
        }
        return known.computeIfAbsent(entries.constraints(entry), constraints -> find(entries, entry));
    }

    private Preferred find(AdmittedView entries, int entry) {
        List<Weighted> found = new ArrayList<>();
        for (int worker = 0; worker < workers.limit(); worker++) {
            int weight = workers.present(worker) ? entries.preference(entry, worker) : 0;
            if (weight > 0) {
                found.add(new Weighted(worker, weight));
            }
        }
        found.sort(Comparator.comparingInt(Weighted::weight).reversed().thenComparingInt(Weighted::worker));
        return new Preferred(
                found.stream().mapToInt(Weighted::worker).toArray(),
                found.stream().mapToInt(Weighted::weight).toArray());
    }
}
