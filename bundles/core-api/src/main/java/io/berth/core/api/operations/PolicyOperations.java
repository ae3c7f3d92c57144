package io.berth.core.api.operations;

import io.berth.spi.PolicyKind;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** What users see of policies and decisions, and how they choose. Answers at once. */
public interface PolicyOperations {

    List<PolicyDetails> policies();

    /** As {@link #use(PolicyKind, String, OptionalLong, String)}, whatever the index is. */
    default void use(PolicyKind kind, String selector) {
        use(kind, selector, OptionalLong.empty(), "the program");
    }

    /**
     * Chooses the policy of a kind, for the default pool and the jobs that do not choose themselves. Takes effect at
     * the next decision. Where choices are kept, it is kept before this returns: the caller's thread waits for the
     * disk, so never call it on a main thread.
     *
     * @param selector name or LDAP filter on service properties; empty: by ranking
     * @param expectedIndex index that the choice must have; when it has another, nothing is changed
     * @param by who asks, for people
     * @throws IllegalArgumentException names what was asked for and what there is
     * @throws IllegalStateException when the choice cannot be kept; nothing was changed
     */
    UseResult use(PolicyKind kind, String selector, OptionalLong expectedIndex, String by);

    /**
     * Goes back to the choice before the last change of a kind, as a change of its own: done twice, it is where it was.
     * Parameters and failures as for {@link #use(PolicyKind, String, OptionalLong, String)}.
     *
     * @throws IllegalArgumentException also when the choice was never changed
     */
    UseResult revert(PolicyKind kind, OptionalLong expectedIndex, String by);

    /** The last changes of deciding policies, newest first; at most {@code limit}. */
    List<SwapDetails> swaps(Optional<PolicyKind> kind, int limit);

    /**
     * Ends the quarantine of a policy: it may decide again from the next decision on, and its failures count from zero.
     *
     * @throws IllegalArgumentException when there is no such policy, or it is not quarantined; names what there is
     */
    void release(PolicyKind kind, String name, String by);

    /**
     * Why policies decide or do not, those of installed bundles that do not run included. May read the manifests of
     * all bundles: never call it on a main thread.
     *
     * @param kind empty: all
     * @param name empty: all
     */
    List<PolicyDiagnosis> diagnose(Optional<PolicyKind> kind, Optional<String> name);

    /** The choices in force, one for each kind that can be chosen. */
    List<ChoiceDetails> choices();

    /** The choice in force; empty: by ranking. */
    Optional<String> choice(PolicyKind kind);

    /** The last decisions that pass the filter, newest first. */
    List<DecisionDetails> decisions(DecisionFilter filter);

    Optional<DecisionDetails> decision(long number);

    /** What became of a change of a choice. */
    sealed interface UseResult {

        /** @param index of the choice now */
        record Changed(long index) implements UseResult {}

        /**
         * Nothing was changed.
         *
         * @param current the choice in force: what it is, its index, who made it and when
         */
        record Conflict(ChoiceDetails current) implements UseResult {}
    }

    /**
     * The choice of a kind.
     *
     * @param name name or LDAP filter; empty: by ranking
     * @param index how often it was changed; each change adds one
     * @param by who made it
     * @param wallMillis when it was made, 0 when it was never changed
     */
    record ChoiceDetails(PolicyKind kind, String name, long index, String by, long wallMillis) {

        @Override
        public String toString() {
            return kind.label() + " is " + (name.isEmpty() ? "chosen by ranking" : "'" + name + "'") + " at index "
                    + index + (index == 0 ? "" : ", by " + by + " at " + Instant.ofEpochMilli(wallMillis));
        }
    }

    /**
     * A change of the deciding policy at one owner of decisions.
     *
     * @param wallMillis when it was caused
     * @param owner {@code pool default} or {@code job ID}
     * @param cause {@code use by WHO}, {@code install}, {@code uninstall}, {@code update}, {@code ranking}, {@code
     *     properties}, {@code configuration}, {@code quarantine} or {@code release}
     * @param from who decided before, named {@code none} when nobody did; generation 0 when it never decided here
     * @param to who decides now, named {@code none} when nobody does; generation 0 until its first decision
     * @param inFlight decisions of this kind that were under way, over all owners, when it was caused; they end with
     *     the policy they began with
     * @param firstDecision number of the first decision by the new one, 0 until then
     * @param addedDelayMicros how much longer than usual this owner waited for that first decision, -1 until then:
     *     from the start of its round, or from when it first asked and nobody was there, to the decision, less the
     *     average of the owner's rounds before; at least 0. Creating the new generation and a failure of the old one in
     *     the same round count, waiting until somebody asks does not
     * @param index of the choice of the kind when it was caused
     */
    record SwapDetails(
            long number,
            long wallMillis,
            PolicyKind kind,
            String owner,
            String cause,
            PolicyStamp from,
            PolicyStamp to,
            int inFlight,
            long firstDecision,
            long addedDelayMicros,
            long index) {}

    /**
     * Why a policy decides or does not.
     *
     * @param verdict {@code deciding}, {@code outranked}, {@code filtered out}, {@code quarantined}, {@code
     *     configuration refused}, {@code cannot be used}, {@code being checked}, {@code not resolved}, {@code not
     *     started} or {@code not registered}
     * @param text the cause and the next step, for people
     */
    record PolicyDiagnosis(
            PolicyKind kind, String name, String bundle, String version, String verdict, String text) {}

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
