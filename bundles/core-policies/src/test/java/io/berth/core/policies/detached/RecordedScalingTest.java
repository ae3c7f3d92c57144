package io.berth.core.policies.detached;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.job.JobMeasures;
import io.berth.core.api.policy.ScalingAdvisor.ScalingOutcome;
import io.berth.core.policies.cache.DecisionTime;
import io.berth.core.policies.frame.PolicyStep;
import io.berth.core.policies.frame.ScalingFrame;
import io.berth.core.policies.frame.ScalingFrame.Input;
import io.berth.core.policies.registration.PolicyCandidate;
import io.berth.core.policies.scaling.GraphView;
import io.berth.core.policies.scaling.JobPast;
import io.berth.spi.JobId;
import io.berth.spi.PolicyKind;
import io.berth.spi.scaling.JobView;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Scaling decisions are made again outside of the advisor that made them. */
class RecordedScalingTest {

    private static final int DECISIONS = 300;

    private static RecordedJobs recorded(long seed) {
        RecordedJobs recorded = new RecordedJobs(seed, 6);
        recorded.decide(DECISIONS);
        assertThat(recorded.frames()).hasSize(DECISIONS);
        return recorded;
    }

    private static ScalingFrame with(ScalingFrame frame, JobPast before, DecisionTime time, Input input) {
        return new ScalingFrame(
                frame.job(),
                before,
                time,
                frame.zone(),
                input,
                frame.bounds(),
                frame.scaling(),
                frame.outcome(),
                frame.micros());
    }

    private static Optional<ScalingOutcome.Decided> decided(ScalingFrame frame) {
        return frame.outcome() instanceof ScalingOutcome.Decided decided ? Optional.of(decided) : Optional.empty();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void jobsWithSwapsAndFailingPoliciesDecideTheSameAgain(long seed) {
        RecordedJobs recorded = recorded(seed);
        assertThat(recorded.frames().stream().flatMap(frame -> frame.scaling().stream()))
                .as("policies failed")
                .anyMatch(PolicyStep.CallFailed.class::isInstance);
        assertThat(recorded.frames())
                .as("judged")
                .anyMatch(frame ->
                        decided(frame).filter(ScalingOutcome.Decided::accepted).isPresent());
        assertThat(recorded.frames())
                .as("bounded")
                .anyMatch(frame -> decided(frame)
                        .filter(one -> !one.feasible().bound().isEmpty())
                        .isPresent());
        Map<JobId, DetachedAdvisor> advisors = new TreeMap<>(Comparator.comparing(JobId::value));
        for (ScalingFrame frame : recorded.frames()) {
            DetachedAnswer<ScalingOutcome> again = advisors.computeIfAbsent(
                            frame.job().id(), id -> recorded.advisor(frame.job(), Optional.empty()))
                    .decide(frame)
                    .toCompletableFuture()
                    .join();
            assertThat(again.failures()).as("decision %s", frame.decision()).isEmpty();
            assertThat(again.outcome()).as("decision %s", frame.decision()).isEqualTo(frame.outcome());
            assertThat(again.assumed()).isFalse();
        }
    }

    @Test
    void eachFrameIsComplete() {
        RecordedJobs recorded = recorded(11);
        recorded.frames()
                .forEach(frame -> assertThat(recorded.again(frame).outcome()).isEqualTo(frame.outcome()));
    }

    /** The policy looks at everything, so what is missing in a frame changes its answers. */
    @Test
    void aFrameWithoutOneOfItsInputsDecidesSomethingElse() {
        Map<String, UnaryOperator<ScalingFrame>> missing = new TreeMap<>();
        missing.put("past", frame -> with(frame, JobPast.NONE, frame.time(), frame.input()));
        missing.put("monotonic time", frame -> {
            DecisionTime time = new DecisionTime(0, frame.time().wallMillis());
            return with(frame, frame.before(), time, frame.input());
        });
        missing.put("wall-clock time", frame -> {
            DecisionTime time = new DecisionTime(frame.time().millis(), 0);
            return with(frame, frame.before(), time, frame.input());
        });
        missing.put(
                "state number",
                frame -> with(
                        frame,
                        frame.before(),
                        frame.time(),
                        new Input(
                                0,
                                frame.input().current(),
                                frame.input().slots(),
                                frame.input().measures(),
                                frame.input().stopped())));
        missing.put(
                "slots",
                frame -> with(
                        frame,
                        frame.before(),
                        frame.time(),
                        new Input(
                                frame.input().stateNumber(),
                                frame.input().current(),
                                frame.input().slots().stream()
                                        .map(slots -> slots + 1)
                                        .toList(),
                                frame.input().measures(),
                                frame.input().stopped())));
        missing.put(
                "measures",
                frame -> with(
                        frame,
                        frame.before(),
                        frame.time(),
                        new Input(
                                frame.input().stateNumber(),
                                frame.input().current(),
                                frame.input().slots(),
                                JobMeasures.NONE,
                                frame.input().stopped())));
        missing.put(
                "zone",
                frame -> new ScalingFrame(
                        frame.job(),
                        frame.before(),
                        frame.time(),
                        "Pacific/Chatham",
                        frame.input(),
                        frame.bounds(),
                        frame.scaling(),
                        frame.outcome(),
                        frame.micros()));
        RecordedJobs recorded = recorded(12);
        List<ScalingFrame> decided = recorded.frames().stream()
                .filter(frame -> frame.decision() > 0 && !frame.before().equals(JobPast.NONE))
                .toList();
        assertThat(decided).hasSizeGreaterThan(DECISIONS / 2);
        missing.forEach((what, without) -> decided.forEach(
                frame -> assertThat(recorded.again(without.apply(frame)).outcome())
                        .as("decision %s without %s", frame.decision(), what)
                        .isNotEqualTo(frame.outcome())));
    }

    private static boolean runs(List<Integer> parallelism) {
        return parallelism.stream().anyMatch(tasks -> tasks > 0);
    }

    @Test
    void whatWasKnownOfTasksThatStoppedIsPartOfTheInput() {
        RecordedJobs recorded = recorded(18);
        List<ScalingFrame> stopped = recorded.frames().stream()
                .filter(frame -> frame.decision() > 0
                        && runs(frame.before().last().current())
                        && !runs(frame.input().current())
                        && frame.input().stopped().isKnown()
                        && !frame.input().stopped().equals(frame.before().measured()))
                .toList();
        assertThat(stopped).hasSizeGreaterThan(10);
        for (ScalingFrame frame : stopped) {
            Input input = new Input(
                    frame.input().stateNumber(),
                    frame.input().current(),
                    frame.input().slots(),
                    frame.input().measures(),
                    JobMeasures.Means.NONE);
            assertThat(recorded.again(with(frame, frame.before(), frame.time(), input))
                            .outcome())
                    .isNotEqualTo(frame.outcome());
        }
    }

    @Test
    void whatBoundsTheParallelismIsPartOfTheInput() {
        RecordedJobs recorded = recorded(13);
        List<ScalingFrame> bounded = recorded.frames().stream()
                .filter(frame -> !frame.bounds().isEmpty() && frame.decision() > 0)
                .toList();
        assertThat(bounded).hasSizeGreaterThan(20);
        for (ScalingFrame frame : bounded) {
            ScalingFrame without = new ScalingFrame(
                    frame.job(),
                    frame.before(),
                    frame.time(),
                    frame.zone(),
                    frame.input(),
                    List.of(),
                    frame.scaling(),
                    frame.outcome(),
                    frame.micros());
            assertThat(recorded.again(without).failures())
                    .first()
                    .asString()
                    .contains("the recorded decision did not need to know what bounds parallelism");
        }
    }

    @Test
    void thePolicySeesTheWholeView() {
        List<String> names =
                Arrays.stream(JobView.class.getMethods()).map(Method::getName).toList();
        RecordedJobs recorded = recorded(14);
        ScalingFrame frame = recorded.frames().get(0);
        GraphView view = new GraphView(frame.job());
        assertThat(ViewDigest.answers(JobView.class, view).keySet())
                .allSatisfy(answer -> assertThat(names).contains(answer.substring(0, answer.indexOf('['))));
        assertThat(names).hasSizeGreaterThan(40);
    }

    @Test
    void aFrameHasNoUserCodeAndNoConfigurationOfIt() {
        RecordedJobs recorded = recorded(15);
        assertThat(recorded.frames().toString()).doesNotContain("secret").doesNotContain("user-code");
        assertThat(recorded.graphs().toString()).contains("secret").contains("user-code");
    }

    @Test
    void aPolicyInPlaceOfAnotherIsGivenTheSameInputs() {
        RecordedJobs recorded = recorded(16);
        ViewDigest digest = new ViewDigest("digest", broken -> false);
        PolicyCandidate candidate = new DetachedRegistration(-1, PolicyKind.SCALING, "digest", "test", "1.0", digest)
                .candidate(0, new TreeMap<>(), ViewDigest.KEYS);
        int same = 0;
        int others = 0;
        int assumed = 0;
        for (ScalingFrame frame : recorded.frames()) {
            try (DetachedAdvisor advisor = recorded.advisor(frame.job(), Optional.of(candidate))) {
                DetachedAnswer<ScalingOutcome> answer =
                        advisor.decide(frame).toCompletableFuture().join();
                assertThat(answer.failures()).isEmpty();
                ScalingOutcome.Decided made = (ScalingOutcome.Decided) answer.outcome();
                boolean decidedByIt = decided(frame)
                        .filter(real -> real.scaling().name().equals("digest"))
                        .isPresent();
                assertThat(made.scaling().bundle()).isEqualTo("test");
                same += decidedByIt ? 1 : 0;
                others += decidedByIt ? 0 : 1;
                assumed += answer.assumed() ? 1 : 0;
            }
        }
        assertThat(same).isGreaterThan(20);
        assertThat(others).isGreaterThan(20);
        assertThat(assumed).as("other parallelism was planned").isPositive();
    }

    @Test
    void aFrameOfAnotherJobIsRefused() {
        RecordedJobs recorded = recorded(17);
        ScalingFrame first = recorded.frames().get(0);
        ScalingFrame other = recorded.frames().stream()
                .filter(frame -> !frame.job().equals(first.job()))
                .findFirst()
                .orElseThrow();
        try (DetachedAdvisor advisor = recorded.advisor(first.job(), Optional.empty())) {
            assertThatThrownBy(() -> advisor.decide(other))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("the frame is of another job or graph than " + "job "
                            + first.job().id().value());
        }
    }
}
