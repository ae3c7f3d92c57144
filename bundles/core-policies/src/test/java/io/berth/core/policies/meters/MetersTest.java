package io.berth.core.policies.meters;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.operations.PolicyEvent;
import io.berth.core.api.operations.PolicyMetrics;
import io.berth.core.api.operations.PolicyMetrics.DecisionFigures;
import io.berth.core.api.operations.PolicyMetrics.DecisionType;
import io.berth.core.api.operations.PolicyMetrics.FailureKind;
import io.berth.core.api.operations.PolicyMetrics.PolicyCall;
import io.berth.core.api.operations.PolicyMetrics.PolicyFigures;
import io.berth.core.api.operations.PolicyMetrics.SwapCount;
import io.berth.core.policies.FakeRegistration;
import io.berth.core.policies.registration.DecisionOwner;
import io.berth.spi.JobId;
import io.berth.spi.PolicyKind;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MetersTest {

    private final Meters meters = new Meters();
    private long ids;

    private FakeRegistration register(String name) {
        FakeRegistration registration = new FakeRegistration(++ids, PolicyKind.MATCHING, name, 0, Object::new);
        meters.registered(registration);
        meters.of(registration).took(PolicyCall.PLACE, 1_000);
        return registration;
    }

    private long calls() {
        return meters.policies().stream()
                .mapToLong(figures -> figures.all().count())
                .sum();
    }

    @Test
    void aPolicyKeepsItsFiguresThroughUpdates() {
        for (int update = 0; update < 10_000; update++) {
            meters.unregistered(register("spread"));
        }
        assertThat(meters.policies()).hasSize(1);
        PolicyFigures figures = meters.policy(PolicyKind.MATCHING, "spread").orElseThrow();
        assertThat(figures.calls().get(PolicyCall.PLACE).count()).isEqualTo(10_000);
        assertThat(figures.registered()).isZero();
    }

    @Test
    void theNumberOfNamesIsBoundedAndNoCallIsLost() {
        FakeRegistration stays = register("stays");
        for (int nth = 0; nth < 1_000; nth++) {
            meters.unregistered(register("passing-" + nth));
        }
        assertThat(meters.policies()).hasSize(PolicyMetrics.MAX_POLICIES + 1);
        assertThat(calls()).isEqualTo(1_001);
        assertThat(meters.policy(PolicyKind.MATCHING, "stays").orElseThrow().registered())
                .isEqualTo(1);
        assertThat(meters.policy(PolicyKind.MATCHING, "passing-999")).isPresent();
        assertThat(meters.policy(PolicyKind.MATCHING, "passing-0")).isEmpty();
        assertThat(meters.policy(PolicyKind.MATCHING, PolicyMetrics.OTHER)
                        .orElseThrow()
                        .all()
                        .count())
                .isEqualTo(1_000 - PolicyMetrics.MAX_POLICIES + 1);
        assertThat(meters.of(stays).name()).isEqualTo("stays");
    }

    @Test
    void policiesOverTheBoundShareOneName() {
        List<FakeRegistration> all = new ArrayList<>();
        for (int nth = 0; nth < 500; nth++) {
            all.add(register("staying-" + nth));
        }
        assertThat(meters.policies()).hasSize(PolicyMetrics.MAX_POLICIES + 1);
        assertThat(meters.policy(PolicyKind.MATCHING, PolicyMetrics.OTHER)
                        .orElseThrow()
                        .registered())
                .isEqualTo(500 - PolicyMetrics.MAX_POLICIES);
        assertThat(calls()).isEqualTo(500);
        all.forEach(meters::unregistered);
        register("late");
        assertThat(meters.policy(PolicyKind.MATCHING, "late").orElseThrow().registered())
                .isEqualTo(1);
        assertThat(calls()).isEqualTo(501);
    }

    @Test
    void aPolicyKeepsItsNameWhileACallRuns() {
        FakeRegistration running = register("running");
        meters.of(running).asked();
        meters.unregistered(running);
        for (int nth = 0; nth < 200; nth++) {
            meters.unregistered(register("passing-" + nth));
        }
        assertThat(meters.policy(PolicyKind.MATCHING, "running").orElseThrow().inFlight())
                .isEqualTo(1);
    }

    @Test
    void usesTheNameOfTheDescription() {
        FakeRegistration nameless = register("");
        meters.of(nameless).failed(PolicyCall.DESCRIBE, FailureKind.THREW);
        meters.named(nameless, "named");
        assertThat(meters.policies()).extracting(PolicyFigures::name).containsExactly("named");
        PolicyFigures figures = meters.policies().get(0);
        assertThat(figures.registered()).isEqualTo(1);
        assertThat(figures.failures(FailureKind.THREW)).isEqualTo(1);
        assertThat(figures.all().count()).isEqualTo(1);
    }

    @Test
    void aNameIsBoundedAndOnOneLine() {
        register("a\nb" + "x".repeat(10_000));
        assertThat(meters.policies().get(0).name()).startsWith("a?bxx").hasSizeLessThan(80);
    }

    @Test
    void countsSwapsByKindAndCause() {
        for (int nth = 0; nth < 1_000; nth++) {
            meters.swapped(PolicyKind.SCALING, PolicyEvent.USE);
            meters.swapped(PolicyKind.MATCHING, nth % 2 == 0 ? PolicyEvent.USE : PolicyEvent.UPDATE);
        }
        assertThat(meters.swaps())
                .containsExactlyInAnyOrder(
                        new SwapCount(PolicyKind.SCALING, PolicyEvent.USE, 1_000),
                        new SwapCount(PolicyKind.MATCHING, PolicyEvent.USE, 500),
                        new SwapCount(PolicyKind.MATCHING, PolicyEvent.UPDATE, 500));
    }

    @Test
    void theNumberOfPoolsIsBoundedAndJobsShareOneEntry() {
        for (int nth = 0; nth < 100; nth++) {
            meters.decided(DecisionOwner.plans("p" + nth), DecisionType.PLACEMENT, 1_000);
            meters.decided(DecisionOwner.assignments("p" + nth), DecisionType.ASSIGNMENT, 1_000);
            meters.decided(DecisionOwner.scaling(new JobId("j" + nth)), DecisionType.SCALING, 1_000);
        }
        assertThat(meters.decisions()).hasSizeLessThanOrEqualTo(2 * (PolicyMetrics.MAX_POOLS + 1) + 1);
        assertThat(meters.decisions().stream()
                        .mapToLong(one -> one.times().count())
                        .sum())
                .isEqualTo(300);
        assertThat(meters.decisions())
                .filteredOn(one -> one.type() == DecisionType.SCALING)
                .extracting(DecisionFigures::pool)
                .containsExactly("");
        assertThat(meters.decisions())
                .filteredOn(one -> one.type() == DecisionType.ASSIGNMENT)
                .extracting(DecisionFigures::pool)
                .contains("p0", PolicyMetrics.OTHER);
    }
}
