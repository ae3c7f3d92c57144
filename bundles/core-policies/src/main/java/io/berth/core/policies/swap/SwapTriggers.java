package io.berth.core.policies.swap;

import io.berth.core.api.operations.PolicyEvent;
import io.berth.core.api.time.Clock;
import io.berth.core.policies.registration.PolicyCandidate;
import io.berth.spi.PolicyKind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The last events by kind. When a factory is removed, its service does not say whether its bundle is stopped, updated or
 * uninstalled, nor which bundles lose their wiring; bundle events before and after do. Guarded by the lock of the log.
 */
final class SwapTriggers {

    private static final int MAX_COUNT = 200;
    private static final int MAX_PENDING = 100;
    private static final long OWN_WINDOW_NANOS = 30_000_000_000L;
    private static final long OTHERS_WINDOW_NANOS = 2_000_000_000L;

    private record Unresolved(String name, long nanos) {}

    private final Clock clock;
    /** The newest first. */
    private final Map<PolicyKind, Deque<SwapTrigger>> triggers = new EnumMap<>(PolicyKind.class);
    /** Bundles that lost their wiring before any removal: they belong to the policy that is registered next. */
    private final SortedMap<Long, Unresolved> pending = new TreeMap<>();

    SwapTriggers(Clock clock) {
        this.clock = clock;
    }

    SwapTrigger add(
            PolicyKind kind,
            Optional<SwapTrigger.Factory> factory,
            PolicyEvent event,
            String by,
            long index,
            int inFlight) {
        SwapTrigger trigger =
                new SwapTrigger(kind, factory, event, by, index, inFlight, clock.wallMillis(), clock.nanos());
        boolean ofBundle = factory.filter(one -> one.bundle() >= 0).isPresent();
        if (event == PolicyEvent.UNINSTALL && ofBundle) {
            trigger.event = PolicyEvent.STOP;
        } else if (event == PolicyEvent.UPDATE) {
            registeredAgain(trigger, ofBundle);
        }
        if (factory.isPresent() && (!trigger.isRemoval() || trigger.removal.isPresent())) {
            takePending(trigger);
        }
        Deque<SwapTrigger> ofKind = of(kind);
        ofKind.addFirst(trigger);
        if (ofKind.size() > MAX_COUNT) {
            ofKind.removeLast();
        }
        return trigger;
    }

    /** The choices between two indexes, without both, oldest first. */
    List<SwapTrigger> choices(PolicyKind kind, long after, long before) {
        List<SwapTrigger> found = new ArrayList<>();
        Iterator<SwapTrigger> oldestFirst = of(kind).descendingIterator();
        while (oldestFirst.hasNext()) {
            SwapTrigger trigger = oldestFirst.next();
            if (trigger.isChoice() && trigger.index > after && trigger.index < before) {
                found.add(trigger);
            }
        }
        return found;
    }

    private void registeredAgain(SwapTrigger trigger, boolean ofBundle) {
        trigger.removal = of(trigger.kind).stream()
                .filter(before -> before.isRemoval()
                        && before.removal.isEmpty()
                        && before.factory
                                .filter(trigger.factory.orElseThrow()::isSamePolicy)
                                .isPresent())
                .findFirst();
        if (trigger.removal.isEmpty() && ofBundle) {
            // The bundle that was removed is another one, and was uninstalled.
            trigger.event = PolicyEvent.INSTALL;
        }
        trigger.removal.ifPresent(removed -> {
            trigger.refreshed = removed.refreshed;
            if (removed.event == PolicyEvent.STOP) {
                long bundle = trigger.factory.orElseThrow().bundle();
                trigger.event = removed.refreshed.containsKey(bundle) ? PolicyEvent.REFRESH : PolicyEvent.START;
            }
        });
    }

    private void takePending(SwapTrigger trigger) {
        pending.forEach((id, bundle) -> {
            if (trigger.nanos - bundle.nanos() < OTHERS_WINDOW_NANOS) {
                trigger.refreshed.put(id, bundle.name());
            }
        });
        pending.clear();
    }

    private Deque<SwapTrigger> of(PolicyKind kind) {
        return triggers.computeIfAbsent(kind, key -> new ArrayDeque<>());
    }

    /**
     * The last event of one of the two policies, or of all.
     *
     * @param index of the last choice that the owner follows: later ones are not its cause
     */
    SwapTrigger last(PolicyKind kind, Optional<PolicyCandidate> before, Optional<PolicyCandidate> after, long index) {
        return of(kind).stream()
                .filter(trigger -> !trigger.isChoice() || trigger.index <= index)
                .filter(trigger -> trigger.concerns(before) || trigger.concerns(after))
                .findFirst()
                .orElseGet(() -> new SwapTrigger(
                        kind, Optional.empty(), PolicyEvent.UNKNOWN, "", 0, 0, clock.wallMillis(), clock.nanos()));
    }

    /** A bundle lost its wiring. Returns the triggers that changed. */
    Collection<SwapTrigger> unresolved(long bundle, String name) {
        long now = clock.nanos();
        Collection<SwapTrigger> changed = removals(bundle, now);
        if (changed.isEmpty()) {
            changed = all().filter(trigger -> trigger.isRemoval() && now - trigger.nanos < OTHERS_WINDOW_NANOS)
                    .min((one, other) -> Long.compare(other.nanos, one.nanos))
                    .map(List::of)
                    .orElse(List.of());
        }
        if (changed.isEmpty()) {
            pending.values().removeIf(before -> now - before.nanos() > OTHERS_WINDOW_NANOS);
            if (pending.size() < MAX_PENDING) {
                pending.put(bundle, new Unresolved(name, now));
            }
        }
        changed.forEach(trigger -> trigger.refreshed.put(bundle, name));
        return changed;
    }

    /** A bundle was updated or uninstalled. Returns the triggers that changed. */
    Collection<SwapTrigger> changed(long bundle, PolicyEvent event) {
        Collection<SwapTrigger> stopped = removals(bundle, clock.nanos());
        stopped.removeIf(trigger -> trigger.removal.isPresent() || trigger.event != PolicyEvent.STOP);
        stopped.forEach(trigger -> trigger.event = event);
        return stopped;
    }

    /** The last removal of each policy of a bundle. */
    private Collection<SwapTrigger> removals(long bundle, long now) {
        Map<String, SwapTrigger> found = new TreeMap<>();
        all().filter(trigger -> trigger.isRemoval() && now - trigger.nanos < OWN_WINDOW_NANOS)
                .forEach(trigger -> trigger.factory
                        .filter(factory -> factory.bundle() == bundle)
                        .ifPresent(factory -> found.putIfAbsent(factory.policy(), trigger)));
        return found.values();
    }

    private Stream<SwapTrigger> all() {
        return triggers.values().stream().flatMap(Deque::stream);
    }
}
