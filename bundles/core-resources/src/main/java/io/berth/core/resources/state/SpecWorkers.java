package io.berth.core.resources.state;

import io.berth.spi.WorkerId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/** The workers of one spec of one backend, counted. Confined to the main thread; kept by the registry. */
public final class SpecWorkers {

    private final SortedMap<WorkerId, WorkerEntry> open = new TreeMap<>();
    private final SortedMap<WorkerId, WorkerEntry> granted = new TreeMap<>();
    private int plannedOpen;
    private int plannedGranted;
    private long looks;
    private int running;
    private int releasing;
    private int earlier;

    void add(WorkerEntry worker) {
        if (worker.state() == WorkerEntry.State.PENDING) {
            (worker.named() ? granted : open).put(worker.id(), worker);
            countPlanned(worker, worker.planned() > 0 ? 1 : 0);
        }
        count(worker, 1);
    }

    void remove(WorkerEntry worker) {
        if (worker.state() == WorkerEntry.State.PENDING) {
            (worker.named() ? granted : open).remove(worker.id());
            countPlanned(worker, worker.planned() > 0 ? -1 : 0);
        }
        count(worker, -1);
    }

    private void countPlanned(WorkerEntry worker, int by) {
        if (worker.named()) {
            plannedGranted += by;
        } else {
            plannedOpen += by;
        }
    }

    /** A pending one, which is here, is about to have slots planned on it or to have none. */
    void planned(WorkerEntry worker, boolean any) {
        boolean before = worker.planned() > 0;
        if (any != before) {
            countPlanned(worker, any ? 1 : -1);
        }
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

    /** How many pending ones no process stands for yet. */
    public int open() {
        return open.size();
    }

    /** Of those without a process the first by id that has planned slots, else the first, of those that fit. */
    Optional<WorkerEntry> bestOpen(Predicate<WorkerEntry> fits) {
        Optional<WorkerEntry> planned = plannedOpen == 0
                ? Optional.empty()
                : open.values().stream()
                        .filter(worker -> hasPlanned(worker) && fits.test(worker))
                        .findFirst();
        return planned.isPresent()
                ? planned
                : open.values().stream().filter(fits).findFirst();
    }

    /** A copy, by id: those without a process that have planned slots. */
    public List<WorkerEntry> plannedOpen() {
        return plannedOpen == 0
                ? List.of()
                : open.values().stream().filter(this::hasPlanned).toList();
    }

    /** A copy, by id: those that the backend has granted and that have no planned slots. */
    public List<WorkerEntry> vacantGranted() {
        return plannedGranted == granted.size() ? List.of() : vacant(granted);
    }

    /** A copy: pending ones without planned slots, those without a process first, and by id. */
    public List<WorkerEntry> vacant() {
        if (plannedOpen == open.size()) {
            return vacantGranted();
        }
        List<WorkerEntry> vacant = new ArrayList<>(vacant(open));
        vacant.addAll(vacantGranted());
        return vacant;
    }

    private List<WorkerEntry> vacant(SortedMap<WorkerId, WorkerEntry> pending) {
        return pending.values().stream().filter(worker -> !hasPlanned(worker)).toList();
    }

    private boolean hasPlanned(WorkerEntry worker) {
        looks++;
        return worker.planned() > 0;
    }

    /** How many pending ones were looked at for planned slots, ever. */
    long looks() {
        return looks;
    }

    /** Those that the backend is to have: pending, or registered and started by it in this life. */
    public int own() {
        return open.size() + granted.size() + running;
    }

    /** Own ones, and registered ones that an earlier life started. */
    public int staying() {
        return own() + earlier;
    }

    /** All, those that are to end too. */
    public int all() {
        return staying() + releasing;
    }
}
