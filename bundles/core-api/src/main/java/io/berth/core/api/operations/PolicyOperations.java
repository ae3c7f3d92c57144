package io.berth.core.api.operations;

import io.berth.spi.PolicyKind;
import java.util.List;
import java.util.Optional;

/** What users see of policies and decisions, and how they choose. Answers at once. */
public interface PolicyOperations {

    List<PolicyDetails> policies();

    /**
     * Chooses the policy of a kind, for the default pool and the jobs that do not choose themselves. Takes effect at
     * the next decision.
     *
     * @param selector name or LDAP filter on service properties; empty: by ranking
     * @throws IllegalArgumentException names what was asked for and what there is
     */
    void use(PolicyKind kind, String selector);

    /** The choice in force; empty: by ranking. */
    Optional<String> choice(PolicyKind kind);

    /** The last decisions that pass the filter, newest first. */
    List<DecisionDetails> decisions(DecisionFilter filter);

    Optional<DecisionDetails> decision(long number);

    /**
     * One policy that is installed.
     *
     * @param state {@code deciding}, {@code ready}, or why it cannot decide
     * @param generation of its current instance, 0 without one
     */
    record PolicyDetails(
            PolicyKind kind,
            String name,
            String summary,
            String bundle,
            String version,
            int ranking,
            String state,
            long generation,
            long decisions,
            long failures) {}

    /** Absent parts let everything pass; {@code limit} from 1 to 10,000. */
    record DecisionFilter(Optional<PolicyKind> kind, Optional<String> policy, Optional<String> job, int limit) {

        public DecisionFilter {
            if (limit < 1 || limit > 10_000) {
                throw new IllegalArgumentException("limit is " + limit + ": 1 to 10000 is allowed");
            }
        }
    }

    /**
     * One decision.
     *
     * @param owner {@code pool default} or {@code job ID}
     * @param policies that made it, in the order of their calls, as {@code matching first-fit 0.1.0 generation 3}
     * @param stateNumber of the input
     * @param jobs that it concerned
     * @param inputs, {@code results} and {@code reasons} for people, a line each
     */
    record DecisionDetails(
            long number,
            long wallMillis,
            String owner,
            List<PolicyStamp> policies,
            long stateNumber,
            List<String> jobs,
            List<String> inputs,
            List<String> results,
            List<String> reasons,
            long micros) {

        public DecisionDetails {
            policies = List.copyOf(policies);
            jobs = List.copyOf(jobs);
            inputs = List.copyOf(inputs);
            results = List.copyOf(results);
            reasons = List.copyOf(reasons);
        }
    }

    /** A policy as a decision names it. */
    record PolicyStamp(
            PolicyKind kind, String name, String bundle, String version, long generation, long configurationRevision) {}
}
