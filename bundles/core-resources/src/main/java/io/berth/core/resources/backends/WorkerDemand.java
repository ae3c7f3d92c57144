package io.berth.core.resources.backends;

import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.policy.BackendHost.BackendHandle;
import io.berth.core.api.policy.PlanningInput.Origin;
import io.berth.core.api.policy.PlanningInput.SpecColumn;
import io.berth.core.resources.settings.ClusterLimits;
import io.berth.core.resources.settings.ResourceSettings;
import io.berth.core.resources.state.Changes;
import io.berth.core.resources.state.Changes.Change;
import io.berth.core.resources.state.ClusterSums;
import io.berth.core.resources.state.SpecWorkers;
import io.berth.core.resources.state.WorkerEntry;
import io.berth.core.resources.state.WorkerRegistry;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import io.berth.spi.backend.WorkerDeclaration;
import io.berth.spi.backend.WorkerSpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connected backends and what is declared to them: for each spec, the running workers that are still needed and the
 * pending ones (FLIP-6, "ResourceManager"). Confined to the main thread.
 */
public final class WorkerDemand {

    private static final Logger LOG = LoggerFactory.getLogger(WorkerDemand.class);

    private static final int MAX_STRAYS = 1_000;
    private static final Comparator<SpecColumn> BY_SIZE = Comparator.<SpecColumn>comparingLong(
                    spec -> spec.total().cpuMillis())
            .thenComparingLong(spec -> ClusterSums.memory(spec.total()));

    private final WorkerRegistry workers;
    private final StartFailures failures;
    private final Supplier<ResourceSettings> settings;
    private final Changes changes;
    private final SortedMap<String, Connected> connected = new TreeMap<>();
    private final SortedMap<String, String> startFailures = new TreeMap<>();
    private long pendingCount;
    private boolean recovering;
    private boolean stopped;

    public WorkerDemand(
            WorkerRegistry workers, StartFailures failures, Supplier<ResourceSettings> settings, Changes changes) {
        this.workers = workers;
        this.changes = changes;
        this.failures = failures;
        this.settings = settings;
    }

    /** A backend, the workers that it must stop, and the last declaration. */
    private static final class Connected {
        private final BackendHandle handle;
        private final SortedSet<WorkerId> unwanted = new TreeSet<>();
        /** Also unwanted, but listed only once: the backend may not know them. */
        private final SortedSet<WorkerId> strays = new TreeSet<>();
        /** Started in an earlier term, according to the backend. */
        private final SortedSet<WorkerId> survivors = new TreeSet<>();
        /** Survivors that do not count, because the limit is reached. */
        private final SortedSet<WorkerId> surplus = new TreeSet<>();

        private Optional<WorkerDeclaration> declared = Optional.empty();
        /** Number of reports without effect. */
        private long refused;

        /** Of new workers, by name of the spec. */
        private final Map<String, WorkerLabels> labels = new HashMap<>();

        Connected(BackendHandle handle) {
            this.handle = handle;
            handle.specs()
                    .forEach(spec -> labels.put(
                            spec.name(),
                            new WorkerLabels(spec.labels(), spec.taints()).from(handle.name(), spec.name())));
        }
    }

    public void add(BackendHandle backend) {
        if (connected.containsKey(backend.name())) {
            forgetWorkers(backend.name());
        }
        connected.put(backend.name(), new Connected(backend));
        failures.forget(backend.name());
        startFailures.keySet().removeIf(key -> key.startsWith(backend.name() + "/"));
        changes.mark(Change.POLICY);
        changes.mark(Change.DEMAND);
    }

    /** Returns false if another backend uses the name. */
    public boolean remove(BackendHandle backend) {
        Connected there = connected.get(backend.name());
        if (there == null || there.handle != backend) {
            return false;
        }
        connected.remove(backend.name());
        forgetWorkers(backend.name());
        changes.mark(Change.POLICY);
        return true;
    }

    /** Pending workers are dropped; running ones count as started in an earlier term. */
    private void forgetWorkers(String backend) {
        for (WorkerEntry worker : workers.all()) {
            if (!worker.backend.equals(backend)) {
                continue;
            }
            workers.launched(worker, false);
            if (worker.state() == WorkerEntry.State.PENDING) {
                workers.remove(worker);
            }
        }
    }

    Optional<WorkerSpec> spec(String backend, String spec) {
        return Optional.ofNullable(connected.get(backend)).stream()
                .flatMap(there -> there.handle.specs().stream())
                .filter(offered -> offered.name().equals(spec))
                .findFirst();
    }

    /** The specs of all backends, the smallest first. */
    public List<SpecColumn> specs() {
        List<SpecColumn> columns = new ArrayList<>();
        connected.forEach((name, there) -> there.handle
                .specs()
                .forEach(spec -> columns.add(new SpecColumn(
                        origin(name, spec),
                        spec.total(),
                        spec.total().dividedBy(spec.defaultSlots()),
                        left(name, spec),
                        Objects.requireNonNull(there.labels.get(spec.name())),
                        spec.startMillis()))));
        columns.sort(BY_SIZE);
        return columns;
    }

    /**
     * The specs with shares of the cluster limits, so that all may be started together. The favored spec gets its share
     * first, then the largest.
     *
     * @param favored index from the largest, which is 0
     */
    public List<SpecColumn> specsWithinLimits(int favored) {
        List<SpecColumn> specs = specs();
        if (specs.isEmpty()) {
            return specs;
        }
        List<SpecColumn> order = new ArrayList<>(specs);
        Collections.reverse(order);
        order.add(0, order.remove(favored % order.size()));
        List<Integer> shares = settings.get()
                .limits()
                .share(
                        workers.sums(),
                        order.stream().map(SpecColumn::total).toList(),
                        order.stream().map(SpecColumn::left).toList());
        List<SpecColumn> within = new ArrayList<>();
        for (SpecColumn spec : specs) {
            within.add(spec.withLeft(shares.get(order.indexOf(spec))));
        }
        return within;
    }

    private int left(String backend, WorkerSpec spec) {
        int ofSpec = spec.maximum()
                - workers.ofSpec(WorkerEntry.kind(backend, spec.name())).all();
        return Math.max(0, Math.min(ofSpec, settings.get().limits().room(workers.sums(), spec.total())));
    }

    /** Adds a pending worker of the spec; empty if the limit is reached. */
    public Optional<WorkerEntry> open(String backend, String specName) {
        return spec(backend, specName).filter(spec -> left(backend, spec) > 0).map(spec -> pending(backend, spec));
    }

    private WorkerEntry pending(String backend, WorkerSpec spec) {
        return workers.add(
                nextPendingId(backend),
                origin(backend, spec),
                spec.total(),
                spec.defaultSlots(),
                new WorkerLabels(spec.labels(), spec.taints()));
    }

    private static Origin origin(String backend, WorkerSpec spec) {
        return new Origin(backend, spec.name(), spec.costPerHour());
    }

    /** Where a worker comes from that registers unannounced. */
    public Origin origin(String backend, String specName) {
        return spec(backend, specName)
                .map(spec -> origin(backend, spec))
                .orElseGet(() -> new Origin(backend, specName, 0));
    }

    private WorkerId nextPendingId(String backend) {
        return new WorkerId("pending-" + backend + "-" + ++pendingCount);
    }

    /**
     * The backend started a worker, for a pending one or unasked. A worker beyond its offers has no effect, because it
     * would count as capacity.
     */
    public Optional<WorkerEntry> started(String backend, WorkerId id, WorkerSpec named) {
        return running(backend, id, named, false);
    }

    /**
     * A worker of an earlier term still runs. It counts as one that was started now, and is kept until it registers or
     * is given up. One beyond the limit has no effect either, but it may have slots, so it gets time to register before
     * it is stopped.
     */
    public Optional<WorkerEntry> survived(String backend, WorkerId id, WorkerSpec named) {
        Optional<WorkerEntry> worker = running(backend, id, named, true);
        worker.ifPresent(there ->
                Objects.requireNonNull(connected.get(backend)).survivors.add(id));
        return worker;
    }

    /** @return whether the worker, which does not count, must be stopped later unless it registers */
    public boolean surplus(String backend, WorkerId id) {
        Connected there = connected.get(backend);
        return there != null && there.surplus.size() < MAX_STRAYS && there.surplus.add(id);
    }

    /** Whether the worker runs but does not count, and may still register. */
    public boolean isSurplus(WorkerId id) {
        return connected.values().stream().anyMatch(there -> there.surplus.contains(id));
    }

    /** A worker that did not count has registered: its backend counts it, so it counts here too. */
    public void registered(WorkerEntry worker) {
        Connected there = connected.get(worker.backend);
        if (there != null && there.surplus.remove(worker.id())) {
            there.survivors.add(worker.id());
            workers.launched(worker, true);
            dropExcess(worker.backend, worker.spec);
            changes.mark(Change.DEMAND);
        }
    }

    /** A pending worker beyond the maximum of its spec would never be started. */
    private void dropExcess(String backend, String specName) {
        String kind = WorkerEntry.kind(backend, specName);
        spec(backend, specName)
                .filter(spec -> workers.ofSpec(kind).own() > spec.maximum())
                .flatMap(spec -> workers.openPending(kind, pending -> pending.planned() == 0)
                        .or(() -> workers.openPending(kind, pending -> true)))
                .ifPresent(pending -> {
                    workers.remove(pending);
                    changes.mark(Change.CLUSTER);
                });
    }

    /** Its time to register is over. */
    public void stopSurplus(String backend, WorkerId id) {
        Connected there = connected.get(backend);
        if (there != null && there.surplus.remove(id) && workers.find(id).isEmpty()) {
            there.unwanted.add(id);
        }
        changes.mark(Change.DEMAND);
    }

    private Optional<WorkerEntry> running(String backend, WorkerId id, WorkerSpec named, boolean survivor) {
        Optional<WorkerSpec> offered = spec(backend, named.name());
        if (offered.isEmpty()) {
            refuse(backend, id, "it offers no spec " + named.name());
            return Optional.empty();
        }
        WorkerSpec spec = offered.get();
        if (!survivor) {
            startFailures.remove(WorkerEntry.kind(backend, spec.name()));
        }
        Optional<WorkerEntry> there = workers.find(id);
        if (there.isPresent()) {
            if (!there.get().backend.equals(backend)) {
                refuse(backend, id, "it is a worker of backend " + there.get().backend);
                return Optional.empty();
            }
            workers.launched(there.get(), true);
            return there;
        }
        Optional<WorkerEntry> open = workers.openPending(WorkerEntry.kind(backend, spec.name()), worker -> true);
        if (open.isEmpty() && left(backend, spec) == 0) {
            refuse(
                    backend,
                    id,
                    "all " + spec.maximum() + " of spec " + spec.name()
                            + " exist, or the limit of the cluster is reached");
            if (!survivor) {
                stray(backend, id);
            }
            return Optional.empty();
        }
        WorkerEntry worker = open.orElseGet(() -> pending(backend, spec));
        workers.rename(worker, id, true);
        workers.launched(worker, true);
        return Optional.of(worker);
    }

    private void refuse(String backend, WorkerId id, String cause) {
        Connected there = connected.get(backend);
        if (there == null) {
            return;
        }
        if (there.refused++ == 0) {
            LOG.warn(
                    "backend {}: its report that worker {} was started has no effect: {}; later ones are not logged",
                    backend,
                    id,
                    cause);
        }
    }

    /** A process of the backend ended. */
    public void ended(String backend, WorkerId id) {
        Optional.ofNullable(connected.get(backend)).ifPresent(there -> {
            there.unwanted.remove(id);
            there.survivors.remove(id);
            there.surplus.remove(id);
        });
    }

    /** Whether the worker was started in an earlier term, according to its backend. */
    public boolean isPreviousWorker(WorkerEntry worker) {
        return Optional.ofNullable(connected.get(worker.backend))
                .filter(there -> there.survivors.contains(worker.id()))
                .isPresent();
    }

    /** The process of a pending worker will not register; the worker waits for another one. */
    public void reopen(WorkerEntry worker) {
        workers.rename(worker, nextPendingId(worker.backend), false);
        workers.launched(worker, false);
    }

    /** @return false if the last start failed in the same way, or if the backend does not offer the spec */
    public boolean startFailed(String backend, WorkerSpec spec, String diagnostics) {
        changes.mark(Change.REASONS);
        return spec(backend, spec.name()).isPresent()
                && !diagnostics.equals(startFailures.put(WorkerEntry.kind(backend, spec.name()), diagnostics));
    }

    /** Requests to the backend are paused. Its own last failure of a spec is kept, because it says more. */
    public void paused(String backend, String why) {
        Optional.ofNullable(connected.get(backend))
                .ifPresent(there -> there.handle
                        .specs()
                        .forEach(spec -> startFailures.putIfAbsent(WorkerEntry.kind(backend, spec.name()), why)));
        changes.mark(Change.REASONS);
        changes.mark(Change.DEMAND);
    }

    /** Why workers of a spec, as BACKEND/SPEC, do not start. */
    public Optional<String> startFailure(String key) {
        return Optional.ofNullable(startFailures.get(key));
    }

    /** The worker is no longer needed, or hangs: its backend must stop the process. */
    public void unwanted(WorkerEntry worker) {
        if (worker.launched()) {
            Optional.ofNullable(connected.get(worker.backend)).ifPresent(there -> there.unwanted.add(worker.id()));
            changes.mark(Change.DEMAND);
        } else {
            stray(worker.backend, worker.id());
        }
    }

    /** Whether the backend must stop the process of the worker: the worker must not be used again. */
    public boolean ends(String backend, WorkerId worker) {
        return Optional.ofNullable(connected.get(backend))
                .filter(there -> there.unwanted.contains(worker))
                .isPresent();
    }

    /** An unwanted process that the backend may know: from an earlier term, or from a report without effect. */
    public void stray(String backend, WorkerId worker) {
        Connected there = connected.get(backend);
        if (there != null && there.strays.size() < MAX_STRAYS) {
            there.strays.add(worker);
        }
        changes.mark(Change.DEMAND);
    }

    /**
     * Whether the worker is kept although nothing needs it: for the minimum of its spec, for the minimum of the
     * cluster, or as redundant capacity. Own workers count before those of an earlier term. One of an earlier term that
     * has not registered yet is kept until its time to register is over.
     */
    public boolean kept(WorkerEntry worker) {
        if (worker.state() == WorkerEntry.State.PENDING && isPreviousWorker(worker)) {
            return true;
        }
        Optional<WorkerSpec> spec = spec(worker.backend, worker.spec);
        SpecWorkers ofSpec = workers.ofSpec(worker.kind);
        boolean own = worker.state() == WorkerEntry.State.PENDING || worker.launched();
        if (spec.filter(offered -> (own ? ofSpec.own() : ofSpec.staying()) <= offered.minimum())
                .isPresent()) {
            return true;
        }
        ClusterLimits limits = settings.get().limits();
        return limits.tooSmall(workers.sums(), worker.total())
                || limits.redundantWorkers() > 0
                        && !worker.blocked()
                        && limits.tooFull(workers.sums(), worker.unused(), largest());
    }

    private ResourceProfile largest() {
        return specs().stream()
                .reduce((one, other) -> other)
                .map(SpecColumn::total)
                .orElse(ResourceProfile.ZERO);
    }

    /** During recovery no worker is requested, because workers of an earlier term may register. */
    public void recovering(boolean value) {
        recovering = value;
        changes.mark(Change.DEMAND);
    }

    /** Sends each backend what is needed now, if that changed. */
    public void declare() {
        if (stopped) {
            return;
        }
        if (recovering) {
            connected.forEach(WorkerDemand::greet);
            return;
        }
        connected.forEach((name, there) -> there.handle.specs().forEach(spec -> {
            while (workers.ofSpec(WorkerEntry.kind(name, spec.name())).staying() < spec.minimum()
                    && left(name, spec) > 0) {
                pending(name, spec);
            }
        }));
        keepLimits();
        connected.forEach((name, there) -> {
            SortedMap<String, Integer> needed = new TreeMap<>();
            for (WorkerSpec spec : there.handle.specs()) {
                SpecWorkers ofSpec = workers.ofSpec(WorkerEntry.kind(name, spec.name()));
                int own = failures.paused(name) ? ofSpec.own() - ofSpec.open() : ofSpec.own();
                needed.put(spec.name(), Math.min(own, spec.maximum()));
            }
            send(name, there, new WorkerDeclaration(needed, List.copyOf(there.unwanted)));
        });
    }

    /** The first declaration requests nothing: the backend answers with the workers of earlier terms that run. */
    private static void greet(String name, Connected there) {
        if (there.declared.isEmpty()) {
            SortedMap<String, Integer> none = new TreeMap<>();
            there.handle.specs().forEach(spec -> none.put(spec.name(), 0));
            send(name, there, new WorkerDeclaration(none, List.of()));
        }
    }

    /** Opens the smallest workers for the minimum of the cluster, and the largest as redundant capacity. */
    private void keepLimits() {
        ClusterLimits limits = settings.get().limits();
        while (limits.tooSmall(workers.sums(), ResourceProfile.ZERO)) {
            Optional<SpecColumn> smallest =
                    specs().stream().filter(spec -> spec.left() > 0).findFirst();
            if (smallest.isEmpty()) {
                break;
            }
            open(smallest.get().backend(), smallest.get().spec());
        }
        while (limits.redundantWorkers() > 0 && limits.tooFull(workers.sums(), ResourceProfile.ZERO, largest())) {
            Optional<SpecColumn> largest =
                    specs().stream().filter(spec -> spec.left() > 0).reduce((one, other) -> other);
            if (largest.isEmpty()) {
                break;
            }
            open(largest.get().backend(), largest.get().spec());
        }
    }

    /** Declares that nothing is needed: workers that end are not replaced. */
    public void stop() {
        stopped = true;
        for (Map.Entry<String, Connected> entry : connected.entrySet()) {
            send(entry.getKey(), entry.getValue(), new WorkerDeclaration(new TreeMap<>(), List.of()));
        }
    }

    private static void send(String name, Connected there, WorkerDeclaration declaration) {
        if (there.handle.specs().isEmpty()
                || there.strays.isEmpty()
                        && there.declared.filter(declaration::equals).isPresent()) {
            return;
        }
        there.declared = Optional.of(declaration);
        List<WorkerId> unwanted = new ArrayList<>(declaration.unwanted());
        unwanted.addAll(there.strays);
        there.strays.clear();
        LOG.debug("backend {}: needed {}, unwanted {}", name, declaration.needed(), unwanted);
        there.handle.declare(new WorkerDeclaration(declaration.needed(), unwanted));
    }
}
