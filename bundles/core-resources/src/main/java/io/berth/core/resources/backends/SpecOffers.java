package io.berth.core.resources.backends;

import io.berth.core.api.policy.PlanningInput.SpecColumn;
import io.berth.core.resources.backends.ConnectedBackend.Offer;
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

    Optional<Offer> find(String backend, String spec) {
        return Optional.ofNullable(connected.get(backend)).flatMap(there -> there.offer(spec));
    }

    /** The smallest first. */
    List<SpecColumn> columns() {
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
                        spec.startMillis()));
            }
        }
        columns.sort(BY_SIZE);
        return columns;
    }

    /** With shares of the cluster limits, so that all may be started together. See {@link WorkerDemand}. */
    List<SpecColumn> withinLimits(int favored) {
        List<SpecColumn> specs = columns();
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

    /** How many more workers of the spec may exist. */
    int left(Offer offer) {
        int ofSpec = offer.spec().maximum() - workers.ofSpec(offer.kind()).all();
        return Math.max(
                0,
                Math.min(
                        ofSpec,
                        settings.get()
                                .limits()
                                .room(workers.sums(), offer.spec().total())));
    }

    /** How many more workers of the spec may be requested now. */
    int startable(Offer offer) {
        return starts.paused(offer.kind()) ? 0 : left(offer);
    }

    /** Of the largest worker that may be started. */
    ResourceProfile largest() {
        List<SpecColumn> specs = columns();
        return specs.isEmpty()
                ? ResourceProfile.ZERO
                : specs.get(specs.size() - 1).total();
    }
}
