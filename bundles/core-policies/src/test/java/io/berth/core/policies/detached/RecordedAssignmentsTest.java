package io.berth.core.policies.detached;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.policy.AssignmentOutcome;
import io.berth.core.api.policy.AssignmentOutcome.Assigned;
import io.berth.core.api.policy.AssignmentQuery;
import io.berth.core.policies.cache.DecisionTime;
import io.berth.core.policies.frame.AssignmentFrame;
import io.berth.core.policies.frame.PolicyStep;
import io.berth.core.policies.registration.PolicyCandidate;
import io.berth.matching.firstfit.FirstFitFactory;
import io.berth.spi.PolicyKind;
import io.berth.spi.ResourceProfile;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Assignments are made again outside of the assigner that made them. */
class RecordedAssignmentsTest {

    private static final int DECISIONS = 300;

    private static RecordedAssignments recorded(long seed) {
        RecordedAssignments recorded = new RecordedAssignments(seed);
        recorded.decide(DECISIONS);
        assertThat(recorded.frames()).hasSize(DECISIONS);
        return recorded;
    }

    private static AssignmentFrame with(AssignmentFrame frame, DecisionTime time, String zone, AssignmentQuery query) {
        return new AssignmentFrame(time, zone, query, frame.matching(), frame.outcome(), frame.micros());
    }

    private static AssignmentFrame with(AssignmentFrame frame, UnaryOperator<AssignmentQuery.Slot> slot) {
        AssignmentQuery query = frame.query();
        return with(
                frame,
                frame.time(),
                frame.zone(),
                new AssignmentQuery(
                        query.job(),
                        query.pool(),
                        query.rule(),
                        query.stateNumber(),
                        query.slots().stream().map(slot).toList(),
                        query.requirements()));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void slotsAreAssignedTheSameAgainWithSwapsAndFailingStrategies(long seed) {
        RecordedAssignments recorded = recorded(seed);
        assertThat(recorded.frames().stream().flatMap(frame -> frame.matching().stream()))
                .as("strategies failed")
                .anyMatch(PolicyStep.CallFailed.class::isInstance);
        try (DetachedAssigner assigner = recorded.assigner(Optional.empty())) {
            for (AssignmentFrame frame : recorded.frames()) {
                DetachedAnswer<AssignmentOutcome> again =
                        assigner.decide(frame).toCompletableFuture().join();
                assertThat(again.failures()).as("decision %s", frame.decision()).isEmpty();
                assertThat(again.outcome()).as("decision %s", frame.decision()).isEqualTo(frame.outcome());
            }
        }
    }

    @Test
    void eachFrameIsComplete() {
        RecordedAssignments recorded = recorded(11);
        recorded.frames()
                .forEach(frame -> assertThat(recorded.again(frame).outcome()).isEqualTo(frame.outcome()));
    }

    /** The strategy looks at everything, so what is missing in a frame changes its answers. */
    @Test
    void aFrameWithoutOneOfItsInputsDecidesSomethingElse() {
        Map<String, UnaryOperator<AssignmentFrame>> missing = new TreeMap<>();
        missing.put(
                "monotonic time",
                frame -> with(frame, new DecisionTime(0, frame.time().wallMillis()), frame.zone(), frame.query()));
        missing.put(
                "wall-clock time",
                frame -> with(frame, new DecisionTime(frame.time().millis(), 0), frame.zone(), frame.query()));
        missing.put("zone", frame -> with(frame, frame.time(), "Pacific/Chatham", frame.query()));
        missing.put(
                "profiles",
                frame -> with(
                        frame,
                        slot -> new AssignmentQuery.Slot(
                                slot.allocation(),
                                slot.worker(),
                                ResourceProfile.of(7, 7),
                                slot.allocatedFor(),
                                slot.defaultSlot(),
                                slot.constraints())));
        missing.put(
                "what slots were allocated for",
                frame -> with(
                        frame,
                        slot -> new AssignmentQuery.Slot(
                                slot.allocation(),
                                slot.worker(),
                                slot.profile(),
                                slot.allocatedFor() + 1,
                                slot.defaultSlot(),
                                slot.constraints())));
        RecordedAssignments recorded = recorded(12);
        List<AssignmentFrame> decided = recorded.frames().stream()
                .filter(frame -> frame.outcome() instanceof Assigned assigned
                        && !assigned.matching().name().equals("first-fit"))
                .toList();
        assertThat(decided).hasSizeGreaterThan(DECISIONS / 2);
        missing.forEach((what, without) -> decided.forEach(
                frame -> assertThat(recorded.again(without.apply(frame)).outcome())
                        .as("decision %s without %s", frame.decision(), what)
                        .isNotEqualTo(frame.outcome())));
    }

    @Test
    void aStrategyInPlaceOfAnotherIsGivenTheSameInputs() {
        RecordedAssignments recorded = recorded(13);
        PolicyCandidate candidate = new DetachedRegistration(
                        -1, PolicyKind.MATCHING, "candidate", "test", "1.0", new FirstFitFactory())
                .candidate(0, new TreeMap<>(), List.of());
        int same = 0;
        int others = 0;
        try (DetachedAssigner assigner = recorded.assigner(Optional.of(candidate))) {
            for (AssignmentFrame frame : recorded.frames()) {
                DetachedAnswer<AssignmentOutcome> answer =
                        assigner.decide(frame).toCompletableFuture().join();
                assertThat(answer.failures()).isEmpty();
                List<Integer> made = ((Assigned) answer.outcome()).requirementOfSlot();
                if (frame.outcome() instanceof Assigned real
                        && real.matching().name().equals("first-fit")) {
                    assertThat(made).isEqualTo(real.requirementOfSlot());
                    same++;
                } else if (frame.outcome() instanceof Assigned real && !made.equals(real.requirementOfSlot())) {
                    others++;
                }
            }
        }
        assertThat(same).isGreaterThan(20);
        assertThat(others).isGreaterThan(20);
    }

    @Test
    void aQueryInWhichThereIsNoChoiceIsNotRecorded() {
        RecordedAssignments recorded = new RecordedAssignments(14);
        AssignmentQuery query = recorded.query();
        AssignmentOutcome outcome = recorded.assign(new AssignmentQuery(
                query.job(), query.pool(), query.rule(), query.stateNumber(), List.of(), query.requirements()));
        assertThat(outcome).isInstanceOf(Assigned.class);
        assertThat(recorded.frames()).isEmpty();
    }

    @Test
    void aFrameOfAnotherPoolIsRefused() {
        RecordedAssignments recorded = recorded(15);
        AssignmentFrame frame = recorded.frames().get(0);
        AssignmentQuery query = frame.query();
        AssignmentFrame other = with(
                frame,
                frame.time(),
                frame.zone(),
                new AssignmentQuery(
                        query.job(), "night", query.rule(), query.stateNumber(), query.slots(), query.requirements()));
        try (DetachedAssigner assigner = recorded.assigner(Optional.empty())) {
            assertThatThrownBy(() -> assigner.decide(other))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("the frame is of pool night, not of assignments of pool default");
        }
    }
}
