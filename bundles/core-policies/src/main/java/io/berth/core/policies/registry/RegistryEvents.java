package io.berth.core.policies.registry;

import io.berth.core.api.operations.PolicyEvent;
import io.berth.core.api.operations.PolicyMetrics.ReleaseCause;
import io.berth.core.api.time.MainThread;
import io.berth.core.policies.meters.Meters;
import io.berth.core.policies.meters.PolicyMeter;
import io.berth.core.policies.swap.SwapLog;
import io.berth.spi.PolicyKind;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.ToLongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports events of policies: to the log of swaps and the meters at once, to listeners on the thread of events, in
 * order. Thread-safe; nothing runs on the caller's stack.
 */
final class RegistryEvents {

    private static final Logger LOG = LoggerFactory.getLogger(RegistryEvents.class);

    private final MainThread thread;
    private final SwapLog swaps;
    private final ToLongFunction<PolicyKind> indexes;
    private final Meters meters;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    /** @param indexes returns the index of the choice in force */
    RegistryEvents(MainThread thread, SwapLog swaps, ToLongFunction<PolicyKind> indexes, Meters meters) {
        this.thread = thread;
        this.swaps = swaps;
        this.indexes = indexes;
        this.meters = meters;
    }

    MainThread thread() {
        return thread;
    }

    SwapLog swaps() {
        return swaps;
    }

    /** An event of one policy; must be reported before it takes effect. */
    void happened(RegisteredPolicy entry, PolicyEvent event) {
        happened(entry, event, "");
    }

    /** @param by who requested it; empty when nobody did */
    void happened(RegisteredPolicy entry, PolicyEvent event, String by) {
        PolicyKind kind = entry.registration.kind();
        swaps.happened(entry.registration, entry.identity(), event, by, indexes.applyAsLong(kind));
        if (event == PolicyEvent.QUARANTINE) {
            meters.of(entry.registration).quarantined();
        } else {
            ended(entry, event, entry.quarantines.count());
        }
    }

    /** An event that concerns only one of the quarantines of a policy, and ends it. */
    void endedOne(RegisteredPolicy entry, PolicyEvent event) {
        PolicyKind kind = entry.registration.kind();
        swaps.happened(entry.registration, entry.identity(), event, "", indexes.applyAsLong(kind));
        ended(entry, event, 1);
    }

    private void ended(RegisteredPolicy entry, PolicyEvent event, int count) {
        PolicyMeter meter = meters.of(entry.registration);
        for (int ended = 0; ended < count; ended++) {
            released(event).ifPresent(meter::released);
        }
    }

    /** How an event ends a quarantine. Only a change of properties does not. */
    private static Optional<ReleaseCause> released(PolicyEvent event) {
        return switch (event) {
            case RECOVERY -> Optional.of(ReleaseCause.RECOVERY);
            case RELEASE -> Optional.of(ReleaseCause.OPERATOR);
            case UNINSTALL -> Optional.of(ReleaseCause.REGISTRATION);
            case CONFIGURATION, UPDATE, INSTALL -> Optional.of(ReleaseCause.CONFIGURATION);
            default -> Optional.empty();
        };
    }

    /** An event of all policies of a kind; must be reported before it takes effect. */
    void happened(PolicyKind kind, PolicyEvent event, String by) {
        swaps.happened(kind, event, by, indexes.applyAsLong(kind));
    }

    void listen(Runnable listener) {
        listeners.add(listener);
    }

    void forget(Runnable listener) {
        listeners.remove(listener);
    }

    /** An event took effect. A listener that fails does not affect the others. */
    void fire() {
        thread.execute(() -> listeners.forEach(listener -> {
            try {
                listener.run();
            } catch (RuntimeException failure) {
                LOG.error("a change of policies could not be followed", failure);
            }
        }));
    }
}
