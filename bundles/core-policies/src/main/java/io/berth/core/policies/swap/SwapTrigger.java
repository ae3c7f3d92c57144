package io.berth.core.policies.swap;

import io.berth.core.api.operations.PolicyEvent;
import io.berth.core.api.operations.PolicyOperations.RefreshedBundles;
import io.berth.core.api.policy.PolicyIdentity;
import io.berth.core.policies.registration.PolicyCandidate;
import io.berth.spi.PolicyKind;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * An event of one factory, or of the choice of a kind, that may change which policy decides. Later events of the
 * framework complete it. Guarded by the lock of the log.
 */
final class SwapTrigger {

    private static final Set<PolicyEvent> REMOVALS =
            EnumSet.of(PolicyEvent.STOP, PolicyEvent.UNINSTALL, PolicyEvent.UPDATE, PolicyEvent.REFRESH);
    private static final int MAX_NAMES = 10;

    /**
     * A factory; holds nothing of its bundle.
     *
     * @param bundle negative outside of a framework
     * @param policy identity that an update of the bundle does not change
     */
    record Factory(long service, long bundle, String policy) {

        boolean isSamePolicy(Factory other) {
            return bundle == other.bundle && policy.equals(other.policy);
        }
    }

    final PolicyKind kind;
    /** Empty: the event concerns all factories of the kind. */
    final Optional<Factory> factory;
    /** Who requested it; empty when nobody did. */
    final String by;

    final long index;
    final int inFlight;
    final long wallMillis;
    final long nanos;

    PolicyEvent event;
    /** For a choice the policy that decides by it; empty when none does. */
    Optional<PolicyIdentity> chosen = Optional.empty();
    /** The removal of the policy that this event registers again. */
    Optional<SwapTrigger> removal = Optional.empty();
    /** Bundles by id; shared with the removal. */
    SortedMap<Long, String> refreshed = new TreeMap<>();

    SwapTrigger(
            PolicyKind kind,
            Optional<Factory> factory,
            PolicyEvent event,
            String by,
            long index,
            int inFlight,
            long wallMillis,
            long nanos) {
        this.kind = kind;
        this.factory = factory;
        this.event = event;
        this.by = by;
        this.index = index;
        this.inFlight = inFlight;
        this.wallMillis = wallMillis;
        this.nanos = nanos;
    }

    boolean isRemoval() {
        return REMOVALS.contains(event);
    }

    boolean isChoice() {
        return event == PolicyEvent.USE || event == PolicyEvent.REVERT;
    }

    boolean concerns(Optional<PolicyCandidate> candidate) {
        return factory.isEmpty()
                || candidate.filter(one -> one.id() == factory.get().service()).isPresent();
    }

    RefreshedBundles refreshedBundles() {
        return new RefreshedBundles(
                refreshed.size(), refreshed.values().stream().limit(MAX_NAMES).toList());
    }
}
