package io.berth.core.resources.backends;

import io.berth.core.resources.backends.ConnectedBackend.Offer;
import io.berth.core.resources.state.Changes;
import io.berth.core.resources.state.Changes.Change;
import io.berth.core.resources.state.WorkerEntry;
import io.berth.core.resources.state.WorkerRegistry;
import io.berth.spi.backend.StartFailure;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/** What backends report about starts of their specs, and what follows for requests. Confined to the main thread. */
public final class SpecReports {

    private static final Map<StartFailure.Kind, String> WORDS = new EnumMap<>(Map.of(
            StartFailure.Kind.NO_CAPACITY, "no capacity",
            StartFailure.Kind.QUOTA, "a quota is reached",
            StartFailure.Kind.REJECTED, "the cluster manager rejects it"));

    private final SortedMap<String, ConnectedBackend> connected;
    private final SpecOffers offers;
    private final WorkerRegistry workers;
    private final SpecStarts starts;
    private final Changes changes;

    SpecReports(
            SortedMap<String, ConnectedBackend> connected,
            SpecOffers offers,
            WorkerRegistry workers,
            SpecStarts starts,
            Changes changes) {
        this.connected = connected;
        this.offers = offers;
        this.workers = workers;
        this.starts = starts;
        this.changes = changes;
    }

    /** @return false if the backend does not offer the spec, or if the last start failed in the same way */
    public boolean startFailed(String backend, String spec, StartFailure failure) {
        Optional<Offer> offer = offers.find(backend, spec);
        if (offer.isEmpty()) {
            return false;
        }
        changes.mark(Change.REASONS);
        String text = failure.kind() == StartFailure.Kind.FAILED
                ? failure.diagnostics()
                : WORDS.get(failure.kind()) + ": " + failure.diagnostics();
        return starts.failed(offer.get().kind(), text);
    }

    /**
     * No worker of the spec is requested for some time, and requests that were not granted are withdrawn, so that other
     * specs are used.
     *
     * @return the length of the pause in milliseconds; 0 if the backend does not offer the spec
     */
    public long pause(String backend, String spec, StartFailure failure) {
        Optional<Offer> offer = offers.find(backend, spec);
        if (offer.isEmpty()) {
            return 0;
        }
        long millis = starts.pause(offer.get().kind(), failure);
        paused(offer.get());
        return millis;
    }

    private void paused(Offer offer) {
        withdrawOpen(offer.kind());
        changes.mark(Change.POLICY);
        changes.mark(Change.DEMAND);
    }

    /**
     * A worker registered with less than its spec has: a failed start, after which no worker of the spec is requested for
     * some time.
     *
     * @return the length of the pause in milliseconds; 0 if the backend does not offer the spec
     */
    public long cameSmaller(String backend, String spec, String text) {
        Optional<Offer> offer = offers.find(backend, spec);
        if (offer.isEmpty()) {
            return 0;
        }
        long millis = starts.cameSmaller(offer.get().kind(), text);
        paused(offer.get());
        changes.mark(Change.REASONS);
        return millis;
    }

    /** A worker registered with all that its spec, as BACKEND/SPEC, has. */
    public void cameWhole(String kind) {
        starts.cameWhole(kind);
    }

    /** The process of a worker that was started in this term registers: the time since its request is measured. */
    public void registers(WorkerEntry worker) {
        if (offers.find(worker.backend, worker.spec).isPresent()) {
            starts.times().registers(worker);
        }
    }

    /** The pause of a spec may be over: its workers are planned and requested again. */
    public void resumed() {
        changes.mark(Change.POLICY);
        changes.mark(Change.DEMAND);
        changes.mark(Change.REASONS);
    }

    /** The cluster manager has queued requests for workers of the spec. */
    public void queued(String backend, String spec, String diagnostics) {
        Optional<Offer> offer = offers.find(backend, spec);
        if (offer.filter(there -> workers.ofSpec(there.kind()).open() > 0).isPresent()
                && starts.queued(offer.get().kind(), diagnostics)) {
            changes.mark(Change.REASONS);
        }
    }

    /** Requests to the backend are paused. Its own last failure of a spec is kept, because it says more. */
    public void paused(String backend, String why) {
        Optional.ofNullable(connected.get(backend))
                .ifPresent(there -> there.offers().forEach(offer -> {
                    starts.failedUnlessKnown(offer.kind(), why);
                    workers.ofSpec(offer.kind()).openWorkers().forEach(starts.times()::notRequested);
                }));
        changes.mark(Change.REASONS);
        changes.mark(Change.DEMAND);
    }

    /** Requests that were not granted. */
    void withdrawOpen(String kind) {
        for (WorkerEntry pending : workers.ofSpec(kind).openWorkers()) {
            workers.remove(pending);
            changes.mark(Change.CLUSTER);
        }
    }

    /**
     * The settings of pools changed: requests that were not granted are withdrawn as long as these do not allow them, first
     * those on which nothing is planned.
     */
    public void withdrawBeyondPools() {
        for (ConnectedBackend there : connected.values()) {
            for (Offer offer : there.offers()) {
                List<WorkerEntry> open =
                        new ArrayList<>(workers.ofSpec(offer.kind()).openWorkers());
                open.sort(Comparator.comparing(pending -> pending.planned() > 0));
                for (WorkerEntry pending : open) {
                    if (offers.poolAllows(offer)) {
                        break;
                    }
                    workers.remove(pending);
                    changes.mark(Change.CLUSTER);
                    changes.mark(Change.DEMAND);
                }
            }
        }
    }

    /** Why workers of a spec, as BACKEND/SPEC, do not start, and when that is tried again. */
    public Optional<String> startFailure(String kind) {
        return starts.failure(kind).map(why -> "a worker of " + kind + " could not be started: " + why);
    }

    /** Why no worker of a spec is requested now, although more may exist; empty if that is not so. */
    public Optional<String> pausedBecause(String backend, String spec) {
        return offers.find(backend, spec)
                .filter(offer -> starts.paused(offer.kind()) && offers.left(offer) > 0)
                .flatMap(offer -> startFailure(offer.kind()));
    }

    /** What the cluster manager says about requests for workers of a spec that it has queued; empty if nothing. */
    public String queued(String kind) {
        return starts.queued(kind);
    }

    /** For how long requests for workers of a spec have been queued; 0 if none are. */
    public long queuedMillis(String kind) {
        return starts.queuedMillis(kind);
    }

    /** Whether starts of some spec are paused: what waits for its workers may get them soon. */
    public boolean anyPaused() {
        return starts.anyPaused();
    }
}
