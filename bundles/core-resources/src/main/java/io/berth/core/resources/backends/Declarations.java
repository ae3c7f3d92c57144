package io.berth.core.resources.backends;

import io.berth.core.api.policy.PlanningInput.SpecColumn;
import io.berth.core.api.policy.PoolDefinition;
import io.berth.core.resources.backends.ConnectedBackend.Offer;
import io.berth.core.resources.settings.ClusterLimits;
import io.berth.core.resources.settings.ResourceSettings;
import io.berth.core.resources.state.SpecWorkers;
import io.berth.core.resources.state.WorkerEntry;
import io.berth.core.resources.state.WorkerRegistry;
import io.berth.spi.ResourceProfile;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** What is declared to backends, and which workers are kept although nothing needs them. Confined to the main thread. */
final class Declarations {

    private final SortedMap<String, ConnectedBackend> connected;
    private final SpecOffers offers;
    private final WorkerRegistry workers;
    private final StartFailures failures;
    private final SpecStarts starts;
    private final Supplier<ResourceSettings> settings;
    private final Consumer<Offer> open;
    private boolean recovering;
    private boolean stopped;

    /** @param open adds a pending worker */
    Declarations(
            SortedMap<String, ConnectedBackend> connected,
            SpecOffers offers,
            WorkerRegistry workers,
            StartFailures failures,
            SpecStarts starts,
            Supplier<ResourceSettings> settings,
            Consumer<Offer> open) {
        this.connected = connected;
        this.offers = offers;
        this.workers = workers;
        this.failures = failures;
        this.starts = starts;
        this.settings = settings;
        this.open = open;
    }

    /** See {@link WorkerDemand#kept}. */
    boolean kept(WorkerEntry worker) {
        Optional<Offer> offer = offers.find(worker.backend, worker.spec);
        SpecWorkers ofSpec = workers.ofSpec(worker.kind);
        boolean own = worker.state() == WorkerEntry.State.PENDING || worker.launched();
        if (offer.filter(offered -> (own ? ofSpec.own() : ofSpec.staying())
                        <= offered.spec().minimum())
                .isPresent()) {
            return true;
        }
        ClusterLimits limits = settings.get().limits();
        return limits.tooSmall(workers.sums(), worker.total())
                || limitsOf(worker).tooSmall(worker.pool().sums(), worker.total())
                || limits.redundantWorkers() > 0
                        && !worker.blocked()
                        && limits.tooFull(workers.sums(), worker.unused(), offers.largest());
    }

    /** Those that keep the worker: none for a worker that was not started yet and must not be. */
    private ClusterLimits limitsOf(WorkerEntry worker) {
        String pool = worker.pool().name();
        return worker.state() != WorkerEntry.State.PENDING || offers.startsWorkers(pool)
                ? offers.limits(pool)
                : ClusterLimits.NONE;
    }

    void recovering(boolean value) {
        recovering = value;
    }

    /** Sends each backend what is needed now, if that changed. */
    void declare() {
        if (stopped) {
            return;
        }
        if (recovering) {
            connected.values().forEach(Declarations::greet);
            return;
        }
        for (ConnectedBackend there : connected.values()) {
            for (Offer offer : there.offers()) {
                while (workers.ofSpec(offer.kind()).staying() < offer.spec().minimum() && offers.startable(offer) > 0) {
                    open.accept(offer);
                }
            }
        }
        keepLimits();
        connected.values().forEach(there -> there.send(needed(there)));
    }

    private SortedMap<String, Integer> needed(ConnectedBackend there) {
        SortedMap<String, Integer> needed = new TreeMap<>();
        boolean allPaused = failures.paused(there.handle.name());
        for (Offer offer : there.offers()) {
            SpecWorkers ofSpec = workers.ofSpec(offer.kind());
            int requested = allPaused || starts.paused(offer.kind()) ? 0 : ofSpec.open();
            if (requested == 0) {
                starts.notRequested(offer.kind());
            }
            int own = ofSpec.own() - ofSpec.open() + requested;
            needed.put(offer.spec().name(), Math.min(own, offer.spec().maximum()));
        }
        return needed;
    }

    /** The first declaration requests nothing: the backend answers with the workers of earlier terms that run. */
    private static void greet(ConnectedBackend there) {
        if (!there.isDeclared()) {
            SortedMap<String, Integer> none = new TreeMap<>();
            there.specs().forEach(spec -> none.put(spec.name(), 0));
            there.send(none);
        }
    }

    /** Opens the smallest workers for the minimum of the cluster, and the largest as redundant capacity. */
    private void keepLimits() {
        ClusterLimits limits = settings.get().limits();
        while (limits.tooSmall(workers.sums(), ResourceProfile.ZERO)) {
            Optional<SpecColumn> smallest =
                    offers.ofAllPools().stream().filter(spec -> spec.left() > 0).findFirst();
            if (smallest.isEmpty()) {
                break;
            }
            open(smallest.get());
        }
        for (PoolDefinition pool : offers.pools()) {
            while (offers.limits(pool.name())
                    .tooSmall(workers.ofPool(pool.name()).sums(), ResourceProfile.ZERO)) {
                Optional<SpecColumn> smallest = offers.columns(pool.name()).stream()
                        .filter(spec -> spec.left() > 0)
                        .findFirst();
                if (smallest.isEmpty()) {
                    break;
                }
                open(smallest.get());
            }
        }
        while (limits.redundantWorkers() > 0
                && limits.tooFull(workers.sums(), ResourceProfile.ZERO, offers.largest())) {
            Optional<SpecColumn> largest =
                    offers.ofAllPools().stream().filter(spec -> spec.left() > 0).reduce((one, other) -> other);
            if (largest.isEmpty()) {
                break;
            }
            open(largest.get());
        }
    }

    private void open(SpecColumn spec) {
        open.accept(offers.find(spec.backend(), spec.spec()).orElseThrow());
    }

    /** Declares that nothing is needed: workers that end are not replaced. */
    void stop() {
        stopped = true;
        connected.values().forEach(there -> {
            there.unwanted.clear();
            there.send(new TreeMap<>());
        });
    }
}
