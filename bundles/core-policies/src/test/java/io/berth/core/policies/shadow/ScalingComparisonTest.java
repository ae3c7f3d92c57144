package io.berth.core.policies.shadow;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.policy.PolicyIdentity;
import io.berth.core.api.policy.ScalingAdvisor.Feasible;
import io.berth.core.api.policy.ScalingAdvisor.ScalingOutcome.Decided;
import io.berth.core.policies.detached.PlannedScaling;
import io.berth.core.policies.sequence.SequenceOwners;
import io.berth.spi.PolicyKind;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What two scaling decisions have in common. */
class ScalingComparisonTest {

    private static Decided decided(int desired, Optional<Integer> feasible, boolean accepted, String reason) {
        return new Decided(
                1,
                new PolicyIdentity(PolicyKind.SCALING, reason, "", "", 1, 1),
                List.of(desired),
                new Feasible(feasible.map(List::of), reason),
                accepted,
                OptionalLong.empty(),
                reason);
    }

    private static List<String> lines(Decided decided, Decided shadowed) {
        List<String> lines = new ScalingComparison(SequenceOwners.graph("a", Map.of()), decided, shadowed).lines();
        assertThat(lines.isEmpty())
                .as("as the simulator compares")
                .isEqualTo(PlannedScaling.of(decided).equals(PlannedScaling.of(shadowed)));
        return lines;
    }

    @Test
    void theReasonsDoNotCount() {
        assertThat(lines(decided(3, Optional.of(2), true, "a"), decided(3, Optional.of(2), true, "b")))
                .isEmpty();
    }

    @Test
    void eachPartOfADecisionCounts() {
        Decided decided = decided(3, Optional.of(2), true, "a");
        assertThat(lines(decided, decided(2, Optional.of(2), true, "a")))
                .containsExactly("desires 2 subtasks of vertex only instead of 3");
        assertThat(lines(decided, decided(3, Optional.of(1), true, "a")))
                .containsExactly("can run 1 subtasks of vertex only instead of 2");
        assertThat(lines(decided, decided(3, Optional.empty(), true, "a")))
                .containsExactly("cannot run now, which was possible");
        assertThat(lines(decided, decided(3, Optional.of(2), false, "a")))
                .containsExactly("does not rescale now, which was done");
        assertThat(lines(decided(3, Optional.empty(), false, "a"), decided))
                .containsExactly("can run now, which was not possible", "rescales now, which was not done");
    }
}
