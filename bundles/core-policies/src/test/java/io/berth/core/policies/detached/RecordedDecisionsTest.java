package io.berth.core.policies.detached;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.policy.PlanOutcome;
import io.berth.core.api.time.SystemClock;
import io.berth.core.policies.frame.DecisionFrame;
import io.berth.core.policies.frame.PolicyStep;
import io.berth.core.policies.registration.PolicyCandidate;
import io.berth.distribution.fifo.FifoFactory;
import io.berth.matching.firstfit.FirstFitFactory;
import io.berth.spi.PolicyKind;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Decisions are made again outside of the planner that made them. */
class RecordedDecisionsTest {

    private static final int DECISIONS = 400;

    private static DetachedPlanner planner(DetachedPolicies policies) {
        return new DetachedPlanner(
                RecordedCluster.POOL, policies, PolicyCalls.direct(), new SystemClock(), Runnable::run);
    }

    private static DetachedDecision decide(DetachedPlanner planner, DecisionFrame frame) throws Exception {
        return planner.decide(frame).toCompletableFuture().get();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void aClusterWithSwapsAndFailingPoliciesDecidesTheSameAgain(long seed) throws Exception {
        RecordedCluster recorded = new RecordedCluster(seed, 37);
        recorded.decide(DECISIONS);
        recorded.decide(DECISIONS / 10);
        List<DecisionFrame> frames = recorded.frames();
        assertThat(frames).hasSize(DECISIONS + DECISIONS / 10);
        assertThat(frames.stream().filter(frame -> frame.decision() > 0).count())
                .isGreaterThan(DECISIONS / 2);
        assertThat(frames.stream().flatMap(frame -> frame.matching().stream()))
                .as("policies failed")
                .anyMatch(PolicyStep.CallFailed.class::isInstance)
                .as("policies asked for the time")
                .anyMatch(PolicyStep.TimeRead.class::isInstance);
        assertAgain(recorded, frames);
        int half = DECISIONS / 2;
        while (frames.get(half).before().isEmpty()) {
            half++;
        }
        assertAgain(recorded, frames.subList(half, frames.size()));
    }

    private static void assertAgain(RecordedCluster recorded, List<DecisionFrame> frames) throws Exception {
        DetachedPlanner planner = planner(recorded.again());
        for (DecisionFrame frame : frames) {
            DetachedDecision again = decide(planner, frame);
            assertThat(again.failures()).as("frame %s", frame.sequence()).isEmpty();
            assertThat(again.outcome())
                    .as("frame %s", frame.sequence())
                    .isEqualTo(frame.result().outcome());
            assertThat(again.reviewMillis())
                    .as("frame %s", frame.sequence())
                    .isEqualTo(frame.result().reviewMillis());
        }
    }

    @Test
    void eachStateIsThatOfThePlannerThatRestoredAnEarlierOne() throws Exception {
        RecordedCluster recorded = new RecordedCluster(11, 1);
        recorded.decide(100);
        for (DecisionFrame frame : recorded.frames()) {
            assertAgain(recorded, List.of(frame));
        }
    }

    @Test
    void aPolicyInPlaceOfAnotherIsGivenTheSameInputs() throws Exception {
        RecordedCluster recorded = new RecordedCluster(12, 50);
        recorded.decide(DECISIONS);
        DetachedPlanner planner =
                planner(recorded.with(Optional.of(candidate(PolicyKind.MATCHING, new FirstFitFactory()))));
        int same = 0;
        int others = 0;
        for (DecisionFrame frame : recorded.frames()) {
            DetachedDecision decided = decide(planner, frame);
            assertThat(decided.failures()).isEmpty();
            if (!(frame.result().outcome() instanceof PlanOutcome.Planned real) || real.decision() == 0) {
                continue;
            }
            PlanOutcome.Planned candidate = (PlanOutcome.Planned) decided.outcome();
            if (real.matching().name().equals("first-fit")) {
                assertThat(candidate.runs()).isEqualTo(real.runs());
                assertThat(candidate.newWorkers()).isEqualTo(real.newWorkers());
                same++;
            } else if (!candidate.runs().equals(real.runs())) {
                others++;
            }
        }
        assertThat(same).isGreaterThan(5);
        assertThat(others).isGreaterThan(5);
    }

    @Test
    void aDistributionPolicyInPlaceOfAnotherIsGivenTheSameInputs() throws Exception {
        RecordedCluster recorded = new RecordedCluster(13, 50);
        recorded.decide(DECISIONS);
        DetachedPlanner planner =
                planner(recorded.with(Optional.of(candidate(PolicyKind.DISTRIBUTION, new FifoFactory()))));
        int same = 0;
        for (DecisionFrame frame : recorded.frames()) {
            DetachedDecision decided = decide(planner, frame);
            if (frame.result().outcome() instanceof PlanOutcome.Planned real
                    && real.distribution().name().equals("fifo")
                    && frame.matching().size() == 1) {
                assertThat(((PlanOutcome.Planned) decided.outcome()).runs()).isEqualTo(real.runs());
                same++;
            }
        }
        assertThat(same).isGreaterThan(20);
    }

    private static PolicyCandidate candidate(PolicyKind kind, Object factory) {
        return new DetachedRegistration(-1, kind, "candidate", "test", "1.0", factory)
                .candidate(0, new TreeMap<>(), List.of());
    }

    @Test
    void aFrameThatDoesNotFollowIsRefusedUnlessItHasTheState() throws Exception {
        RecordedCluster recorded = new RecordedCluster(14, 5);
        recorded.decide(20);
        List<DecisionFrame> frames = recorded.frames();
        DetachedPlanner planner = planner(recorded.again());
        decide(planner, frames.get(0));
        assertThat(planner.accepts(frames.get(2))).isFalse();
        assertThatThrownBy(() -> planner.decide(frames.get(2)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("frame 2 of pool default does not follow the previous one and does not contain the state"
                        + " before it");
        assertThat(planner.accepts(frames.get(5))).isTrue();
        assertThat(decide(planner, frames.get(5)).outcome())
                .isEqualTo(frames.get(5).result().outcome());
    }
}
