package io.berth.core.policies.registry;

import io.berth.core.policies.swap.SwapLog;
import io.berth.spi.PolicyKind;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Configuration of the policy host.
 *
 * @param choices selector by kind; absent: by ranking
 * @param fallbacks names that decide in this order when the chosen policy does not; then by ranking
 * @param deadlines milliseconds that a call may take, by kind
 * @param development names of policies in development, by kind: their calls have no deadline and they are not
 *     quarantined
 * @param decisionsKept number of decisions in the log
 * @param swapsKept number of records of swaps of each kind
 * @param limits by which policies are judged
 */
public record HostSettings(
        SortedMap<PolicyKind, String> choices,
        SortedMap<PolicyKind, List<String>> fallbacks,
        SortedMap<PolicyKind, Long> deadlines,
        SortedMap<PolicyKind, List<String>> development,
        int decisionsKept,
        int swapsKept,
        PolicyLimits limits) {

    static final long DEADLINE_MILLIS = 2_000;
    static final long BACKEND_DEADLINE_MILLIS = 10_000;

    public HostSettings {
        choices = Collections.unmodifiableSortedMap(new TreeMap<>(choices));
        fallbacks = Collections.unmodifiableSortedMap(new TreeMap<>(fallbacks));
        deadlines = Collections.unmodifiableSortedMap(new TreeMap<>(deadlines));
        development = Collections.unmodifiableSortedMap(new TreeMap<>(development));
        deadlines.forEach((kind, millis) -> {
            if (millis < 1 || millis > 600_000) {
                throw new IllegalArgumentException(
                        "deadline." + kind.label() + ".ms is " + millis + ": 1 to 600000 is allowed");
            }
        });
        if (decisionsKept < 1 || decisionsKept > 1_000_000) {
            throw new IllegalArgumentException("decisions.kept is " + decisionsKept + ": 1 to 1000000 is allowed");
        }
        if (swapsKept < 1 || swapsKept > SwapLog.MAX_COUNT) {
            throw new IllegalArgumentException(
                    "swaps.kept is " + swapsKept + ": 1 to " + SwapLog.MAX_COUNT + " is allowed");
        }
    }

    /** With the default limits. */
    public HostSettings(
            SortedMap<PolicyKind, String> choices,
            SortedMap<PolicyKind, List<String>> fallbacks,
            SortedMap<PolicyKind, Long> deadlines,
            int decisionsKept,
            int swapsKept) {
        this(choices, fallbacks, deadlines, new TreeMap<>(), decisionsKept, swapsKept, PolicyLimits.DEFAULTS);
    }

    /** With as many records of swaps as can be kept. */
    public HostSettings(
            SortedMap<PolicyKind, String> choices,
            SortedMap<PolicyKind, List<String>> fallbacks,
            SortedMap<PolicyKind, Long> deadlines,
            int decisionsKept) {
        this(choices, fallbacks, deadlines, decisionsKept, SwapLog.MAX_COUNT);
    }

    public static HostSettings defaults() {
        return new HostSettings(new TreeMap<>(), new TreeMap<>(), new TreeMap<>(Map.of()), 10_000);
    }

    long deadline(PolicyKind kind) {
        return deadlines.getOrDefault(kind, kind == PolicyKind.BACKEND ? BACKEND_DEADLINE_MILLIS : DEADLINE_MILLIS);
    }

    public HostSettings withDeadline(PolicyKind kind, long millis) {
        SortedMap<PolicyKind, Long> changed = new TreeMap<>(deadlines);
        changed.put(kind, millis);
        return new HostSettings(choices, fallbacks, changed, development, decisionsKept, swapsKept, limits);
    }

    /** @param names of all policies of the kind that are in development */
    public HostSettings withDevelopment(PolicyKind kind, List<String> names) {
        SortedMap<PolicyKind, List<String>> changed = new TreeMap<>(development);
        changed.put(kind, names);
        return new HostSettings(choices, fallbacks, deadlines, changed, decisionsKept, swapsKept, limits);
    }

    boolean isInDevelopment(PolicyKind kind, String name) {
        return development.getOrDefault(kind, List.of()).contains(name);
    }

    public HostSettings withLimits(PolicyLimits changed) {
        return new HostSettings(choices, fallbacks, deadlines, development, decisionsKept, swapsKept, changed);
    }
}
