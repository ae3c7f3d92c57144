package io.berth.core.resources.state;

import io.berth.spi.WorkerId;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * The workers on which a job had slots that it took and that have ended, by group, the latest ones: its state may still
 * be there. Confined to the main thread.
 */
final class FormerWorkers {

    private static final int MAX_OF_GROUP = 64;

    private static final class Trail {
        private final LinkedHashSet<WorkerId> workers = new LinkedHashSet<>();
        /** A copy that others may keep; empty after a change. */
        private Set<WorkerId> published = Set.of();
    }

    private final Map<GroupKey, Trail> trails = new HashMap<>();

    void add(SlotEntry ended) {
        if (!ended.isTaken()) {
            return;
        }
        Trail trail = trails.computeIfAbsent(ended.kind().group(), first -> new Trail());
        boolean there = trail.workers.remove(ended.worker.id());
        trail.workers.add(ended.worker.id());
        if (!there) {
            trail.published = Set.of();
            if (trail.workers.size() > MAX_OF_GROUP) {
                Iterator<WorkerId> oldest = trail.workers.iterator();
                oldest.next();
                oldest.remove();
            }
        }
    }

    Set<WorkerId> of(GroupKey group) {
        Trail trail = trails.get(group);
        if (trail == null) {
            return Set.of();
        }
        if (trail.published.isEmpty()) {
            trail.published = Set.copyOf(trail.workers);
        }
        return trail.published;
    }
}
