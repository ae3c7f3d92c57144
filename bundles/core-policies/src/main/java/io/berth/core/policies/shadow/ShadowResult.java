package io.berth.core.policies.shadow;

import io.berth.core.api.operations.ShadowOperations.ShadowFigures;
import java.util.List;

/**
 * What a shadow made of one decision.
 *
 * @param verdict whether there is something to count
 * @param differences from what was decided, or the failures, as lines for people
 */
record ShadowResult(Verdict verdict, ShadowFigures decided, ShadowFigures shadowed, List<String> differences) {

    enum Verdict {
        /** Both decided. */
        COMPARED,
        /** The shadow failed or broke a rule. */
        FAILED,
        /** One of them had nothing to decide. */
        NOTHING
    }

    static final ShadowResult NOTHING =
            new ShadowResult(Verdict.NOTHING, ShadowFigures.NONE, ShadowFigures.NONE, List.of());

    ShadowResult {
        differences = List.copyOf(differences);
    }

    static ShadowResult compared(ShadowFigures decided, ShadowFigures shadowed, List<String> differences) {
        return new ShadowResult(Verdict.COMPARED, decided, shadowed, differences);
    }

    static ShadowResult failed(ShadowFigures decided, long micros, List<String> failures) {
        return new ShadowResult(Verdict.FAILED, decided, ShadowFigures.ofTime(micros), failures);
    }
}
