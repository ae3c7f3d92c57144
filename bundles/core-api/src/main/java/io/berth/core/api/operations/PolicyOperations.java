package io.berth.core.api.operations;

import io.berth.core.api.job.PolicyChoice;
import io.berth.core.api.job.Problem;
import io.berth.core.api.policy.PoolDefinition;
import io.berth.spi.PolicyKind;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/** Policies and decisions as users see them, and the choice of policies. The methods answer at once. */
public interface PolicyOperations extends ShadowOperations {

    List<PolicyDetails> policies();

    /** As {@link #use(PolicyKind, String, OptionalLong, String)}, for any index. */
    default void use(PolicyKind kind, String selector) {
        use(kind, selector, OptionalLong.empty(), "the program");
    }

    /**
     * Chooses the policy of a kind for the default pool and for jobs without their own choice. The choice takes effect
     * at the next decision. If choices are stored, the method waits until the disk has this one, so it must not be
     * called on a main thread.
     *
     * @param selector name, or LDAP filter on service properties; empty: by ranking
     * @param expectedIndex index that the current choice must have; otherwise nothing is changed
     * @param by name of the caller, for people
     * @throws IllegalArgumentException when the policy is unknown; the message names it and the known ones. Also when
     *     only other processes use this kind; the message names them
     * @throws IllegalStateException when the choice cannot be stored; then nothing was changed
     */
    UseResult use(PolicyKind kind, String selector, OptionalLong expectedIndex, String by);

    /**
     * Returns to the choice before the last change of a kind, which is a new change. A repeated call returns to the
     * choice before that, if it is still stored. Parameters and exceptions are those of {@link #use(PolicyKind,
     * String, OptionalLong, String)}.
     *
     * @throws IllegalArgumentException also when there is no earlier choice
     */
    UseResult revert(PolicyKind kind, OptionalLong expectedIndex, String by);

    /** The last {@code limit} changes of deciding policies, newest first. */
    List<SwapDetails> swaps(Optional<PolicyKind> kind, int limit);

    /**
     * Ends all quarantines of a policy, also those for single pools and jobs. It may decide again from the next
     * decision, and the count of its failures restarts at 0.
     *
     * @throws IllegalArgumentException when there is no such policy, or it is not quarantined; the message names the
     *     known ones
     */
    void release(PolicyKind kind, String name, String by);

    /**
     * Why policies decide or do not decide, including policies of installed bundles that are not active. The method
     * may read the manifests of all bundles, so it must not be called on a main thread.
     *
     * @param kind empty: all
     * @param name empty: all
     */
    List<PolicyDiagnosis> diagnose(Optional<PolicyKind> kind, Optional<String> name);

    /**
     * What is wrong with parameters that a job gives to an installed policy beside the policy's own configuration, by
     * key. The policy itself is not asked.
     */
    List<Problem> problems(PolicyKind kind, String name, SortedMap<String, String> parameters);

    /**
     * Why a job may not be submitted to a queue: what is allowed instead. Empty when it may, also when the pool has no
     * configured queues.
     *
     * @param submitter empty: not known
     */
    Optional<String> queueRefusal(String pool, String queue, String submitter);

    /** Names of the pools that jobs may name, in the order in which they choose workers. */
    List<String> poolNames();

    /** The pools, by name. What is used in them is known where the ResourceManager is led. */
    List<PoolDetails> pools();

    /** The pools whose files name a policy of the kind, with its name: the common choice does not count for them. */
    default SortedMap<String, String> ownChoices(PolicyKind kind) {
        SortedMap<String, String> own = new TreeMap<>();
        pools().forEach(pool -> Optional.ofNullable(pool.policies().get(kind.label()))
                .ifPresent(choice -> own.put(pool.name(), choice.selector())));
        return own;
    }

    /** The current choices, one for each kind that can be chosen. */
    List<ChoiceDetails> choices();

    /** The current choice; empty: by ranking. */
    Optional<String> choice(PolicyKind kind);

    /** The last decisions that match the filter, newest first. */
    List<DecisionDetails> decisions(DecisionFilter filter);

    Optional<DecisionDetails> decision(long number);

    /**
     * Writes the recorded decisions, for {@code berth simulate --decisions}. Waits for the disk.
     *
     * @param from begins at the last recorded state before the decision with this number; empty: with the oldest
     * @param to ends after the decision with this number; empty: with the newest
     * @throws IllegalStateException when no decisions are recorded; then nothing was written
     */
    default void exportDecisions(OptionalLong from, OptionalLong to, OutputStream out) throws IOException {
        throw new IllegalStateException("this process records no decisions");
    }

    /** Outcome of changing a choice. */
    sealed interface UseResult {

        /** @param index new index of the choice */
        record Changed(long index) implements UseResult {}

        /**
         * Nothing was changed.
         *
         * @param current the current choice
         */
        record Conflict(ChoiceDetails current) implements UseResult {}
    }

    /**
     * The choice for a kind.
     *
     * @param name name or LDAP filter; empty: by ranking
     * @param index number of changes so far
     * @param by name of the one who made it
     * @param wallMillis when it was made, 0 when it was never changed
     * @param obstacle why it has no effect, for example {@code is not there: first-fit decides in its place}; empty
     *     when it has effect
     */
    record ChoiceDetails(PolicyKind kind, String name, long index, String by, long wallMillis, String obstacle) {

        /** The same choice with a reason why it has no effect. */
        public ChoiceDetails withObstacle(String reason) {
            return new ChoiceDetails(kind, name, index, by, wallMillis, reason);
        }

        /** The choice and its obstacle, for lists. */
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
     * A change of the deciding policy at one owner of decisions, with the proof that nothing else changed. The record
     * survives a restart if there is a metadata store.
     *
     * @param number number of the record, from 1
     * @param wallMillis wall time of the cause
     * @param owner {@code pool default}, {@code assignments of pool default}, {@code job ID} or {@code backend NAME}
     * @param cause cause of the change. An update is one record; if another policy decided during the update, there
     *     are two records, both with cause {@code update}
     * @param from previous policy, {@code none} if there was none; generation 0 if it never decided here
     * @param to new policy, {@code none} if there is none; generation 0 until its first decision
     * @param inFlight number of running decisions of this kind, over all owners, at the time of the cause; each ends
     *     with the policy that began it
     * @param firstDecision number of the first decision by the new policy, 0 until then
     * @param addedDelayMicros how much longer than usual the first decision took for the owner: {@code delayMicros}
     *     minus {@code usualMicros}, at least 0; -1 until it is committed
     * @param index index of the choice for the kind at the time of the cause
     * @param delayMicros time from when the first decision by the new policy was due until it was committed, -1 until
     *     then. It includes creating the new generation, a failure of the old one in the same decision, and time
     *     without a policy that could decide. It does not include waiting until a decision is due
     * @param usualMicros moving average of this time over the owner's earlier decisions; 0 if there were none
     * @param refreshed bundles that were refreshed because of the change
     * @param ledger ledger of the owner, before and after
     * @param overtakenBy number of the next record of this owner and kind, if that change came before the first
     *     decision; otherwise 0
     * @param hostStartedMillis wall time when the policy host that wrote this record started; generations and
     *     decisions are counted from then
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

    /** @param by who requested it; empty if nobody did */
    record SwapCause(PolicyEvent event, String by) {

        /** The text that users see, for example {@code use by WHO}. */
        public String label() {
            return event.label() + (by.isEmpty() ? "" : " by " + by);
        }
    }

    /**
     * Bundles that the framework reported as unresolved during a change: the bundle itself if it was updated or
     * uninstalled, and bundles that were wired to it.
     *
     * @param names the first few symbolic names
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
     * @param lastDecision just after the last decision before the change was committed
     * @param opened when the new generation was opened
     * @param firstBefore just before the first decision by the new policy was committed
     * @param firstAfter just after that
     * @param firstSlots number of slots that this first decision allocated
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
     * @param hash hash of all allocations, 16 hexadecimal digits; {@code none} if it is unknown
     * @param slots number of allocated slots
     * @param changes number of changes so far: {@code granted} by decisions, {@code ended}, and {@code reported} by
     *     workers
     */
    record LedgerStamp(String hash, int slots, long changes, long granted, long ended, long reported) {

        public static final LedgerStamp NONE = new LedgerStamp("none", 0, 0, 0, 0, 0);

        @Override
        public String toString() {
            return hash + " (" + slots + " slots, " + changes + " changes)";
        }
    }

    /**
     * Why a policy decides or does not decide.
     *
     * @param text the cause and the next step, for people
     */
    record PolicyDiagnosis(
            PolicyKind kind, String name, String bundle, String version, PolicyVerdict verdict, String text) {}

    /**
     * One installed policy.
     *
     * @param verdict deciding, ready, or the reason why it cannot decide
     * @param state the verdict with its cause, for people
     * @param generation number of its current instance, 0 if there is none
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
     * A pool.
     *
     * @param halfLifeMillis after which half of what a queue used is forgotten
     * @param measuredMillis wall-clock time of the figures; 0: there are none here
     * @param queues parents before their children, the root first
     * @param order pools with a lower one choose workers first
     * @param members which workers belong to it, for people
     * @param rule its matching rule, {@code exact} or {@code loose}; empty: that of the ResourceManager
     * @param policies those that its file names, by kind; a kind that is missing follows the common choice
     * @param fallbacks what decides in place of a missing policy, by kind; a kind that is missing has the common ones
     * @param obstacles why a policy that its file names does not decide, for example {@code is not there: first-fit
     *     decides in its place}, or why the common one does not decide for this pool, by kind; a kind that is missing has
     *     none. Under {@link PoolDetails#FILE}, why its file is not in effect
     * @param startsWorkers whether workers may be started for it
     */
    record PoolDetails(
            String name,
            long halfLifeMillis,
            long measuredMillis,
            List<QueueDetails> queues,
            int order,
            String members,
            String rule,
            SortedMap<String, PolicyChoice> policies,
            SortedMap<String, List<String>> fallbacks,
            SortedMap<String, String> obstacles,
            PoolDefinition.Limits limits,
            boolean startsWorkers) {

        /** The name under which {@link #obstacles} says why the file of the pool is not in effect. */
        public static final String FILE = "file";

        /** The default pool without settings of its own. */
        public PoolDetails(String name, long halfLifeMillis, long measuredMillis, List<QueueDetails> queues) {
            this(
                    name,
                    halfLifeMillis,
                    measuredMillis,
                    queues,
                    PoolDefinition.DEFAULT.order(),
                    PoolDefinition.DEFAULT.membersText(),
                    "",
                    new TreeMap<>(),
                    new TreeMap<>(),
                    new TreeMap<>(),
                    PoolDefinition.Limits.NONE,
                    true);
        }

        public PoolDetails {
            queues = List.copyOf(queues);
        }
    }

    /**
     * A queue of a pool. Amounts are by resource; {@code used} and what follows include the queues below.
     *
     * @param parent name of the queue above; empty for the root
     * @param guaranteed what it should have; a resource that is missing is not guaranteed
     * @param limit what it may have at most; a resource that is missing is not limited
     * @param submitters who may submit jobs to it; empty: everybody
     * @param used what its jobs have
     * @param pending what its jobs lack
     * @param usedSeconds what they used over time, with decay: amount times seconds
     */
    record QueueDetails(
            String name,
            String parent,
            double weight,
            SortedMap<String, Long> guaranteed,
            SortedMap<String, Long> limit,
            List<String> submitters,
            SortedMap<String, Long> used,
            SortedMap<String, Long> pending,
            SortedMap<String, Long> usedSeconds) {}

    /**
     * Selects decisions. An empty field matches all decisions.
     *
     * @param kind with {@code policy} and {@code generation}: selects decisions in which one policy with all given
     *     properties took part
     * @param job that it concerned
     * @param pool pool of the decision; {@code default} selects plans and assignments of the pool default
     * @param after selects only decisions with a higher number
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

        /** A filter by policy and job only. */
        public DecisionFilter(Optional<PolicyKind> kind, Optional<String> policy, Optional<String> job, int limit) {
            this(kind, policy, OptionalLong.empty(), job, Optional.empty(), 0, limit);
        }
    }

    /**
     * One decision.
     *
     * @param owner {@code pool default}, {@code assignments of pool default} or {@code job ID}
     * @param policies policies that made it, in the order of their calls, for example {@code matching first-fit 0.1.0
     *     generation 3}
     * @param stateNumber of the input
     * @param jobs that it concerned
     * @param inputs requirements with minimum, desired and current slots, a summary of workers, and kinds of workers,
     *     as lines for people; {@code results} and {@code reasons}: also lines for people
     * @param candidates policies that could have decided, by kind and rank
     * @param rounds the rounds in order; a repeated round has the problem of the previous one
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
     * @param verdict {@code decided}, {@code came after}, {@code left out} with the problem in this decision, or the
     *     reason why it could not decide, for example {@code quarantined}
     */
    record ConsideredPolicy(
            PolicyKind kind, String name, String bundle, String version, long configurationRevision, String verdict) {}

    /** A policy as recorded with a decision. */
    record PolicyStamp(
            PolicyKind kind, String name, String bundle, String version, long generation, long configurationRevision) {}
}
