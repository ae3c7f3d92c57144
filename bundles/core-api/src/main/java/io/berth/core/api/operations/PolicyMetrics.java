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
 * Metrics of the policy host since its start. Counters only grow; times are in nanoseconds. Thread-safe; the methods
 * answer at once from memory and run no foreign code.
 *
 * <p>At most {@link #MAX_POLICIES} policies, registered or gone, have their own figures. When there is one more, the
 * figures of the policy that has been gone longest are added to those of {@link #OTHER}. If none is gone, the new
 * policy is counted under {@link #OTHER}.
 */
public interface PolicyMetrics {

    /** Maximum number of policies with their own figures. */
    int MAX_POLICIES = 64;

    /** Maximum number of pools with their own figures. */
    int MAX_POOLS = 16;

    /** Name of the policy, or of the pool, that stands for all without their own figures. */
    String OTHER = "(other)";

    /** Figures of the whole host. */
    HostFigures host();

    /** Each policy with its own figures, by kind and name. If {@link #OTHER} is needed, it is the last of its kind. */
    List<PolicyFigures> policyFigures();

    Optional<PolicyFigures> policyFigures(PolicyKind kind, String name);

    /**
     * Runs the action when a policy is added or removed, on a thread of the host; the action must be short.
     *
     * @return ends the following
     */
    Following follow(Runnable changed);

    /** A subscription. Closing it again has no effect. */
    interface Following extends AutoCloseable {

        @Override
        void close();
    }

    /** A call into a policy, named as in its extension point; {@code create} includes opening a session. */
    enum PolicyCall {
        DESCRIBE,
        CREATE,
        DELTA,
        ADMIT,
        PLACE,
        ASSIGN,
        DESIRE,
        JUDGE,
        DECLARE,
        CLOSE;

        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** How a call of a policy failed. */
    enum FailureKind {
        /** It threw an exception. */
        THREW,
        /** It did not return within its deadline. */
        HUNG,
        /** It returned a result that breaks a rule of its extension point. */
        VIOLATION,
        /** It rejected its configuration. */
        REFUSED,
        /**
         * It was not called, because too many calls into its bundle never returned, or other calls used all threads
         * for too long.
         */
        NOT_TRIED;

        public String label() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** How the quarantine of a policy ended. */
    enum ReleaseCause {
        OPERATOR,
        /** The policy was tried again, with success. */
        RECOVERY,
        CONFIGURATION,
        REGISTRATION;

        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The type of a decision. */
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
     * A distribution of times. Percentiles differ from the exact ones by at most 1/32; the maximum is exact.
     *
     * @param sumNanos sum of all times
     * @param maxNanos the longest time, 0 when there is none
     */
    record Times(
            long count, long sumNanos, long p50Nanos, long p90Nanos, long p99Nanos, long p999Nanos, long maxNanos) {

        /** No measurements. */
        public static final Times NONE = new Times(0, 0, 0, 0, 0, 0, 0);
    }

    /** Number of failures of one kind in one call. */
    record FailureCount(PolicyCall call, FailureKind kind, long count) {}

    /**
     * Figures of one policy, over all versions, generations and registrations of its kind and name.
     *
     * @param registered number of services that offer it now
     * @param inFlight number of calls that wait for a thread or run
     * @param abandoned number of calls that have not returned and are no longer waited for
     * @param decisions number of decisions that it made
     * @param all times of all its calls. An abandoned call counts with the time until it was abandoned
     * @param calls times of its calls by name
     * @param queued times from the request of a call to its start
     * @param failures numbers of failures, only those above 0
     * @param quarantines number of quarantines
     * @param releases number of ended quarantines by cause
     * @param configurationsRefused number of configurations that it or the host rejected
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

        /** Number of failures of one kind in all calls. */
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
     * @param pool empty for scaling, whose owners are jobs
     * @param times times from the start of the deciding round to the decision
     */
    record DecisionFigures(String pool, DecisionType type, Times times) {}

    /**
     * Changes of the deciding policy, over all owners.
     *
     * @param cause cause in the swap record
     */
    record SwapCount(PolicyKind kind, PolicyEvent cause, long count) {}

    /**
     * Figures of the host.
     *
     * @param leases number of running decisions by kind; each leases a policy of that kind
     * @param generations number of policy instances in use
     * @param abandoned number of threads in calls that have not returned
     * @param redone number of rounds that were repeated because a policy of that kind failed, without that policy
     * @param fallbacks number of decisions made by a policy other than the intended one
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
