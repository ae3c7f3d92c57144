package io.berth.scorecard.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.matching.firstfit.FirstFitFactory;
import io.berth.scorecard.check.Check;
import io.berth.scorecard.check.Judge;
import io.berth.scorecard.check.Mark;
import io.berth.scorecard.planted.Planted;
import io.berth.scorecard.planted.WrongDistributions;
import io.berth.scorecard.planted.WrongStrategies;
import io.berth.simulator.replay.ReplayedTrace;
import io.berth.spi.distribution.DistributionPolicyFactory;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A trace shows what policies do, and which of those that are wrong on purpose are. */
class TraceChecksTest {

    private static final Optional<ReplayedTrace> TRACE = Optional.of(ExampleTrace.read());

    private static List<Mark> marks(List<Check> checks) {
        return new Judge(60_000).judge(checks, begins -> {});
    }

    private static Object planted(List<Planted> all, String name) {
        return all.stream()
                .filter(wrong -> wrong.name().equals(name))
                .findFirst()
                .orElseThrow()
                .factory();
    }

    @Test
    void aPolicyWithoutAFlawGetsAllPoints() {
        assertThat(marks(TraceChecks.of(TRACE, new FirstFitFactory())))
                .hasSize(2)
                .allMatch(Mark::full);
        assertThat(marks(TraceChecks.of(TRACE, WrongDistributions.right())))
                .hasSize(2)
                .allMatch(Mark::full);
        assertThat(TraceChecks.of(Optional.empty(), new FirstFitFactory())).isEmpty();
    }

    @Test
    void aStrategyThatBreaksARuleLosesThePointsForTheRules() {
        List<Mark> marks = marks(TraceChecks.of(TRACE, WrongStrategies.overbooking()));

        assertThat(marks.get(0).points()).isZero();
        assertThat(marks.get(0).reason())
                .contains("results of the matching strategy were rejected")
                .contains("the first: matching flawed")
                .contains("admitted are 1");
    }

    @Test
    void aPolicyThatAdmitsNothingStartsNoJob() {
        List<Mark> marks = marks(TraceChecks.of(
                TRACE, (DistributionPolicyFactory) planted(WrongDistributions.all(), "distribution-admits-nothing")));

        assertThat(marks.get(1).points()).isZero();
        assertThat(marks.get(1).reason()).isEqualTo("43 of 43 jobs never started");
    }
}
