package io.berth.core.resources;

import io.berth.core.api.policy.BackendHost.BackendHandle;
import io.berth.core.api.policy.PlanningInput.SpecColumn;
import io.berth.spi.WorkerId;
import io.berth.spi.backend.WorkerDeclaration;
import io.berth.spi.backend.WorkerSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The backends that are there, and what is declared to them: per spec the workers that run and are still wanted, and
 * those that are pending (FLIP-6, "ResourceManager"). Confined to the main thread.
 */
final class Backends {

    private static final Logger LOG = LoggerFactory.getLogger(Backends.class);

    private final WorkerRegistry workers;
    private final SortedMap<String, Connected> connected = new TreeMap<>();
    private final SortedMap<String, String> startFailures = new TreeMap<>();
    private long pendingCount;
    private boolean stopped;

    Backends(WorkerRegistry workers) {
        this.workers = workers;
    }

    /** A backend, the workers that it is to stop, and what was declared to it last. */
    private static final class Connected {
        private final BackendHandle handle;
        private final SortedSet<WorkerId> unwanted = new TreeSet<>();
        private Optional<WorkerDeclaration> declared = Optional.empty();
        /** Reports that had no effect. */
        private long refused;

        Connected(BackendHandle handle) {
            this.handle = handle;
        }
    }

    void add(BackendHandle backend) {
        connected.put(backend.name(), new Connected(backend));
        startFailures.keySet().removeIf(key -> key.startsWith(backend.name() + "/"));
    }

    /** Whether the backend was the one that is used under its name. */
    boolean remove(BackendHandle backend) {
        Connected there = connected.get(backend.name());
        if (there == null || there.handle != backend) {
            return false;
        }
        connected.remove(backend.name());
        for (WorkerEntry worker : workers.all()) {
            if (!worker.backend.equals(backend.name())) {
                continue;
            }
            worker.launched(false);
            if (worker.state() == WorkerEntry.State.PENDING) {
                workers.remove(worker);
            }
        }
        return true;
    }

    Optional<WorkerSpec> spec(String backend, String spec) {
        return Optional.ofNullable(connected.get(backend)).stream()
                .flatMap(there -> there.handle.specs().stream())
                .filter(offered -> offered.name().equals(spec))
                .findFirst();
    }

    /** What can be started now. */
    List<SpecColumn> specs() {
        List<SpecColumn> columns = new ArrayList<>();
        connected.forEach((name, there) -> there.handle.specs().forEach(spec -> columns.add(new SpecColumn(
                name, spec.name(), spec.total(), spec.total().dividedBy(spec.defaultSlots()), left(name, spec)))));
        return columns;
    }

    private int left(String backend, WorkerSpec spec) {
        return Math.max(0, spec.most() - workers.count(backend, spec.name(), true));
    }

    /** Makes a pending worker of the spec, unless there are as many as there may be. */
    Optional<WorkerEntry> open(String backend, String specName) {
        return spec(backend, specName)
                .filter(spec -> left(backend, spec) > 0)
                .map(spec -> pending(backend, spec));
    }

    private WorkerEntry pending(String backend, WorkerSpec spec) {
        return workers.add(nextPendingId(backend), backend, spec.name(), spec.total(), spec.defaultSlots());
    }

    private WorkerId nextPendingId(String backend) {
        return new WorkerId("pending-" + backend + "-" + ++pendingCount);
    }

    /**
     * The backend started a worker, for a pending one or for none. What it did not offer, and more than it offered, has
     * no effect: such a worker would count as room to come.
     */
    Optional<WorkerEntry> started(String backend, WorkerId id, WorkerSpec named) {
        Optional<WorkerSpec> offered = spec(backend, named.name());
        if (offered.isEmpty()) {
            refuse(backend, id, "it offers no spec " + named.name());
            return Optional.empty();
        }
        WorkerSpec spec = offered.get();
        startFailures.remove(key(backend, spec.name()));
        Optional<WorkerEntry> there = workers.find(id);
        if (there.isPresent()) {
            if (!there.get().backend.equals(backend)) {
                refuse(backend, id, "it is a worker of backend " + there.get().backend);
                return Optional.empty();
            }
            there.get().launched(true);
            return there;
        }
        Optional<WorkerEntry> open = workers.openPending(backend, spec.name());
        if (open.isEmpty() && left(backend, spec) == 0) {
            refuse(backend, id, "all " + spec.most() + " of spec " + spec.name() + " are there");
            return Optional.empty();
        }
        WorkerEntry worker = open.orElseGet(() -> pending(backend, spec));
        workers.rename(worker, id, true);
        worker.launched(true);
        return Optional.of(worker);
    }

    private void refuse(String backend, WorkerId id, String cause) {
        Connected there = connected.get(backend);
        if (there == null) {
            return;
        }
        if (there.refused++ == 0) {
            LOG.warn("backend {}: its report that worker {} was started has no effect: {}; later ones are not logged",
                    backend, id, cause);
        }
    }

    /** A process of the backend is no more. */
    void ended(String backend, WorkerId id) {
        Optional.ofNullable(connected.get(backend)).ifPresent(there -> there.unwanted.remove(id));
    }

    /** The process that a pending worker waited for will not come; another one may. */
    void reopen(WorkerEntry worker) {
        workers.rename(worker, nextPendingId(worker.backend), false);
        worker.launched(false);
    }

    /** @return whether that is new: not when the last start failed in the same way, or nothing such is offered */
    boolean startFailed(String backend, WorkerSpec spec, String diagnostics) {
        return spec(backend, spec.name()).isPresent()
                && !diagnostics.equals(startFailures.put(key(backend, spec.name()), diagnostics));
    }

    /** Why workers of a spec, as BACKEND/SPEC, do not start. */
    Optional<String> startFailure(String key) {
        return Optional.ofNullable(startFailures.get(key));
    }

    static String key(String backend, String spec) {
        return backend + "/" + spec;
    }

    /** The worker is not needed any more, or hangs: its backend is to end its process. */
    void unwanted(WorkerEntry worker) {
        if (worker.launched()) {
            Optional.ofNullable(connected.get(worker.backend)).ifPresent(there -> there.unwanted.add(worker.id()));
        }
    }

    /** Whether the spec keeps the worker although nothing needs it. One of an earlier life is not counted for that. */
    boolean kept(WorkerEntry worker) {
        if (worker.state() != WorkerEntry.State.PENDING && !worker.launched()) {
            return false;
        }
        return spec(worker.backend, worker.spec)
                .filter(spec -> workers.count(worker.backend, worker.spec, false) <= spec.least())
                .isPresent();
    }

    /** Tells each backend what is needed now, where that is something else than before. */
    void declare() {
        if (stopped) {
            return;
        }
        connected.forEach((name, there) -> {
            SortedMap<String, Integer> needed = new TreeMap<>();
            for (WorkerSpec spec : there.handle.specs()) {
                while (workers.count(name, spec.name(), false) < spec.least() && left(name, spec) > 0) {
                    pending(name, spec);
                }
                needed.put(spec.name(), workers.count(name, spec.name(), false));
            }
            tell(name, there, new WorkerDeclaration(needed, List.copyOf(there.unwanted)));
        });
    }

    /** Nothing is needed any more: what ends is not replaced. */
    void stop() {
        stopped = true;
        for (Map.Entry<String, Connected> entry : connected.entrySet()) {
            tell(entry.getKey(), entry.getValue(), new WorkerDeclaration(new TreeMap<>(), List.of()));
        }
    }

    private static void tell(String name, Connected there, WorkerDeclaration declaration) {
        if (there.handle.specs().isEmpty()
                || there.declared.filter(declaration::equals).isPresent()) {
            return;
        }
        there.declared = Optional.of(declaration);
        LOG.debug("backend {}: needed {}, unwanted {}", name, declaration.needed(), declaration.unwanted());
        there.handle.declare(declaration);
    }
}
