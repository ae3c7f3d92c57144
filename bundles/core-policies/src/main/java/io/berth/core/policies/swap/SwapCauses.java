package io.berth.core.policies.swap;

import io.berth.core.api.operations.PolicyEvent;
import io.berth.core.api.time.Clock;
import io.berth.core.policies.registration.PolicyCandidate;
import io.berth.core.policies.registration.Registration;
import io.berth.spi.PolicyKind;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What happened lately, by kind, and what the framework reports of the bundles concerned: a factory that goes says
 * neither whether its bundle is stopped, updated or uninstalled, nor which bundles lose their wiring by it; bundle
 * events that come before and after do. Under the lock of the log of swaps.
 */
final class SwapCauses {

    private static final int MAX_COUNT = 200;
    private static final int MAX_PENDING = 100;
    private static final long OWN_WINDOW_NANOS = 30_000_000_000L;
    private static final long OTHERS_WINDOW_NANOS = 2_000_000_000L;

    private record Loose(String name, long nanos) {}

    private final Clock clock;
    private final Map<PolicyKind, Deque<SwapCause>> causes = new EnumMap<>(PolicyKind.class);
    private final Map<PolicyKind, Integer> underWay = new EnumMap<>(PolicyKind.class);
    /** Bundles that lost their wiring while nothing was going on: for the policy that comes next. */
    private final SortedMap<Long, Loose> loose = new TreeMap<>();

    SwapCauses(Clock clock) {
        this.clock = clock;
    }

    void happened(PolicyKind kind, PolicyEvent event, String by, long index) {
        add(new SwapCause(
                kind, Optional.empty(), -1, "", event, by, index, clock.wallMillis(), clock.nanos(), inProgress(kind)));
    }

    void happened(Registration registration, String policy, PolicyEvent event, String by, long index) {
        PolicyKind kind = registration.kind();
        SwapCause cause = new SwapCause(
                kind,
                Optional.of(registration.id()),
                registration.bundleId(),
                policy,
                event,
                by,
                index,
                clock.wallMillis(),
                clock.nanos(),
                inProgress(kind));
        if (event == PolicyEvent.UNINSTALL && cause.bundle >= 0) {
            // It goes; why, the events of its bundle will tell.
            cause.event = PolicyEvent.STOP;
        } else if (event == PolicyEvent.UPDATE) {
            reappeared(cause);
        }
        if (!cause.isRemoval() || cause.completes.isPresent()) {
            takeLoose(cause);
        }
        add(cause);
    }

    private void reappeared(SwapCause cause) {
        cause.completes = of(cause.kind).stream()
                .filter(before -> before.bundle == cause.bundle
                        && before.policy.equals(cause.policy)
                        && before.isRemoval()
                        && before.completes.isEmpty())
                .findFirst();
        if (cause.completes.isEmpty() && cause.bundle >= 0) {
            // Another bundle than the one that went: that was uninstalled, and says so itself.
            cause.event = PolicyEvent.INSTALL;
        }
        cause.completes.ifPresent(gone -> {
            cause.refreshed = gone.refreshed;
            if (gone.event == PolicyEvent.STOP) {
                cause.event = gone.refreshed.containsKey(gone.bundle) ? PolicyEvent.REFRESH : PolicyEvent.START;
            }
        });
    }

    private void takeLoose(SwapCause cause) {
        loose.forEach((id, bundle) -> {
            if (cause.nanos - bundle.nanos() < OTHERS_WINDOW_NANOS) {
                cause.refreshed.put(id, bundle.name());
            }
        });
        loose.clear();
    }

    private void add(SwapCause cause) {
        Deque<SwapCause> ofKind = of(cause.kind);
        ofKind.addFirst(cause);
        if (ofKind.size() > MAX_COUNT) {
            ofKind.removeLast();
        }
    }

    private Deque<SwapCause> of(PolicyKind kind) {
        return causes.computeIfAbsent(kind, key -> new ArrayDeque<>());
    }

    int inProgress(PolicyKind kind) {
        return underWay.getOrDefault(kind, 0);
    }

    void roundBegan(PolicyKind kind) {
        underWay.merge(kind, 1, Integer::sum);
    }

    void roundEnded(PolicyKind kind) {
        underWay.merge(kind, -1, Integer::sum);
    }

    /** The last thing that happened to one of the two or to all. */
    SwapCause of(PolicyKind kind, Optional<PolicyCandidate> before, Optional<PolicyCandidate> after) {
        return of(kind).stream()
                .filter(cause -> cause.concerns(before, after))
                .findFirst()
                .orElseGet(() -> new SwapCause(
                        kind,
                        Optional.empty(),
                        -1,
                        "",
                        PolicyEvent.UNKNOWN,
                        "",
                        0,
                        clock.wallMillis(),
                        clock.nanos(),
                        0));
    }

    /** A bundle lost its wiring. Returns the causes that changed by it. */
    List<SwapCause> unresolved(long bundle, String name) {
        long now = clock.nanos();
        List<SwapCause> own = recent(bundle, now);
        if (own.isEmpty()) {
            own = causes.values().stream()
                    .flatMap(Deque::stream)
                    .filter(cause -> cause.isRemoval() && now - cause.nanos < OTHERS_WINDOW_NANOS)
                    .min((one, other) -> Long.compare(other.nanos, one.nanos))
                    .map(List::of)
                    .orElse(List.of());
        }
        if (own.isEmpty()) {
            loose.values().removeIf(before -> now - before.nanos() > OTHERS_WINDOW_NANOS);
            if (loose.size() < MAX_PENDING) {
                loose.put(bundle, new Loose(name, now));
            }
        }
        own.forEach(cause -> cause.refreshed.put(bundle, name));
        return own;
    }

    /** A bundle was updated, or uninstalled. Returns the causes that changed by it. */
    List<SwapCause> became(long bundle, PolicyEvent event) {
        List<SwapCause> going = recent(bundle, clock.nanos()).stream()
                .filter(cause -> cause.completes.isEmpty() && cause.event == PolicyEvent.STOP)
                .toList();
        going.forEach(cause -> cause.event = event);
        return going;
    }

    /** The last going of each policy of a bundle. */
    private List<SwapCause> recent(long bundle, long now) {
        Map<String, SwapCause> found = new TreeMap<>();
        causes.values()
                .forEach(ofKind -> ofKind.forEach(cause -> {
                    if (cause.bundle == bundle && cause.isRemoval() && now - cause.nanos < OWN_WINDOW_NANOS) {
                        found.putIfAbsent(cause.policy, cause);
                    }
                }));
        return List.copyOf(found.values());
    }
}
