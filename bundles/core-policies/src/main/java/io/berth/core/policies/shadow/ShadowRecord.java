package io.berth.core.policies.shadow;

import io.berth.core.api.operations.ShadowOperations.ShadowDetails;
import io.berth.core.api.operations.ShadowOperations.ShadowFigures;
import io.berth.core.api.operations.ShadowOperations.ShadowedDecision;
import io.berth.core.policies.registration.PolicyCandidate;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** What is known of one shadow, for people. Thread-safe. */
final class ShadowRecord {

    /** The states that are no end. */
    enum State {
        WAITS("waits"),
        FOLLOWS("follows"),
        BEHIND("is behind"),
        ABSENT("is absent");

        private final String label;

        State(String label) {
            this.label = label;
        }
    }

    private static final int MAX_KEPT = 1_000;

    private final Shadow.Begun begun;
    private Optional<PolicyCandidate> policy = Optional.empty();
    private String stopCause = "";
    private long agreed;
    private long differed;
    private long failed;
    private long skipped;
    private long lastDifferent;
    private ShadowFigures decidedSum = ShadowFigures.NONE;
    private ShadowFigures shadowedSum = ShadowFigures.NONE;
    private final SortedMap<Long, ShadowedDecision> kept = new TreeMap<>();

    ShadowRecord(Shadow.Begun begun) {
        this.begun = begun;
    }

    /** @param found empty when it is not there */
    synchronized void policy(Optional<PolicyCandidate> found) {
        policy = found;
    }

    synchronized void skipped() {
        skipped++;
    }

    /** Both decided; they agree if there are no differences. */
    synchronized void compared(long decision, ShadowResult result) {
        if (result.differences().isEmpty()) {
            agreed++;
        } else {
            differed++;
            lastDifferent = Math.max(lastDifferent, decision);
        }
        decidedSum = decidedSum.plus(result.decided());
        shadowedSum = shadowedSum.plus(result.shadowed());
        keep(decision, result, result.differences().isEmpty() ? "agrees" : "differs");
    }

    /** The shadow failed or broke a rule, as the differences say. */
    synchronized void failed(long decision, ShadowResult result) {
        failed++;
        keep(decision, result, "failed");
    }

    private void keep(long decision, ShadowResult result, String verdict) {
        if (decision == 0) {
            return;
        }
        kept.put(
                decision,
                new ShadowedDecision(
                        begun.pool(),
                        begun.kind(),
                        begun.name(),
                        verdict,
                        result.decided(),
                        result.shadowed(),
                        result.differences()));
        if (kept.size() > MAX_KEPT) {
            kept.remove(kept.firstKey());
        }
    }

    /** It will not decide again. */
    synchronized void stopped(String cause) {
        stopCause = cause + "; 'policy shadow " + begun.kind().label() + " " + begun.name() + "' starts it again";
    }

    synchronized Optional<ShadowedDecision> of(long decision) {
        return Optional.ofNullable(kept.get(decision));
    }

    synchronized boolean isEmpty() {
        return agreed + differed + failed == 0;
    }

    synchronized ShadowDetails details(State state) {
        boolean absent = state == State.ABSENT && stopCause.isEmpty();
        return new ShadowDetails(
                begun.pool(),
                begun.kind(),
                begun.name(),
                policy.map(there -> there.registration().bundle()).orElse(""),
                policy.map(there -> there.registration().version()).orElse(""),
                stopCause.isEmpty() ? state.label : "stopped",
                absent
                        ? "it is not installed or cannot be used: 'policy diag "
                                + begun.kind().label() + "' says why"
                        : stopCause,
                begun.by(),
                begun.wallMillis(),
                agreed + differed,
                agreed,
                differed,
                failed,
                skipped,
                lastDifferent,
                decidedSum,
                shadowedSum);
    }
}
