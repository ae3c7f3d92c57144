package io.berth.core.resources;

import io.berth.spi.WorkerId;
import java.util.Collection;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** The workers of one spec of one backend, counted. Confined to the main thread; kept by the registry. */
final class SpecWorkers {

    private final SortedMap<WorkerId, WorkerEntry> open = new TreeMap<>();
    private final SortedMap<WorkerId, WorkerEntry> granted = new TreeMap<>();
    private int running;
    private int releasing;
    private int earlier;

    void add(WorkerEntry worker) {
        if (worker.state() == WorkerEntry.State.PENDING) {
            (worker.named() ? granted : open).put(worker.id(), worker);
        }
        count(worker, 1);
    }

    void remove(WorkerEntry worker) {
        if (worker.state() == WorkerEntry.State.PENDING) {
            (worker.named() ? granted : open).remove(worker.id());
        }
        count(worker, -1);
    }

    private void count(WorkerEntry worker, int by) {
        if (worker.state() == WorkerEntry.State.RELEASING) {
            releasing += by;
        } else if (worker.state() == WorkerEntry.State.REGISTERED) {
            if (worker.launched()) {
                running += by;
            } else {
                earlier += by;
            }
        }
    }

    /** Pending ones that no process stands for yet, by id. */
    Collection<WorkerEntry> open() {
        return Collections.unmodifiableCollection(open.values());
    }

    /** Pending ones that the backend has granted, by id. */
    Collection<WorkerEntry> granted() {
        return Collections.unmodifiableCollection(granted.values());
    }

    /** Those that the backend is to have: pending, or registered and started by it in this life. */
    int own() {
        return open.size() + granted.size() + running;
    }

    /** Own ones, and registered ones that an earlier life started. */
    int staying() {
        return own() + earlier;
    }

    /** All, those that are to end too. */
    int all() {
        return staying() + releasing;
    }
}
