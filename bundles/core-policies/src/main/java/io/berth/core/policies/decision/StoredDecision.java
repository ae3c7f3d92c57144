package io.berth.core.policies.decision;

import io.berth.core.api.operations.PolicyOperations.ConsideredPolicy;
import io.berth.core.api.operations.PolicyOperations.DecisionDetails;
import io.berth.core.api.operations.PolicyOperations.PolicyStamp;
import io.berth.core.api.policy.CommittedSlot;
import io.berth.core.api.policy.PlacementPlanner.Commit;
import io.berth.core.policies.registration.DecisionOwner;
import io.berth.core.policies.swap.Swap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A decision in the log. Compact: its texts are made on request. Immutable once its lines are complete.
 *
 * @param commit what the owner committed; empty until it reports, and for owners without a ledger
 */
public record StoredDecision(
        long number,
        long wallMillis,
        DecisionOwner owner,
        List<PolicyStamp> policies,
        long stateNumber,
        List<String> jobs,
        Lines inputs,
        Lines results,
        Lines reasons,
        long micros,
        List<ConsideredPolicy> candidates,
        Lines rounds,
        Optional<Commit> commit) {

    private static final int MAX_ALLOCATIONS = 100;

    StoredDecision committed(Commit done) {
        return new StoredDecision(
                number,
                wallMillis,
                owner,
                policies,
                stateNumber,
                jobs,
                inputs,
                results,
                reasons,
                micros,
                candidates,
                rounds,
                Optional.of(done));
    }

    /** Weight in the log. */
    int lines() {
        return 1
                + jobs.size()
                + inputs.size()
                + results.size()
                + reasons.size()
                + rounds.size()
                + candidates.size()
                + commit.map(done -> 1 + done.slots().size()).orElse(0);
    }

    DecisionDetails details() {
        Lines all = new Lines();
        results.all().forEach(line -> all.add(() -> line));
        commit.ifPresent(done -> reported(done, all));
        return new DecisionDetails(
                number,
                wallMillis,
                owner.toString(),
                policies,
                stateNumber,
                jobs,
                inputs.all(),
                all.all(),
                reasons.all(),
                micros,
                candidates,
                rounds.all());
    }

    private static void reported(Commit done, Lines lines) {
        if (done.slots().size() <= MAX_ALLOCATIONS) {
            for (CommittedSlot slot : done.slots()) {
                lines.add(() -> "allocation " + slot.allocation() + " on " + slot.worker() + " for job " + slot.job()
                        + " unit " + slot.unit() + " group " + slot.group());
            }
        } else {
            Map<String, Integer> counts = new LinkedHashMap<>();
            for (CommittedSlot slot : done.slots()) {
                counts.merge(
                        "committed on " + slot.worker() + " for job " + slot.job() + " group " + slot.group(),
                        1,
                        Integer::sum);
            }
            counts.forEach((line, count) -> lines.add(() -> line + ": allocations x " + count));
        }
        if (done.more() > 0) {
            lines.add(() -> "and " + done.more() + " more slots were committed");
        }
        if (!done.dropped().isBlank()) {
            lines.add(() -> "dropped: " + done.dropped());
        }
        if (!done.after().isNone()) {
            lines.add(() -> "ledger " + Swap.stamp(done.before()) + " became " + Swap.stamp(done.after())
                    + ", committed " + done.delayMicros() + " microseconds after it was due");
        }
    }
}
