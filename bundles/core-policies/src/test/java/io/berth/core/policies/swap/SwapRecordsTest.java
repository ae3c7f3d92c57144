package io.berth.core.policies.swap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.operations.PolicyEvent;
import io.berth.core.api.operations.PolicyOperations.SwapCause;
import io.berth.core.api.operations.SwapVerdict;
import io.berth.core.api.operations.SwapVerdict.Rule;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The stored form of causes and verdicts is the text that users see, as in records of version 0.1. */
class SwapRecordsTest {

    @Test
    void readsTheCausesOfOldRecords() {
        assertThat(SwapRecords.cause("use by shell karaf by ssh"))
                .isEqualTo(new SwapCause(PolicyEvent.USE, "shell karaf by ssh"));
        for (PolicyEvent event : PolicyEvent.values()) {
            assertThat(SwapRecords.cause(event.label())).isEqualTo(new SwapCause(event, ""));
        }
        assertThat(SwapRecords.cause("an event of a newer version").event()).isEqualTo(PolicyEvent.UNKNOWN);
    }

    @Test
    void readsTheVerdictsOfOldRecords() throws IOException {
        assertThat(SwapRecords.verdict("no ledger")).isEqualTo(SwapVerdict.Plain.NO_LEDGER);
        assertThat(SwapRecords.verdict("open")).isEqualTo(SwapVerdict.Plain.OPEN);
        assertThat(SwapRecords.verdict("nothing changed")).isEqualTo(SwapVerdict.Plain.NOTHING_CHANGED);
        assertThat(SwapRecords.verdict("no slot given; meanwhile 3 ended and 0 were reported by workers"))
                .isEqualTo(new SwapVerdict.NoSlotGiven(3, 0));
        assertThat(SwapRecords.verdict("violated: -1 slots were given by none of the decisions before and after"))
                .isEqualTo(new SwapVerdict.Violated(Rule.GIVEN_BY_NO_DECISION, -1));
        assertThat(SwapRecords.verdict("violated: other allocations without a change that was counted"))
                .isEqualTo(new SwapVerdict.Violated(Rule.CHANGE_NOT_COUNTED, 0));
        assertThat(SwapRecords.verdict("violated: the first decision changed more than the 7 slots that it gave"))
                .isEqualTo(new SwapVerdict.Violated(Rule.MORE_THAN_GIVEN, 7));
        assertThat(List.of(SwapVerdict.Plain.values())).noneMatch(SwapVerdict::isViolation);
        assertThatThrownBy(() -> SwapRecords.verdict("fine"))
                .hasMessageContaining("a verdict 'fine' that is not known");
    }
}
