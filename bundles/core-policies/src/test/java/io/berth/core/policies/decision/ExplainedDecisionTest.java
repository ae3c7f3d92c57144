package io.berth.core.policies.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.operations.PolicyOperations.ConsideredPolicy;
import io.berth.core.api.operations.PolicyOperations.DecisionDetails;
import io.berth.core.api.policy.PlacementPlanner;
import io.berth.core.api.policy.PlanOutcome;
import io.berth.core.policies.Bench;
import io.berth.spi.PolicyKind;
import io.berth.spi.matching.AdmittedView;
import io.berth.spi.matching.PlacementBuilder;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ExplainedDecisionTest {

    private Bench bench;
    private PlacementPlanner planner;

    @BeforeEach
    void open() {
        bench = new Bench(5_000).withDefaults();
        planner = bench.planner();
    }

    @AfterEach
    void close() {
        bench.close();
    }

    private DecisionDetails decide() throws Exception {
        PlanOutcome.Planned planned = Bench.planned(planner, bench.twoWorkersAndAJob());
        return bench.platform.decision(planned.decision()).orElseThrow();
    }

    private static List<String> verdicts(DecisionDetails decision) {
        return decision.candidates().stream()
                .filter(one -> one.kind() == PolicyKind.MATCHING)
                .map(one -> one.name() + ": " + one.verdict())
                .toList();
    }

    @Test
    void showsInputsCandidatesAndRounds() throws Exception {
        DecisionDetails decision = decide();
        assertThat(decision.inputs().get(0))
                .isEqualTo("state " + decision.stateNumber() + ": 2 workers, 0 of them pending, free "
                        + io.berth.spi.ResourceProfile.of(8_000, 8_000) + " of "
                        + io.berth.spi.ResourceProfile.of(8_000, 8_000));
        assertThat(decision.inputs().get(1)).contains("job a", "3 x", "minimum 1, has 0");
        assertThat(decision.rounds()).containsExactly("round 1: taken, 3 of 3 admitted slots placed");
        assertThat(decision.candidates())
                .extracting(ConsideredPolicy::kind)
                .containsExactly(PolicyKind.DISTRIBUTION, PolicyKind.MATCHING, PolicyKind.MATCHING);
        assertThat(verdicts(decision)).hasSize(2);
        assertThat(verdicts(decision).get(0)).startsWith("first-fit: decided, generation ");
        assertThat(verdicts(decision).get(1)).isEqualTo("spread: came after");
    }

    @Test
    void namesTheViolationOfARepeatedRound() throws Exception {
        bench.add(
                PolicyKind.MATCHING,
                "greedy",
                500,
                Bench.placing("greedy", (workers, admitted, plan) -> plan.place(0, 0, 99)));
        bench.awaitState("greedy", "deciding");
        DecisionDetails decision = decide();
        assertThat(decision.rounds()).hasSize(2);
        assertThat(decision.rounds().get(0))
                .startsWith("round 1: matching greedy")
                .contains("breaks a rule of placement")
                .endsWith("made again without it");
        assertThat(decision.rounds().get(1)).startsWith("round 2: taken");
        assertThat(verdicts(decision).get(0))
                .startsWith("greedy: left out of this decision: breaks a rule of placement");
        assertThat(verdicts(decision).get(1)).startsWith("first-fit: decided");
    }

    @Test
    void showsTheFirstNotesOfAStrategy() throws Exception {
        bench.add(PolicyKind.MATCHING, "talkative", 500, Bench.placing("talkative", (workers, admitted, plan) -> {
            placeOnTheFirst(admitted, plan);
            for (int nth = 0; nth < 2 * PlacementBuilder.MAX_NOTES; nth++) {
                plan.note("note " + nth / 2);
            }
            plan.note("one too many");
        }));
        bench.awaitState("talkative", "deciding");
        assertThat(decide().reasons())
                .containsExactly(
                        "matching strategy talkative: note 0",
                        "matching strategy talkative: note 1",
                        "matching strategy talkative: note 2",
                        "matching strategy talkative: note 3");
    }

    @Test
    void refusesANoteWithoutText() throws Exception {
        bench.add(PolicyKind.MATCHING, "mute", 500, Bench.placing("mute", (workers, admitted, plan) -> {
            placeOnTheFirst(admitted, plan);
            plan.note(" ");
        }));
        bench.awaitState("mute", "deciding");
        assertThat(verdicts(decide()).get(0))
                .isEqualTo(
                        "mute: left out of this decision: breaks a rule of placement: notes nothing about its result: a "
                                + "line of text that is not blank is required");
    }

    private static void placeOnTheFirst(AdmittedView admitted, PlacementBuilder plan) {
        for (int entry = 0; entry < admitted.size(); entry++) {
            plan.place(entry, 0, admitted.count(entry));
        }
    }

    @Test
    void listsAQuarantinedPolicyAtItsPosition() throws Exception {
        bench.add(PolicyKind.MATCHING, "moody", 500, Bench.placing("moody", (workers, admitted, plan) -> {
            throw new IllegalStateException("moody");
        }));
        bench.awaitState("moody", "deciding");
        decide();
        decide();
        decide();
        DecisionDetails decision = decide();
        assertThat(decision.rounds()).containsExactly("round 1: taken, 3 of 3 admitted slots placed");
        assertThat(verdicts(decision).get(0))
                .startsWith("moody: quarantined for pool default: ")
                .contains("moody");
        assertThat(verdicts(decision).get(1)).startsWith("first-fit: decided");
    }
}
