package io.berth.core.policies.sequence;

import io.berth.core.api.policy.PlanOutcome.GiveBack;
import io.berth.core.api.policy.PlanOutcome.Placement;
import io.berth.core.api.policy.PlanOutcome.Reclaim;
import io.berth.spi.AllocationId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a plan must have by the rules, from the answers of the two policies that made it: a second implementation, as
 * {@link SequenceModel} is.
 */
final class SequencePlan {

    /**
     * One call of a policy that decided.
     *
     * @param admits whether it is one of the distribution policy
     */
    record Step(boolean admits, long generation, Answer answer) {}

    private final List<Placement> placements = new ArrayList<>();
    private final SortedMap<Integer, Integer> reservedOn = new TreeMap<>();
    private final Map<AllocationId, GiveBack> giveBacks = new LinkedHashMap<>();
    private List<Reclaim> reclaims = List.of();
    private OptionalLong reviewMillis = OptionalLong.empty();
    /** What the reasons of units must contain. */
    private final SortedMap<Integer, List<String>> words = new TreeMap<>();

    private Optional<String> mismatch = Optional.empty();

    /** @param steps of a decision, without those before a policy failed */
    SequencePlan(List<Step> steps, SequenceDemand.Shown shown) {
        List<Answer.Entry> admitted = List.of();
        boolean placed = false;
        for (Step step : steps) {
            Answer answer = step.answer();
            if (step.admits()) {
                admitted = inRanks(answer.entries());
                answer.deferred().forEach(unit -> words.putIfAbsent(unit, List.of()));
                review(answer);
                if (!placed) {
                    reclaims = answer.reclaimed().stream()
                            .filter(one -> shown.isReturnable(one.unit()))
                            .toList();
                }
            } else {
                List<Answer.Entry> seen = inRanks(answer.entries());
                if (!seen.equals(admitted)) {
                    mismatch = Optional.of("admitted is " + admitted + ", the strategy is shown " + seen);
                }
                if (!placesWithoutMinimum(answer)) {
                    placed = true;
                    take(answer, shown);
                    review(answer);
                }
            }
        }
    }

    /** The same entries with ranks from 0, without gaps. */
    private static List<Answer.Entry> inRanks(List<Answer.Entry> entries) {
        List<Answer.Entry> dense = new ArrayList<>();
        int rank = -1;
        int last = -1;
        for (Answer.Entry entry : entries) {
            if (dense.isEmpty() || entry.rank() != last) {
                rank++;
                last = entry.rank();
            }
            dense.add(new Answer.Entry(entry.unit(), entry.group(), entry.count(), entry.minimum(), rank));
        }
        return dense;
    }

    private static int[] perEntry(Answer answer, List<Answer.OnWorker> runs) {
        int[] counts = new int[answer.entries().size()];
        runs.forEach(run -> counts[run.entry()] += run.count());
        return counts;
    }

    /** Whether a unit gets slots above a minimum that is not placed: such a round is made again. */
    private static boolean placesWithoutMinimum(Answer answer) {
        int[] counts = perEntry(answer, answer.placed());
        Set<Integer> without = new TreeSet<>();
        Set<Integer> above = new TreeSet<>();
        for (int at = 0; at < counts.length; at++) {
            Answer.Entry entry = answer.entries().get(at);
            if (entry.minimum() && counts[at] < entry.count()) {
                without.add(entry.unit());
            } else if (!entry.minimum() && counts[at] > 0) {
                above.add(entry.unit());
            }
        }
        return above.stream().anyMatch(without::contains);
    }

    private void take(Answer answer, SequenceDemand.Shown shown) {
        for (Answer.OnWorker run : answer.placed()) {
            Answer.Entry entry = answer.entries().get(run.entry());
            placements.add(new Placement(entry.unit(), entry.group(), run.worker(), run.count(), entry.minimum()));
        }
        answer.reserved().forEach(run -> reservedOn.merge(run.worker(), run.count(), Integer::sum));
        answer.givenBack().stream()
                .filter(one -> shown.returnable(one.allocation()))
                .forEach(one -> giveBacks.putIfAbsent(one.allocation(), one));
        explain(answer);
    }

    private void explain(Answer answer) {
        int[] placed = perEntry(answer, answer.placed());
        int[] reserved = perEntry(answer, answer.reserved());
        SortedMap<Integer, List<String>> now = new TreeMap<>();
        for (int at = 0; at < placed.length; at++) {
            Answer.Entry entry = answer.entries().get(at);
            if (placed[at] < entry.count()) {
                List<String> of = now.computeIfAbsent(entry.unit(), first -> new ArrayList<>());
                if (reserved[at] > 0) {
                    of.add("room for " + reserved[at] + " of them is reserved");
                }
                Answer.Excluded excluded = answer.excluded().get(at);
                if (excluded != null) {
                    int workers = excluded.workers().cardinality();
                    of.add("excludes " + workers + (workers == 1 ? " worker: " : " workers: ") + excluded.reason());
                }
            }
        }
        now.forEach(words::putIfAbsent);
    }

    private void review(Answer answer) {
        answer.reviewMillis()
                .ifPresent(millis ->
                        reviewMillis = OptionalLong.of(Math.min(millis, reviewMillis.orElse(Long.MAX_VALUE))));
    }

    List<Placement> placements() {
        return placements;
    }

    /** Slots for which room is reserved, by worker. */
    SortedMap<Integer, Integer> reservedOn() {
        return reservedOn;
    }

    List<GiveBack> giveBacks() {
        return List.copyOf(giveBacks.values());
    }

    List<Reclaim> reclaims() {
        return reclaims;
    }

    /** The smallest time after which a policy asked to be called again. */
    OptionalLong reviewMillis() {
        return reviewMillis;
    }

    /** What the reason of a unit must contain. */
    List<String> words(int unit) {
        return words.getOrDefault(unit, List.of());
    }

    /** A strategy that is shown something other than what was admitted. */
    Optional<String> mismatch() {
        return mismatch;
    }
}
