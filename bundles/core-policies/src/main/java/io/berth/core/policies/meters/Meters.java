package io.berth.core.policies.meters;

import io.berth.core.api.operations.PolicyEvent;
import io.berth.core.api.operations.PolicyMetrics;
import io.berth.core.api.operations.PolicyMetrics.DecisionFigures;
import io.berth.core.api.operations.PolicyMetrics.DecisionType;
import io.berth.core.api.operations.PolicyMetrics.PolicyFigures;
import io.berth.core.api.operations.PolicyMetrics.SwapCount;
import io.berth.core.policies.registration.DecisionOwner;
import io.berth.core.policies.registration.Registration;
import io.berth.spi.PolicyKind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.regex.Pattern;

/**
 * Counts and measures what the host does: one meter for each kind and name of a policy, bounded by {@link
 * PolicyMetrics}, and figures of decisions, swaps and rounds. Thread-safe. Finding a meter takes no lock; a short lock
 * is taken when policies are added or removed, and for reading.
 */
public final class Meters {

    private static final int MAX_NAME_LENGTH = 64;
    private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");

    private record Key(PolicyKind kind, String name) implements Comparable<Key> {

        @Override
        public int compareTo(Key other) {
            int byKind = kind.compareTo(other.kind);
            return byKind == 0 ? name.compareTo(other.name) : byKind;
        }
    }

    private record Decider(String pool, DecisionType type) {}

    private final ConcurrentMap<Registration, PolicyMeter> ofRegistrations = new ConcurrentHashMap<>();
    /** The most recently removed last. */
    private final Map<Key, PolicyMeter> own = new LinkedHashMap<>();

    private final SortedMap<PolicyKind, PolicyMeter> others = new TreeMap<>();
    private final ConcurrentMap<Decider, TimeHistogram> decisions = new ConcurrentHashMap<>();
    private final SortedMap<PolicyKind, SortedMap<PolicyEvent, Long>> swaps = new TreeMap<>();
    private final AtomicLongArray redone = new AtomicLongArray(PolicyKind.values().length);
    private final AtomicLongArray fallbacks = new AtomicLongArray(PolicyKind.values().length);

    /** The meter of a factory; its counts belong to kind and name, also after a removal. */
    public PolicyMeter of(Registration registration) {
        PolicyMeter known = ofRegistrations.get(registration);
        if (known != null) {
            return known;
        }
        synchronized (this) {
            return meter(registration.kind(), label(registration));
        }
    }

    /** A factory was registered. */
    public synchronized void registered(Registration registration) {
        PolicyMeter meter = meter(registration.kind(), label(registration));
        meter.registered();
        ofRegistrations.put(registration, meter);
    }

    /** A factory that is registered without a name described it. */
    public synchronized void named(Registration registration, String name) {
        PolicyMeter before = ofRegistrations.get(registration);
        PolicyMeter now = meter(registration.kind(), bounded(name));
        if (before == null || before == now) {
            return;
        }
        before.unregistered();
        now.registered();
        ofRegistrations.put(registration, now);
        if (before.idle() && own.remove(new Key(before.kind(), before.name()), before)) {
            now.absorb(before);
        }
    }

    /** A factory was removed and is no longer used. */
    public synchronized void unregistered(Registration registration) {
        PolicyMeter meter = ofRegistrations.remove(registration);
        if (meter == null) {
            return;
        }
        meter.unregistered();
        Key key = new Key(meter.kind(), meter.name());
        if (own.remove(key, meter)) {
            own.put(key, meter);
        }
    }

    private PolicyMeter meter(PolicyKind kind, String name) {
        Key key = new Key(kind, name);
        PolicyMeter there = own.get(key);
        if (there != null) {
            return there;
        }
        if (own.size() >= PolicyMetrics.MAX_POLICIES && !fold()) {
            return other(kind);
        }
        PolicyMeter made = new PolicyMeter(kind, name);
        own.put(key, made);
        return made;
    }

    /** Adds the meter that was removed first to the others. */
    private boolean fold() {
        for (Map.Entry<Key, PolicyMeter> entry : own.entrySet()) {
            PolicyMeter meter = entry.getValue();
            if (meter.idle()) {
                own.remove(entry.getKey());
                other(meter.kind()).absorb(meter);
                return true;
            }
        }
        return false;
    }

    private PolicyMeter other(PolicyKind kind) {
        return others.computeIfAbsent(kind, key -> new PolicyMeter(key, PolicyMetrics.OTHER));
    }

    public void decided(DecisionOwner owner, DecisionType type, long nanos) {
        Decider decider = new Decider(owner.pool().map(Meters::bounded).orElse(""), type);
        TimeHistogram there = decisions.get(decider);
        if (there == null) {
            there = decisions(decider);
        }
        there.record(nanos);
    }

    private synchronized TimeHistogram decisions(Decider decider) {
        boolean room = decisions.keySet().stream().map(Decider::pool).distinct().count() < PolicyMetrics.MAX_POOLS
                || decisions.keySet().stream().anyMatch(known -> known.pool().equals(decider.pool()));
        return decisions.computeIfAbsent(
                room ? decider : new Decider(PolicyMetrics.OTHER, decider.type()), key -> new TimeHistogram());
    }

    /** Another policy decides for an owner. */
    public synchronized void swapped(PolicyKind kind, PolicyEvent cause) {
        swaps.computeIfAbsent(kind, key -> new TreeMap<>()).merge(cause, 1L, Long::sum);
    }

    /** A round is made again without a policy of that kind that failed. */
    public void redone(PolicyKind kind) {
        redone.getAndIncrement(kind.ordinal());
    }

    /** A decision was made by another policy than the preferred one. */
    public void countFallback(PolicyKind kind) {
        fallbacks.getAndIncrement(kind.ordinal());
    }

    public List<PolicyFigures> policies() {
        Collection<PolicyMeter> all;
        synchronized (this) {
            all = new ArrayList<>(new TreeMap<>(own).values());
            all.addAll(others.values());
        }
        List<PolicyFigures> figures = new ArrayList<>();
        for (PolicyKind kind : PolicyKind.values()) {
            all.stream()
                    .filter(meter -> meter.kind() == kind)
                    .map(PolicyMeter::figures)
                    .forEach(figures::add);
        }
        return figures;
    }

    public Optional<PolicyFigures> policy(PolicyKind kind, String name) {
        PolicyMeter meter;
        synchronized (this) {
            meter = name.equals(PolicyMetrics.OTHER) ? others.get(kind) : own.get(new Key(kind, name));
        }
        return Optional.ofNullable(meter).map(PolicyMeter::figures);
    }

    public List<DecisionFigures> decisions() {
        return decisions.entrySet().stream()
                .map(entry -> new DecisionFigures(
                        entry.getKey().pool(),
                        entry.getKey().type(),
                        entry.getValue().times()))
                .sorted(Comparator.comparing(DecisionFigures::pool).thenComparing(DecisionFigures::type))
                .toList();
    }

    public synchronized List<SwapCount> swaps() {
        List<SwapCount> counts = new ArrayList<>();
        swaps.forEach(
                (kind, causes) -> causes.forEach((cause, count) -> counts.add(new SwapCount(kind, cause, count))));
        return counts;
    }

    public SortedMap<PolicyKind, Long> redone() {
        return byKind(redone);
    }

    public SortedMap<PolicyKind, Long> fallbacks() {
        return byKind(fallbacks);
    }

    private static SortedMap<PolicyKind, Long> byKind(AtomicLongArray counts) {
        SortedMap<PolicyKind, Long> map = new TreeMap<>();
        for (PolicyKind kind : PolicyKind.values()) {
            map.put(kind, counts.get(kind.ordinal()));
        }
        return map;
    }

    private static String label(Registration registration) {
        String name = registration.name();
        return bounded(name.isBlank() ? registration.bundle() : name);
    }

    /** As a label: short, on one line. */
    private static String bounded(String name) {
        String some = name.length() > MAX_NAME_LENGTH ? name.substring(0, MAX_NAME_LENGTH) + "..." : name;
        return CONTROL.matcher(some).replaceAll("?");
    }
}
