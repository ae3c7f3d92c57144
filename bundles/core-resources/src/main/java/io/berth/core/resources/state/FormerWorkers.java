package io.berth.core.resources.state;

import io.berth.spi.WorkerId;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The workers on which a job had slots that it took and that have ended, by group, the latest ones: its state may still
 * be there. Confined to the main thread.
 */
final class FormerWorkers {

    static final int MAX_OF_GROUP = 64;

    /**
     * Ids in an array, oldest first, and found by identity: ending a slot allocates nothing. A worker that registered
     * anew has another id object, so that it may stand here twice until the older one is displaced.
     */
    private static final class Trail {
        private WorkerId[] workers = new WorkerId[4];
        private int size;
        /** A copy that others may keep; empty after a change. */
        private Set<WorkerId> published = Set.of();

        void add(WorkerId worker) {
            int at = size - 1;
            while (at >= 0 && workers[at] != worker) {
                at--;
            }
            if (at < 0) {
                published = Set.of();
                if (size < MAX_OF_GROUP) {
                    if (size == workers.length) {
                        workers = Arrays.copyOf(workers, Math.min(2 * size, MAX_OF_GROUP));
                    }
                    workers[size++] = worker;
                    return;
                }
                at = 0;
            }
            System.arraycopy(workers, at + 1, workers, at, size - 1 - at);
            workers[size - 1] = worker;
        }
    }

    private final Map<GroupKey, Trail> trails = new HashMap<>();

    void add(GroupKey group, WorkerId worker) {
        trails.computeIfAbsent(group, first -> new Trail()).add(worker);
    }

    Set<WorkerId> of(GroupKey group) {
        Trail trail = trails.get(group);
        if (trail == null) {
            return Set.of();
        }
        if (trail.published.isEmpty()) {
            trail.published = Set.copyOf(Arrays.asList(trail.workers).subList(0, trail.size));
        }
        return trail.published;
    }
}
