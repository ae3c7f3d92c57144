package io.berth.core.resources.backends;

import io.berth.core.api.gateway.ClusterDetails.SpecDetails;
import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.policy.BackendHost.BackendHandle;
import io.berth.core.api.policy.PlanningInput.Origin;
import io.berth.core.api.policy.PlanningInput.SpecColumn;
import io.berth.core.api.policy.PoolDefinition;
import io.berth.core.resources.backends.ConnectedBackend.Offer;
import io.berth.core.resources.settings.ResourceSettings;
import io.berth.core.resources.state.Changes;
import io.berth.core.resources.state.Changes.Change;
import io.berth.core.resources.state.WorkerEntry;
import io.berth.core.resources.state.WorkerRegistry;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import io.berth.spi.backend.WorkerSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
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

    private final WorkerRegistry workers;
    private final StartFailures failures;
    private final SpecStarts starts;
    private final Changes changes;
    private final SortedMap<String, ConnectedBackend> connected = new TreeMap<>();
    private final SpecOffers offers;
    private final SpecReports reports;
    private final Declarations declarations;
    private long pendingCount;

    public WorkerDemand(
            WorkerRegistry workers,
            StartFailures failures,
            SpecStarts starts,
            Supplier<ResourceSettings> settings,
            Changes changes) {
        this.workers = workers;
        this.changes = changes;
        this.failures = failures;
        this.starts = starts;
        offers = new SpecOffers(connected, workers, starts, settings);
        reports = new SpecReports(connected, offers, workers, starts, changes);
        declarations = new Declarations(connected, offers, workers, failures, starts, settings, this::request);
    }

    public void add(BackendHandle backend) {
        if (connected.containsKey(backend.name())) {
            forgetWorkers(backend.name());
        }
        ConnectedBackend there = new ConnectedBackend(backend);
        connected.put(backend.name(), there);
        workers.specCosts(there.costs());
        failures.forget(backend.name());
        starts.forgetBackend(backend.name());
        changes.mark(Change.POLICY);
        changes.mark(Change.DEMAND);
    }

    /** Returns false if another backend uses the name. */
    public boolean remove(BackendHandle backend) {
        ConnectedBackend there = connected.get(backend.name());
        if (there == null || there.handle != backend) {
            return false;
        }
        connected.remove(backend.name());
        forgetWorkers(backend.name());
        starts.forgetBackend(backend.name());
        changes.mark(Change.POLICY);
        return true;
    }

    /**
     * The backend offers other specs. Requests that its cluster manager has not granted are withdrawn where they would
     * not be granted any longer, or would bring another kind of worker. Workers that exist stay, with the labels that
     * they started with, and cost what their spec costs now.
     *
     * @return false if nothing changes
     */
    public boolean specsChanged(BackendHandle backend) {
        List<WorkerSpec> specs = backend.specs();
        ConnectedBackend there = connected.get(backend.name());
        if (there == null || there.handle != backend || there.specs().equals(specs)) {
            return false;
        }
        List<Offer> before = new ArrayList<>();
        there.offers().forEach(before::add);
        SortedMap<String, Double> costs = there.costs();
        there.specs(specs);
        if (!costs.equals(there.costs())) {
            workers.specCosts(there.costs());
        }
        for (Offer old : before) {
            Optional<WorkerSpec> now = there.offer(old.spec().name()).map(Offer::spec);
            if (now.filter(old::sameWorkers).isEmpty()) {
                reports.withdrawOpen(old.kind());
                starts.forget(old.kind());
                // Those that were granted before are still of the former kind.
                workers.all().stream()
                        .filter(worker -> worker.kind.equals(old.kind()))
                        .forEach(starts.times()::notRequested);
            } else if (now.get().maximum() != old.spec().maximum()) {
                starts.forgetFailures(old.kind());
                while (dropExcess(backend.name(), old.spec().name())) {
                    LOG.debug("a request for a worker of {} is withdrawn: its maximum is lower", old.kind());
                }
            }
        }
        changes.mark(Change.POLICY);
        changes.mark(Change.DEMAND);
        changes.mark(Change.REASONS);
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

    /** What backends report about starts of their specs. */
    public SpecReports reports() {
        return reports;
    }

    /** The pools that there are from now on, in their order. */
    public void pools(List<PoolDefinition> now) {
        offers.pools(now);
    }

    /** The pools that there are, in their order. */
    public List<PoolDefinition> pools() {
        return offers.pools();
    }

    public Optional<PoolDefinition> pool(String name) {
        return offers.pool(name);
    }

    /** The specs whose workers belong to a pool, the smallest first; none if no workers may be started for it. */
    public List<SpecColumn> specs(String pool) {
        return offers.columns(pool);
    }

    /** The specs whose workers belong to a pool, for users. */
    public List<SpecDetails> specDetails(String pool) {
        return offers.details(pool);
    }

    /**
     * The specs of a pool with shares of the limits of the cluster and the pool, so that all may be started together. The favored spec gets its share
     * first, then the largest.
     *
     * @param favored index from the largest, which is 0
     */
    public List<SpecColumn> specsWithinLimits(String pool, int favored) {
        return offers.withinLimits(pool, favored);
    }

    /** Adds a pending worker of the spec; empty if the limit is reached, or if the spec is not as it was planned. */
    public Optional<WorkerEntry> open(String pool, SpecColumn planned) {
        return offered(planned)
                .filter(offer -> offers.startable(offer) > 0
                        && offers.poolOf(offer.labels()).equals(pool))
                .map(this::request);
    }

    /** Whether no worker of the spec can be opened because a limit is reached. A spec that is paused has none. */
    public boolean isAtLimit(SpecColumn planned) {
        return offered(planned)
                .filter(offer -> !starts.paused(offer.kind()) && offers.left(offer) == 0)
                .isPresent();
    }

    private Optional<Offer> offered(SpecColumn planned) {
        return offers.find(planned.backend(), planned.spec())
                .filter(offer -> offer.spec().total().equals(planned.total())
                        && offer.labels().equals(planned.labels())
                        && offer.spec()
                                .total()
                                .dividedBy(offer.spec().defaultSlots())
                                .equals(planned.defaultSlot()));
    }

    private WorkerEntry request(Offer offer) {
        WorkerEntry worker = pending(offer);
        requested(worker);
        return worker;
    }

    /** It is, with the next declaration, unless requests are paused: then nobody knows when it will be. */
    private void requested(WorkerEntry worker) {
        if (failures.paused(worker.backend)) {
            starts.times().notRequested(worker);
        } else {
            starts.times().requested(worker);
        }
    }

    private WorkerEntry pending(Offer offer) {
        WorkerSpec spec = offer.spec();
        return workers.add(
                nextPendingId(offer.origin().backend()),
                offer.origin(),
                spec.total(),
                spec.defaultSlots(),
                new WorkerLabels(spec.labels(), spec.taints()));
    }

    /** Where a worker comes from that registers unannounced. */
    public Origin origin(String backend, String spec) {
        return offers.find(backend, spec).map(Offer::origin).orElseGet(() -> new Origin(backend, spec, 0));
    }

    /** What a worker of a spec has; empty if the backend does not offer the spec. */
    public Optional<ResourceProfile> size(String backend, String spec) {
        return offers.find(backend, spec).map(offer -> offer.spec().total());
    }

    private WorkerId nextPendingId(String backend) {
        return new WorkerId("pending-" + backend + "-" + ++pendingCount);
    }

    /**
     * The backend started a worker, for a pending one or unasked. A worker beyond its offers has no effect, because it
     * would count as capacity.
     */
    public Optional<WorkerEntry> started(String backend, WorkerId id, String named) {
        return running(backend, id, named, false);
    }

    /**
     * A worker of an earlier term still runs. It counts as one that was started now, and is kept until it registers or
     * is given up. One beyond the limit has no effect either, but it may have slots, so it gets time to register before
     * it is stopped.
     */
    public Optional<WorkerEntry> survived(String backend, WorkerId id, String named) {
        Optional<WorkerEntry> worker = running(backend, id, named, true);
        worker.ifPresent(there ->
                Objects.requireNonNull(connected.get(backend)).survivors.add(id));
        return worker;
    }

    /** @return whether the worker, which does not count, must be stopped later unless it registers */
    public boolean surplus(String backend, WorkerId id) {
        ConnectedBackend there = connected.get(backend);
        return there != null && there.surplus.size() < MAX_STRAYS && there.surplus.add(id);
    }

    /** Whether the worker runs but does not count, and may still register. */
    public boolean isSurplus(WorkerId id) {
        return connected.values().stream().anyMatch(there -> there.surplus.contains(id));
    }

    /** A worker that did not count has registered: its backend counts it, so it counts here too. */
    public void registered(WorkerEntry worker) {
        ConnectedBackend there = connected.get(worker.backend);
        if (there != null && there.surplus.remove(worker.id())) {
            there.survivors.add(worker.id());
            workers.launched(worker, true);
            dropExcess(worker.backend, worker.spec);
            changes.mark(Change.DEMAND);
        }
    }

    /** A pending worker beyond the maximum of its spec would never be started. */
    private boolean dropExcess(String backend, String specName) {
        String kind = WorkerEntry.kind(backend, specName);
        Optional<WorkerEntry> excess = offers.find(backend, specName)
                .filter(offer -> workers.ofSpec(kind).own() > offer.spec().maximum())
                .flatMap(offer -> workers.openPending(kind, pending -> pending.planned() == 0)
                        .or(() -> workers.openPending(kind, pending -> true)));
        excess.ifPresent(pending -> {
            workers.remove(pending);
            changes.mark(Change.CLUSTER);
        });
        return excess.isPresent();
    }

    /** Its time to register is over. */
    public void stopSurplus(String backend, WorkerId id) {
        ConnectedBackend there = connected.get(backend);
        if (there != null && there.surplus.remove(id) && workers.find(id).isEmpty()) {
            there.unwanted.add(id);
        }
        changes.mark(Change.DEMAND);
    }

    private Optional<WorkerEntry> running(String backend, WorkerId id, String named, boolean survivor) {
        Optional<Offer> offered = offers.find(backend, named);
        if (!survivor) {
            offered.ifPresent(offer -> starts.started(offer.kind()));
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
        if (offered.isEmpty()) {
            refuse(backend, id, "it offers no spec " + named);
            if (!survivor) {
                stray(backend, id);
            }
            return Optional.empty();
        }
        Offer offer = offered.get();
        Optional<WorkerEntry> open = workers.openPending(offer.kind(), worker -> true);
        if (open.isEmpty() && offers.left(offer) == 0) {
            refuse(
                    backend,
                    id,
                    "all " + offer.spec().maximum() + " of spec " + named
                            + " exist, or the limit of the cluster is reached");
            if (!survivor) {
                stray(backend, id);
            }
            return Optional.empty();
        }
        WorkerEntry worker = open.orElseGet(() -> pending(offer));
        workers.rename(worker, id, true);
        workers.launched(worker, true);
        return Optional.of(worker);
    }

    private void refuse(String backend, WorkerId id, String cause) {
        ConnectedBackend there = connected.get(backend);
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

    /**
     * The process of a pending worker will not register. The worker waits for another one; it is removed if none can be
     * requested that is like it.
     */
    public void reopen(WorkerEntry worker) {
        boolean possible = offers.find(worker.backend, worker.spec)
                .filter(offer -> offer.spec().total().equals(worker.total())
                        && offer.labels().equals(worker.labels())
                        && !starts.paused(offer.kind())
                        && offers.poolAllows(offer)
                        && workers.ofSpec(offer.kind()).own() <= offer.spec().maximum())
                .isPresent();
        if (possible) {
            workers.rename(worker, nextPendingId(worker.backend), false);
            workers.launched(worker, false);
            requested(worker);
        } else {
            workers.remove(worker);
        }
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
        ConnectedBackend there = connected.get(backend);
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
        return worker.leaving().isEmpty() && declarations.kept(worker);
    }

    /** During recovery no worker is requested, because workers of an earlier term may register. */
    public void recovering(boolean value) {
        declarations.recovering(value);
        changes.mark(Change.DEMAND);
    }

    /** Sends each backend what is needed now, if that changed. */
    public void declare() {
        declarations.declare();
    }

    /** Declares that nothing is needed: workers that end are not replaced. */
    public void stop() {
        declarations.stop();
    }
}
