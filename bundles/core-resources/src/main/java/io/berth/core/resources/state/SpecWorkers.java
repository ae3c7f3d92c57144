package io.berth.core.resources.state;

import io.berth.spi.WorkerId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/** The workers of one spec of one backend, counted. Confined to the main thread; the registry updates it. */
public final class SpecWorkers {

    /** Of a spec that has no workers. Nothing is added to it. */
    static final SpecWorkers NONE = new SpecWorkers();

    private final SortedMap<WorkerId, WorkerEntry> open = new TreeMap<>();
    private final SortedMap<WorkerId, WorkerEntry> granted = new TreeMap<>();
    private int plannedOpen;
    private int plannedGranted;
    private long checks;
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

    /** A pending worker is about to have planned slots, or none. */
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

    /** How many pending workers have no process yet. */
    public int open() {
        return open.size();
    }

    /** The first pending worker without a process that fits: by id, and preferably one with planned slots. */
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

    /** A copy, by id: pending workers without a process. */
    public List<WorkerEntry> openWorkers() {
        return List.copyOf(open.values());
    }

    /** A copy, by id: pending workers without a process that have planned slots. */
    public List<WorkerEntry> plannedOpen() {
        return plannedOpen == 0
                ? List.of()
                : open.values().stream().filter(this::hasPlanned).toList();
    }

    /** A copy, by id: pending workers with a process and without planned slots. */
    public List<WorkerEntry> vacantGranted() {
        return plannedGranted == granted.size() ? List.of() : vacant(granted);
    }

    /** A copy: pending workers without planned slots, by id; those without a process come first. */
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
        checks++;
        return worker.planned() > 0;
    }

    /** How many pending workers were checked for planned slots, ever. */
    long checks() {
        return checks;
    }

    /** Workers that the backend must keep: pending, or registered and started by it in this term. */
    public int own() {
        return open.size() + granted.size() + running;
    }

    /** Own workers, and registered ones that were started in an earlier term. */
    public int staying() {
        return own() + earlier;
    }

    boolean isEmpty() {
        return all() == 0;
    }

    /** All workers, including releasing ones. */
    public int all() {
        return staying() + releasing;
    }
}
