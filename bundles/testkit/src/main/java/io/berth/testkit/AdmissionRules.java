package io.berth.testkit;

import io.berth.spi.distribution.AdmissionBuilder;
import io.berth.testkit.rules.BrokenRule;
import io.berth.testkit.rules.Expect;

/**
 * Asserts that an admission breaks no rule. The rules are checked by the validator of the host itself. What the host
 * ignores, and a policy should not do, is asserted beside it.
 */
final class AdmissionRules {

    private AdmissionRules() {}

    /** Whether the policy used the builder as it may, so far. */
    static void checkUse(RecordedAdmission result) {
        result.misuse().ifPresent(misuse -> {
            throw new BrokenRule("the rule of admission that it breaks with " + result.admitted() + ": " + misuse);
        });
    }

    static void check(ArrayDemandsView demands, RecordedAdmission result) {
        result.violation(demands).ifPresent(violation -> {
            throw new BrokenRule("the rule of admission that it breaks with " + result.admitted() + ": " + violation);
        });
        Expect.that(!result.rankIsOpen(), "begins a rank and does not end it");
        int reclaimed = 0;
        for (RecordedAdmission.Reclaimed one : result.reclaimed()) {
            Expect.that(
                    demands.returnable(one.unit()),
                    "reclaims slots of unit %s, for which its job may not be asked now: %s",
                    one.unit(),
                    one);
            reclaimed += one.count();
        }
        Expect.that(
                reclaimed <= AdmissionBuilder.MAX_RECLAIMED,
                "reclaims %s slots in one decision, of which only the first %s count",
                reclaimed,
                AdmissionBuilder.MAX_RECLAIMED);
    }
}
