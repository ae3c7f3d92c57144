package io.berth.core.api.operations;

import io.berth.spi.PolicyKind;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the policy host counted and measured since it started. Counters only grow; times are in nanoseconds. Any thread;
 * answers at once from what is in memory and runs no foreign code.
 *
 * <p>Bounded: at most {@link #MAX_POLICIES} policies have figures of their own, present or gone. When another one comes,
 * the figures of the one that is gone longest are added to those of {@link #OTHER}; when none is gone, the new one is
 * counted under {@link #OTHER} itself.
 */
public interface PolicyMetrics {

    /** Policies with figures of their own. */
    int MAX_POLICIES = 64;

    /** Pools with figures of their own. */
    int MAX_POOLS = 16;

    /** Name of the policy, or of the pool, that stands for all that have no figures of their own. */
    String OTHER = "(other)";

    /** The host as a whole. */
    HostFigures host();

    /** Each policy with figures of its own, by kind and name; {@link #OTHER} last of its kind when it was needed. */
    List<PolicyFigures> policyFigures();

    Optional<PolicyFigures> policyFigures(PolicyKind kind, String name);

    /**
     * Calls when a policy came or went, on a thread of the host; what is called must be short.
     *
     * @return ends the following
     */
    Following follow(Runnable changed);

    /** A calling that can be ended; ending it again does nothing. */
    interface Following extends AutoCloseable {

        @Override
        void close();
    }

    /** A call into a policy, as its extension point names it; {@code create} includes the opening of a session. */
    enum PolicyCall {
        DESCRIBE,
        CREATE,
        DELTA,
        ADMIT,
        PLACE,
        ASSIGN,
        DESIRE,
        PLAN,
        RESCALE,
        DECLARE,
        CLOSE;

        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** What a failure of a policy was. */
    enum FailureKind {
        /** It threw something. */
        THREW,
        /** It did not return within its deadline. */
        HUNG,
        /** It returned what breaks a rule of its extension point. */
        VIOLATION,
        /** It refused its configuration. */
        REFUSED,
        /** It was not called: too many calls into its bundle never returned, or the others took all threads for too long. */
        NOT_TRIED;

        public String label() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** How the quarantine of a policy ended. */
    enum ReleaseCause {
        OPERATOR,
        /** It was tried again, and that went well. */
        RECOVERY,
        CONFIGURATION,
        REGISTRATION;

        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** What is decided. */
    enum DecisionType {
        /** Admission and placement together. */
        PLACEMENT,
        ASSIGNMENT,
        SCALING;

        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * A distribution of times. Percentiles are within one thirty-second of the exact ones, {@code max} is exact.
     *
     * @param sumNanos of all times
     * @param maxNanos the longest, 0 without any
     */
    record Times(
            long count, long sumNanos, long p50Nanos, long p90Nanos, long p99Nanos, long p999Nanos, long maxNanos) {

        /** Nothing was measured. */
        public static final Times NONE = new Times(0, 0, 0, 0, 0, 0, 0);
    }

    /** How often one call failed in one way. */
    record FailureCount(PolicyCall call, FailureKind kind, long count) {}

    /**
     * Figures of one policy, over all versions, generations and registrations of its kind and name.
     *
     * @param registered how many services offer it now
     * @param inFlight calls that wait for a thread or run
     * @param abandoned calls that never returned so far
     * @param decisions that it made
     * @param all its calls, whatever their name; calls that were given up on count with the time until then
     * @param calls the same by name
     * @param queued from asking for a call to its start
     * @param failures those that happened
     * @param quarantines how often it was put aside
     * @param releases how quarantines ended
     * @param configurationsRefused how often a configuration was refused, by it or by the host
     */
    record PolicyFigures(
            PolicyKind kind,
            String name,
            int registered,
            int inFlight,
            int abandoned,
            long decisions,
            Times all,
            SortedMap<PolicyCall, Times> calls,
            Times queued,
            List<FailureCount> failures,
            long quarantines,
            SortedMap<ReleaseCause, Long> releases,
            long configurationsRefused) {

        public PolicyFigures {
            calls = Collections.unmodifiableSortedMap(new TreeMap<>(calls));
            failures = List.copyOf(failures);
            releases = Collections.unmodifiableSortedMap(new TreeMap<>(releases));
        }

        /** Failures of one kind, whatever the call. */
        public long failures(FailureKind failure) {
            return failures.stream()
                    .filter(count -> count.kind() == failure)
                    .mapToLong(FailureCount::count)
                    .sum();
        }
    }

    /**
     * Decisions of one pool and type.
     *
     * @param pool empty for scaling: its owners are jobs, which come and go
     * @param times from the start of the round that led to it to the decision
     */
    record DecisionFigures(String pool, DecisionType type, Times times) {}

    /**
     * Changes of the deciding policy, over all owners.
     *
     * @param cause that the record of the swap names
     */
    record SwapCount(PolicyKind kind, PolicyEvent cause, long count) {}

    /**
     * Figures of the host.
     *
     * @param leases decisions under way now, each of which leases a policy of the kind
     * @param generations instances of policies in use
     * @param abandoned threads in calls that never returned
     * @param redone how often a round was made again without the policy of that kind that failed in it
     * @param fallbacks decisions made by another policy than the one that should have
     */
    record HostFigures(
            SortedMap<PolicyKind, Integer> leases,
            int generations,
            int abandoned,
            List<DecisionFigures> decisions,
            List<SwapCount> swaps,
            SortedMap<PolicyKind, Long> redone,
            SortedMap<PolicyKind, Long> fallbacks) {

        public HostFigures {
            leases = sorted(leases);
            decisions = List.copyOf(decisions);
            swaps = List.copyOf(swaps);
            redone = sorted(redone);
            fallbacks = sorted(fallbacks);
        }

        private static <V> SortedMap<PolicyKind, V> sorted(Map<PolicyKind, V> map) {
            return Collections.unmodifiableSortedMap(new TreeMap<>(map));
        }
    }
}
