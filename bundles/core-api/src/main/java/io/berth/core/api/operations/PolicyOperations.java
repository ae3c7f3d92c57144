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
     * @throws IllegalArgumentException names what was asked for and what there is; or, where only other processes decide
     *     by the kind, these
     * @throws IllegalStateException when the choice cannot be kept; nothing was changed
     */
    UseResult use(PolicyKind kind, String selector, OptionalLong expectedIndex, String by);

    /**
     * Goes back to the choice before the last change of a kind, as a change of its own; done again, it goes back to the
     * choice before that, as far as earlier choices are kept. Parameters and failures as for {@link #use(PolicyKind,
     * String, OptionalLong, String)}.
     *
     * @throws IllegalArgumentException also when there is nothing to go back to
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
     * @param obstacle why it is not followed, as {@code is not there: first-fit decides in its place}; empty when it is
     */
    record ChoiceDetails(PolicyKind kind, String name, long index, String by, long wallMillis, String obstacle) {

        /** The choice with the reason why it is not followed. */
        public ChoiceDetails withObstacle(String reason) {
            return new ChoiceDetails(kind, name, index, by, wallMillis, reason);
        }

        /** For lists: what is chosen, and what is in its way. */
        public String line() {
            return "chosen: " + kind.label() + " " + (name.isEmpty() ? "by ranking" : name) + " (index " + index + ")"
                    + (obstacle.isEmpty() ? "" : ", which " + obstacle);
        }

        @Override
        public String toString() {
            return kind.label() + " is " + (name.isEmpty() ? "chosen by ranking" : "'" + name + "'") + " at index "
                    + index + (index == 0 ? "" : ", by " + by + " at " + Instant.ofEpochMilli(wallMillis));
        }
    }

    /**
     * A change of the deciding policy at one owner of decisions, with what shows that it changed nothing else. Kept over
     * a restart where a metadata store is there.
     *
     * @param number counted over all records that are kept, from 1
     * @param wallMillis when it was caused
     * @param owner {@code pool default}, {@code assignments of pool default}, {@code job ID} or {@code backend NAME}
     * @param cause an update is one record; only when another policy decided while it was away, there are two, each of
     *     cause {@code update}
     * @param from who decided before, named {@code none} when nobody did; generation 0 when it never decided here
     * @param to who decides now, named {@code none} when nobody does; generation 0 until its first decision
     * @param inFlight decisions of this kind that were under way, over all owners, when it was caused; they end with
     *     the policy they began with
     * @param firstDecision number of the first decision by the new one, 0 until then
     * @param addedDelayMicros how much longer than usual that first decision took, seen by the owner: {@code
     *     delayMicros} less {@code usualMicros}, at least 0; -1 until it was committed
     * @param index of the choice of the kind when it was caused
     * @param delayMicros from the moment when the first decision by the new one was due to the moment when it was
     *     committed, -1 until then. Creating the new generation, a failure of the old one in the same decision and time
     *     in which nobody was there to decide count; waiting until a decision is due does not
     * @param usualMicros the same for this owner's decisions before, as a moving average; 0 when there was none
     * @param refreshed bundles that lost their wiring because of the change
     * @param ledger of the owner, before and after
     * @param overtakenBy number of the next record of this owner and kind when that came before the first decision, else
     *     0
     * @param hostStartedMillis when the policy host that wrote this was started; generations and decisions are counted
     *     from then
     */
    record SwapDetails(
            long number,
            long wallMillis,
            PolicyKind kind,
            String owner,
            SwapCause cause,
            PolicyStamp from,
            PolicyStamp to,
            int inFlight,
            long firstDecision,
            long addedDelayMicros,
            long index,
            long delayMicros,
            long usualMicros,
            RefreshedBundles refreshed,
            SwapLedger ledger,
            long overtakenBy,
            long hostStartedMillis) {}

    /** @param by who requested it; empty when nobody did */
    record SwapCause(PolicyEvent event, String by) {

        /** As users see it: {@code use by WHO}, for example. */
        public String label() {
            return event.label() + (by.isEmpty() ? "" : " by " + by);
        }
    }

    /**
     * Bundles that the framework reported as not resolved any more in the window of a change: the bundle itself when it
     * was updated or uninstalled, and others that were wired to it.
     *
     * @param names symbolic names, the first few only
     */
    record RefreshedBundles(int count, List<String> names) {

        public static final RefreshedBundles NONE = new RefreshedBundles(0, List.of());

        public RefreshedBundles {
            names = List.copyOf(names);
        }
    }

    /**
     * The ledger of allocated slots around a change.
     *
     * @param lastDecision after the last decision before the change was committed
     * @param opened when the new generation was opened
     * @param firstBefore just before the first decision by the new one was committed
     * @param firstAfter just after that
     * @param firstSlots how many slots that decision allocated
     */
    record SwapLedger(
            LedgerStamp lastDecision,
            LedgerStamp opened,
            LedgerStamp firstBefore,
            LedgerStamp firstAfter,
            int firstSlots,
            SwapVerdict verdict) {

        public static final SwapLedger NONE = new SwapLedger(
                LedgerStamp.NONE, LedgerStamp.NONE, LedgerStamp.NONE, LedgerStamp.NONE, 0, SwapVerdict.Plain.NO_LEDGER);
    }

    /**
     * A ledger at one moment.
     *
     * @param hash over all allocations, 16 hexadecimal digits; {@code none} where it is not known
     * @param slots that are allocated
     * @param changes until then: {@code granted} by decisions, {@code ended} and {@code reported} by workers
     */
    record LedgerStamp(String hash, int slots, long changes, long granted, long ended, long reported) {

        public static final LedgerStamp NONE = new LedgerStamp("none", 0, 0, 0, 0, 0);

        @Override
        public String toString() {
            return hash + " (" + slots + " slots, " + changes + " changes)";
        }
    }

    /**
     * Why a policy decides or does not.
     *
     * @param text the cause and the next step, for people
     */
    record PolicyDiagnosis(
            PolicyKind kind, String name, String bundle, String version, PolicyVerdict verdict, String text) {}

    /**
     * One policy that is installed.
     *
     * @param verdict deciding, ready, or in one word why it cannot decide
     * @param state the same with the cause, for people
     * @param generation of its current instance, 0 without one
     */
    record PolicyDetails(
            PolicyKind kind,
            String name,
            String summary,
            String bundle,
            String version,
            int ranking,
            PolicyVerdict verdict,
            String state,
            long generation,
            long decisions,
            long failures) {}

    /**
     * Which decisions are asked for. Absent parts let everything pass.
     *
     * @param kind and {@code policy}, {@code generation}: those in which one policy took part that fits all that are
     *     given
     * @param job that it concerned
     * @param pool for which it was made: {@code default} finds plans and assignments of pool default
     * @param after only decisions with a higher number
     * @param limit 1 to 10,000
     */
    record DecisionFilter(
            Optional<PolicyKind> kind,
            Optional<String> policy,
            OptionalLong generation,
            Optional<String> job,
            Optional<String> pool,
            long after,
            int limit) {

        public DecisionFilter {
            if (limit < 1 || limit > 10_000) {
                throw new IllegalArgumentException("limit is " + limit + ": 1 to 10000 is allowed");
            }
            if (after < 0) {
                throw new IllegalArgumentException("after is " + after + ": a number from 0 is allowed");
            }
            if (generation.isPresent() && generation.getAsLong() < 1) {
                throw new IllegalArgumentException(
                        "generation is " + generation.getAsLong() + ": a number from 1 is allowed");
            }
        }

        /** By policy and job only. */
        public DecisionFilter(Optional<PolicyKind> kind, Optional<String> policy, Optional<String> job, int limit) {
            this(kind, policy, OptionalLong.empty(), job, Optional.empty(), 0, limit);
        }
    }

    /**
     * One decision.
     *
     * @param owner {@code pool default}, {@code assignments of pool default} or {@code job ID}
     * @param policies that made it, in the order of their calls, as {@code matching first-fit 0.1.0 generation 3}
     * @param stateNumber of the input
     * @param jobs that it concerned
     * @param inputs demands with minimum, desired and have, workers in sum and kinds of worker; {@code results} and
     *     {@code reasons}: for people, a line each
     * @param candidates that could have decided, in their order, by kind
     * @param rounds what was tried, in order, with what was wrong with what was made again
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
            long micros,
            List<ConsideredPolicy> candidates,
            List<String> rounds) {

        public DecisionDetails {
            policies = List.copyOf(policies);
            jobs = List.copyOf(jobs);
            inputs = List.copyOf(inputs);
            results = List.copyOf(results);
            reasons = List.copyOf(reasons);
            candidates = List.copyOf(candidates);
            rounds = List.copyOf(rounds);
        }
    }

    /**
     * A policy that could have made a decision.
     *
     * @param verdict {@code decided}, {@code came after}, {@code left out} of this decision with what it did wrong, or
     *     why it could not decide: {@code quarantined}, for example
     */
    record ConsideredPolicy(
            PolicyKind kind, String name, String bundle, String version, long configurationRevision, String verdict) {}

    /** A policy as a decision names it. */
    record PolicyStamp(
            PolicyKind kind, String name, String bundle, String version, long generation, long configurationRevision) {}
}
