package io.berth.core.resources.backends;

import io.berth.core.api.gateway.ClusterDetails.SpecDetails;
import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.policy.PlanningInput.SpecColumn;
import io.berth.core.api.policy.PoolDefinition;
import io.berth.core.resources.backends.ConnectedBackend.Offer;
import io.berth.core.resources.settings.ClusterLimits;
import io.berth.core.resources.settings.ResourceSettings;
import io.berth.core.resources.state.ClusterSums;
import io.berth.core.resources.state.WorkerRegistry;
import io.berth.spi.ResourceProfile;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Supplier;

/** The specs of all connected backends, and how many workers of each may be started. Confined to the main thread. */
final class SpecOffers {

    private static final Comparator<SpecColumn> BY_SIZE = Comparator.<SpecColumn>comparingLong(
                    spec -> spec.total().cpuMillis())
            .thenComparingLong(spec -> ClusterSums.memory(spec.total()));

    private final SortedMap<String, ConnectedBackend> connected;
    private final WorkerRegistry workers;
    private final SpecStarts starts;
    private final Supplier<ResourceSettings> settings;
    private List<PoolDefinition> pools = List.of(PoolDefinition.DEFAULT);

    SpecOffers(
            SortedMap<String, ConnectedBackend> connected,
            WorkerRegistry workers,
            SpecStarts starts,
            Supplier<ResourceSettings> settings) {
        this.connected = connected;
        this.workers = workers;
        this.starts = starts;
        this.settings = settings;
    }

    /** The pools that there are from now on, in their order. */
    void pools(List<PoolDefinition> now) {
        pools = List.copyOf(now);
    }

    List<PoolDefinition> pools() {
        return pools;
    }

    Optional<PoolDefinition> pool(String name) {
        return pools.stream().filter(pool -> pool.name().equals(name)).findFirst();
    }

    /** The pool that new workers with these labels belong to. */
    String poolOf(WorkerLabels labels) {
        return pools.size() == 1 ? PoolDefinition.DEFAULT_NAME : PoolDefinition.of(labels, pools);
    }

    boolean startsWorkers(String pool) {
        return pool(pool).filter(PoolDefinition::startsWorkers).isPresent();
    }

    ClusterLimits limits(String pool) {
        return pool(pool).map(there -> ClusterLimits.of(there.limits())).orElse(ClusterLimits.NONE);
    }

    Optional<Offer> find(String backend, String spec) {
        return Optional.ofNullable(connected.get(backend)).flatMap(there -> there.offer(spec));
    }

    /** Those whose workers belong to a pool, the smallest first; none if no workers may be started for it. */
    List<SpecColumn> columns(String pool) {
        return startsWorkers(pool)
                ? columns().stream()
                        .filter(spec -> poolOf(spec.labels()).equals(pool))
                        .toList()
                : List.of();
    }

    /** Those of pools for which workers may be started, the smallest first. */
    List<SpecColumn> ofAllPools() {
        return columns().stream()
                .filter(spec -> startsWorkers(poolOf(spec.labels())))
                .toList();
    }

    private List<SpecColumn> columns() {
        List<SpecColumn> columns = new ArrayList<>();
        for (ConnectedBackend there : connected.values()) {
            for (var spec : there.specs()) {
                Offer offer = there.offer(spec.name()).orElseThrow();
                columns.add(new SpecColumn(
                        offer.origin(),
                        spec.total(),
                        spec.total().dividedBy(spec.defaultSlots()),
                        startable(offer),
                        offer.labels(),
                        startMillis(offer)));
            }
        }
        columns.sort(BY_SIZE);
        return columns;
    }

    /** What the backend says, or else what was measured; 0 if it is not known. */
    private long startMillis(Offer offer) {
        long stated = offer.spec().startMillis();
        return stated > 0 ? stated : starts.times().usualMillis(offer.kind());
    }

    /** Those whose workers belong to a pool, for users: by backend and name. */
    List<SpecDetails> details(String pool) {
        List<SpecDetails> details = new ArrayList<>();
        for (ConnectedBackend there : connected.values()) {
            for (Offer offer : there.offers()) {
                if (poolOf(offer.labels()).equals(pool)) {
                    details.add(details(offer));
                }
            }
        }
        return details;
    }

    private SpecDetails details(Offer offer) {
        boolean stated = offer.spec().startMillis() > 0;
        return new SpecDetails(
                offer.origin().backend(),
                offer.origin().spec(),
                offer.spec().total().toString(),
                offer.spec().defaultSlots(),
                workers.ofSpec(offer.kind()).all(),
                offer.spec().maximum(),
                offer.spec().costPerHour(),
                startMillis(offer),
                stated ? 0 : starts.times().learnedFrom(offer.kind()));
    }

    /** Those of a pool with shares of the limits of cluster and pool, so that all may be started together. See {@link WorkerDemand}. */
    List<SpecColumn> withinLimits(String pool, int favored) {
        List<SpecColumn> specs = columns(pool);
        if (specs.isEmpty()) {
            return specs;
        }
        List<SpecColumn> order = new ArrayList<>(specs);
        Collections.reverse(order);
        order.add(0, order.remove(favored % order.size()));
        List<ResourceProfile> sizes = order.stream().map(SpecColumn::total).toList();
        List<Integer> ofCluster = settings.get()
                .limits()
                .share(
                        workers.sums(),
                        sizes,
                        order.stream().map(SpecColumn::left).toList());
        List<Integer> shares = limits(pool).share(workers.ofPool(pool).sums(), sizes, ofCluster);
        List<SpecColumn> within = new ArrayList<>();
        for (SpecColumn spec : specs) {
            within.add(spec.withLeft(shares.get(order.indexOf(spec))));
        }
        return within;
    }

    /** How many more workers of the spec may exist. */
    int left(Offer offer) {
        int ofSpec = offer.spec().maximum() - workers.ofSpec(offer.kind()).all();
        ResourceProfile total = offer.spec().total();
        int ofCluster = settings.get().limits().room(workers.sums(), total);
        String pool = poolOf(offer.labels());
        int ofPool = limits(pool).room(workers.ofPool(pool).sums(), total);
        return Math.max(0, Math.min(ofSpec, Math.min(ofCluster, ofPool)));
    }

    /** Whether the settings of the pool allow the requests for workers of the spec that there are. */
    boolean poolAllows(Offer offer) {
        String pool = poolOf(offer.labels());
        return startsWorkers(pool)
                && !limits(pool).isExceeded(workers.ofPool(pool).sums());
    }

    /** How many more workers of the spec may be requested now. */
    int startable(Offer offer) {
        return starts.paused(offer.kind()) ? 0 : left(offer);
    }

    /** Of the largest worker that may be started. */
    ResourceProfile largest() {
        List<SpecColumn> specs = ofAllPools();
        return specs.isEmpty()
                ? ResourceProfile.ZERO
                : specs.get(specs.size() - 1).total();
    }
}
