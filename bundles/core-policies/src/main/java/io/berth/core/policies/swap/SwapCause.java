package io.berth.core.policies.swap;

import io.berth.core.api.operations.PolicyEvent;
import io.berth.core.api.operations.PolicyOperations.RefreshedBundles;
import io.berth.core.policies.registration.PolicyCandidate;
import io.berth.spi.PolicyKind;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Something that happened to one factory, or to the order of all, and may change who decides. What becomes known of it
 * later, when the framework goes on, changes the records that name it. Under the lock of the log of swaps.
 */
final class SwapCause {

    private static final Set<PolicyEvent> GOING =
            EnumSet.of(PolicyEvent.STOP, PolicyEvent.UNINSTALL, PolicyEvent.UPDATE, PolicyEvent.REFRESH);
    private static final int MAX_NAMES = 10;

    final PolicyKind kind;
    /** Service id of the factory; empty: of no single one. */
    final Optional<Long> service;
    /** Bundle id, below 0 where it is of no framework. */
    final long bundle;
    /** What stays of the policy when its bundle is updated; empty: of no single one. */
    final String policy;

    final long index;
    final long wallMillis;
    final long nanos;
    final int inFlight;
    /** Those that are still kept. */
    final Set<Swap> records = new LinkedHashSet<>();

    PolicyEvent event;
    /** Who asked for it; empty where nobody did. */
    private final String by;
    /** Going of the policy whose coming this is. */
    Optional<SwapCause> completes = Optional.empty();
    /** Bundles by id; shared with the cause that this one completes. */
    SortedMap<Long, String> refreshed = new TreeMap<>();

    SwapCause(
            PolicyKind kind,
            Optional<Long> service,
            long bundle,
            String policy,
            PolicyEvent event,
            String by,
            long index,
            long wallMillis,
            long nanos,
            int inFlight) {
        this.kind = kind;
        this.service = service;
        this.bundle = bundle;
        this.policy = policy;
        this.event = event;
        this.by = by;
        this.index = index;
        this.wallMillis = wallMillis;
        this.nanos = nanos;
        this.inFlight = inFlight;
    }

    /** Whether a bundle went, or is on its way to come again. */
    boolean isRemoval() {
        return GOING.contains(event);
    }

    String text() {
        return event.label() + (by.isEmpty() ? "" : " by " + by);
    }

    boolean concerns(Optional<PolicyCandidate> one, Optional<PolicyCandidate> other) {
        return service.isEmpty()
                || one.filter(candidate -> candidate.id() == service.get()).isPresent()
                || other.filter(candidate -> candidate.id() == service.get()).isPresent();
    }

    RefreshedBundles refreshedBundles() {
        return refreshed.isEmpty()
                ? RefreshedBundles.NONE
                : new RefreshedBundles(
                        refreshed.size(),
                        refreshed.values().stream().limit(MAX_NAMES).toList());
    }
}
