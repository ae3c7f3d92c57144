package io.berth.core.resources.backends;

import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.policy.BackendHost.BackendHandle;
import io.berth.core.api.policy.PlanningInput.Origin;
import io.berth.spi.WorkerId;
import io.berth.spi.backend.WorkerDeclaration;
import io.berth.spi.backend.WorkerSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A backend, what it offers, the workers that it must stop, and the last declaration. Confined to the main thread. */
final class ConnectedBackend {

    private static final Logger LOG = LoggerFactory.getLogger(ConnectedBackend.class);

    final BackendHandle handle;
    final SortedSet<WorkerId> unwanted = new TreeSet<>();
    /** Also unwanted, but listed only once: the backend may not know them. */
    final SortedSet<WorkerId> strays = new TreeSet<>();
    /** Started in an earlier term, according to the backend. */
    final SortedSet<WorkerId> survivors = new TreeSet<>();
    /** Survivors that do not count, because the limit is reached or their spec is no longer offered. */
    final SortedSet<WorkerId> surplus = new TreeSet<>();
    /** Number of reports without effect. */
    long refused;

    private List<WorkerSpec> specs = List.of();
    private final SortedMap<String, Offer> offers = new TreeMap<>();
    private Optional<WorkerDeclaration> declared = Optional.empty();

    /**
     * A spec that the backend offers.
     *
     * @param kind BACKEND/SPEC
     * @param labels of new workers
     */
    record Offer(String kind, WorkerSpec spec, Origin origin, WorkerLabels labels) {

        /** Whether workers of the other spec would be the same. A price does not matter. */
        boolean sameWorkers(WorkerSpec other) {
            return spec.total().equals(other.total())
                    && spec.defaultSlots() == other.defaultSlots()
                    && spec.labels().equals(other.labels())
                    && spec.taints().equals(other.taints())
                    && spec.preemptible() == other.preemptible();
        }
    }

    ConnectedBackend(BackendHandle handle) {
        this.handle = handle;
        specs(handle.specs());
    }

    void specs(List<WorkerSpec> offered) {
        specs = List.copyOf(offered);
        offers.clear();
        for (WorkerSpec spec : specs) {
            offers.put(spec.name(), offer(spec));
        }
    }

    private Offer offer(WorkerSpec spec) {
        Origin origin = new Origin(handle.name(), spec.name(), spec.costPerHour(), spec.preemptible());
        WorkerLabels labels = new WorkerLabels(spec.labels(), spec.taints())
                .from(origin.backend(), origin.spec(), origin.preemptible());
        return new Offer(handle.name() + "/" + spec.name(), spec, origin, labels);
    }

    List<WorkerSpec> specs() {
        return specs;
    }

    /** By name of the spec. */
    Iterable<Offer> offers() {
        return offers.values();
    }

    /** What a worker of each spec costs, by BACKEND/SPEC. */
    SortedMap<String, Double> costs() {
        SortedMap<String, Double> costs = new TreeMap<>();
        offers.values().forEach(offer -> costs.put(offer.kind(), offer.spec().costPerHour()));
        return costs;
    }

    Optional<Offer> offer(String spec) {
        return Optional.ofNullable(offers.get(spec));
    }

    boolean isDeclared() {
        return declared.isPresent();
    }

    /** Sends the declaration with the strays, unless nothing is new. */
    void send(SortedMap<String, Integer> needed) {
        WorkerDeclaration declaration = WorkerDeclaration.builder()
                .needed(needed)
                .unwanted(List.copyOf(unwanted))
                .build();
        if (strays.isEmpty() && declared.filter(declaration::equals).isPresent()) {
            return;
        }
        declared = Optional.of(declaration);
        List<WorkerId> all = new ArrayList<>(declaration.unwanted());
        all.addAll(strays);
        strays.clear();
        LOG.debug("backend {}: needed {}, unwanted {}", handle.name(), needed, all);
        handle.declare(WorkerDeclaration.builder().needed(needed).unwanted(all).build());
    }
}
