package io.berth.core.policies.decision;

import io.berth.core.api.job.Reason;
import io.berth.core.api.job.ReasonCode;
import io.berth.core.policies.cache.AdmittedEntries;
import io.berth.policy.rules.placement.LeftOut;
import io.berth.policy.rules.placement.PlacementResult;
import io.berth.spi.JobId;
import io.berth.spi.PolicyKind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Reasons why there is no decision, or why a unit lacks slots: what the host knows, with texts of policies as leaves.
 */
final class UnschedulableReasons {

    private static final int NAMED_JOBS = 3;

    private UnschedulableReasons() {}

    /**
     * No policy of a kind decides.
     *
     * @param what this means, for people
     * @param notes why policies were left out
     * @param quarantined which policies are quarantined for the owner, with the reasons
     */
    static Reason nobody(PolicyKind kind, String what, Collection<String> notes, Collection<String> quarantined) {
        List<Reason> causes = new ArrayList<>();
        quarantined.forEach(policy -> causes.add(Reason.of(ReasonCode.QUARANTINED, policy)));
        notes.forEach(note -> causes.add(Reason.of(ReasonCode.POLICY_FAILED, note)));
        ReasonCode absent = kind == PolicyKind.DISTRIBUTION ? ReasonCode.NO_DISTRIBUTION : ReasonCode.NO_STRATEGY;
        ReasonCode code =
                !quarantined.isEmpty() ? ReasonCode.QUARANTINED : notes.isEmpty() ? absent : ReasonCode.POLICY_FAILED;
        return Reason.of(code, what, causes);
    }

    /** The distribution policy left a unit out; {@code words} are empty when it gave no reason. */
    static Reason deferred(String policy, String words) {
        return words.isEmpty()
                ? Reason.of(ReasonCode.DEFERRED, "not admitted by distribution policy " + policy)
                : Reason.of(
                        ReasonCode.DEFERRED,
                        "deferred by distribution policy " + policy,
                        List.of(Reason.of(ReasonCode.POLICY, words)));
    }

    /** The matching strategy left out a minimum for which the host finds room. */
    static Reason leftOut(LeftOut minimum, String policy) {
        return Reason.of(
                ReasonCode.NOT_PLACED,
                "left out by matching strategy " + policy + " though there is room: " + minimum.what(),
                minimum.reason().isEmpty() ? List.of() : List.of(Reason.of(ReasonCode.POLICY, minimum.reason())));
    }

    /**
     * The matching strategy placed less than was admitted.
     *
     * @param group of the slots; empty when the unit has no other
     * @param words empty when it gave no reason
     * @param excluded whether it excludes workers
     */
    static Reason notPlaced(String what, String policy, String group, String words, boolean excluded) {
        return Reason.of(
                ReasonCode.NOT_PLACED,
                "no room for " + what,
                words.isEmpty()
                        ? List.of()
                        : List.of(Reason.of(
                                excluded ? ReasonCode.EXCLUDED : ReasonCode.POLICY,
                                "matching strategy " + policy + (group.isEmpty() ? "" : ", group " + group) + ": "
                                        + words)));
    }

    /** What the strategy says about another group of the unit too. */
    static Reason notPlacedEither(Reason first, Reason other) {
        List<Reason> causes = new ArrayList<>(first.causes());
        causes.addAll(other.causes());
        return Reason.of(first.code(), first.text(), causes);
    }

    /**
     * Room that the strategy reserves, for those that do not get it.
     *
     * @param jobs that have room reserved
     * @param firstRank of an entry that has room reserved
     * @param words that say so
     */
    record Reserved(Set<JobId> jobs, int firstRank, String words) {

        private static final Reserved NONE = new Reserved(Set.of(), Integer.MAX_VALUE, "");

        static Reserved of(AdmittedEntries entries, PlacementResult plan) {
            SortedMap<JobId, Integer> slots = new TreeMap<>();
            int[] first = {Integer.MAX_VALUE};
            plan.eachReservation((entry, worker, count) -> {
                slots.merge(entries.job(entry), count, Integer::sum);
                first[0] = Math.min(first[0], entries.rank(entry));
            });
            return slots.isEmpty() ? NONE : new Reserved(slots.keySet(), first[0], words(slots));
        }

        private static String words(SortedMap<JobId, Integer> slots) {
            int more = slots.size() - NAMED_JOBS;
            return slots.entrySet().stream()
                    .limit(NAMED_JOBS)
                    .map(job -> job.getValue() + (job.getValue() == 1 ? " slot" : " slots") + " of job " + job.getKey())
                    .collect(Collectors.joining(
                            ", ",
                            "reserves room for ",
                            more > 0 ? " and of " + more + (more == 1 ? " more job" : " more jobs") : ""));
        }

        /** Empty when it keeps the entry from nothing. */
        String text(AdmittedEntries entries, int entry) {
            return jobs.isEmpty() || entries.rank(entry) < firstRank || jobs.contains(entries.job(entry)) ? "" : words;
        }
    }

    /**
     * What the strategy says about an entry that it did not place completely.
     *
     * @param reserved for others; may be empty
     */
    static String words(PlacementResult plan, int entry, String reserved) {
        List<String> words = new ArrayList<>();
        if (!plan.reason(entry).isEmpty()) {
            words.add(plan.reason(entry));
        }
        if (plan.reserved(entry) > 0) {
            words.add("room for " + plan.reserved(entry) + " of them is reserved");
        } else if (!reserved.isEmpty()) {
            words.add(reserved);
        }
        plan.excludedWorkers(entry).forEach((reason, count) -> words.add(excludes(count, "worker", reason)));
        plan.excludedSpecs(entry).forEach((reason, count) -> words.add(excludes(count, "spec", reason)));
        return String.join("; ", words);
    }

    private static String excludes(int count, String what, String reason) {
        return "excludes " + count + " " + what + (count == 1 ? ": " : "s: ") + reason;
    }
}
