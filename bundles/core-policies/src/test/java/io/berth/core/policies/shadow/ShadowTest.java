package io.berth.core.policies.shadow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.operations.ShadowOperations.ShadowDetails;
import io.berth.core.api.operations.ShadowOperations.ShadowedDecision;
import io.berth.core.api.policy.LedgerState;
import io.berth.core.api.policy.MatchingRule;
import io.berth.core.api.policy.PlacementPlanner;
import io.berth.core.api.policy.PlanOutcome;
import io.berth.core.policies.Bench;
import io.berth.core.policies.FakeRegistration;
import io.berth.core.policies.PolicyPlatform;
import io.berth.core.policies.Stage;
import io.berth.core.policies.detached.RandomCluster;
import io.berth.core.policies.registry.HostSettings;
import io.berth.distribution.fifo.FifoFactory;
import io.berth.matching.firstfit.FirstFitFactory;
import io.berth.matching.spread.SpreadFactory;
import io.berth.spi.PolicyKind;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a shadow says about decisions, in virtual time on one thread. */
class ShadowTest {

    private static final int DECISIONS = 10_000;

    private final Stage stage = new Stage();
    private final PolicyPlatform platform = stage.platform(HostSettings.defaults());
    private final RandomCluster cluster = new RandomCluster(20261124);
    private final Random random = new Random(1);

    @SuppressWarnings("NullAway.Init")
    private FakeRegistration spread;

    @BeforeEach
    void begin() {
        add(1, PolicyKind.DISTRIBUTION, "fifo", 100, new FifoFactory());
        add(2, PolicyKind.MATCHING, "first-fit", 100, new FirstFitFactory());
        spread = add(3, PolicyKind.MATCHING, "spread", 50, new SpreadFactory());
    }

    private FakeRegistration add(long id, PolicyKind kind, String name, int ranking, Object factory) {
        FakeRegistration registration = new FakeRegistration(id, kind, name, ranking, () -> factory);
        platform.registry().add(registration);
        stage.runAll();
        return registration;
    }

    private PlacementPlanner planner() {
        PlacementPlanner planner =
                platform.openPlanner("default", MatchingRule.EXACT, () -> LedgerState.NONE, () -> {});
        stage.runAll();
        return planner;
    }

    /** Decides as often, and returns the number of the last decision. */
    private long decide(PlacementPlanner planner, int decisions) {
        long last = 0;
        for (int made = 0; made < decisions; made++) {
            stage.advance(random.nextInt(200));
            cluster.change(stage.wallMillis());
            var outcome = planner.plan(cluster.input(planner.usesSlots())).toCompletableFuture();
            stage.runAll();
            if (outcome.join() instanceof PlanOutcome.Planned planned && planned.decision() > 0) {
                last = planned.decision();
            }
            cluster.commit(outcome.join(), stage.millis());
        }
        return last;
    }

    private ShadowDetails only() {
        assertThat(platform.shadows()).hasSize(1);
        return platform.shadows().get(0);
    }

    @Test
    void theSamePolicyAgreesInEachOfTenThousandDecisions() {
        platform.shadow(PolicyKind.MATCHING, "first-fit", "default", "test");
        PlacementPlanner planner = planner();
        while (only().compared() < DECISIONS) {
            decide(planner, 1_000);
        }
        assertThat(only().agreed()).isEqualTo(only().compared());
        assertThat(only().failed()).isZero();
        assertThat(only().skipped()).isZero();
        assertThat(only().shadowed().placed())
                .isEqualTo(only().decided().placed())
                .isPositive();
        assertThat(only().shadowed().costPerHour())
                .isEqualTo(only().decided().costPerHour())
                .isPositive();
        assertThat(only().shadowed().opened())
                .isEqualTo(only().decided().opened())
                .isPositive();
    }

    @Test
    void aDistributionPolicyIsAShadowToo() {
        platform.shadow(PolicyKind.DISTRIBUTION, "fifo", "default", "test");
        decide(planner(), 500);
        assertThat(only().compared()).isGreaterThan(100);
        assertThat(only().differed()).isZero();
    }

    @Test
    void anotherStrategyDiffersAndTheDecisionSaysWhere() {
        platform.shadow(PolicyKind.MATCHING, "spread", "default", "test");
        decide(planner(), 1_000);
        assertThat(only().differed()).isGreaterThan(10);
        assertThat(only().failed()).isZero();
        List<ShadowedDecision> shadowed = platform.shadowed(only().lastDifferent());
        assertThat(shadowed).singleElement().satisfies(one -> {
            assertThat(one.verdict()).isEqualTo("differs");
            assertThat(one.differences()).isNotEmpty();
            assertThat(one.differences().get(0)).matches(".+: \\d+ slots of group .+ of job .+ instead of \\d+");
        });
    }

    @Test
    void aShadowThatBeginsLaterStartsFromTheStateOfThePlanner() {
        PlacementPlanner planner = planner();
        decide(planner, 300);
        platform.shadow(PolicyKind.MATCHING, "first-fit", "default", "test");
        assertThat(only().state()).isEqualTo("waits");
        decide(planner, 300);
        assertThat(only().state()).isEqualTo("follows");
        assertThat(only().agreed()).isEqualTo(only().compared()).isPositive();
    }

    @Test
    void aShadowThatFailsStopsAndTouchesNobody() {
        add(4, PolicyKind.MATCHING, "broken", 0, Bench.placing("broken", (workers, admitted, plan) -> {
            throw new IllegalStateException("not yet");
        }));
        platform.shadow(PolicyKind.MATCHING, "broken", "default", "test");
        decide(planner(), 100);
        assertThat(only().state()).isEqualTo("stopped");
        assertThat(only().failed()).isEqualTo(3);
        assertThat(only().text())
                .contains("failed in 3 decisions in a row")
                .contains("not yet")
                .contains("'policy shadow matching broken' starts it again");
        var details = platform.policies().stream()
                .filter(one -> one.name().equals("broken"))
                .findFirst()
                .orElseThrow();
        assertThat(details.failures()).isZero();
        assertThat(details.state()).isEqualTo("ready");
        assertThat(platform.policyFigures(PolicyKind.MATCHING, "broken")
                        .orElseThrow()
                        .failures())
                .isEmpty();
        assertThat(platform.diagnose(Optional.of(PolicyKind.MATCHING), Optional.of("broken")))
                .singleElement()
                .satisfies(one -> assertThat(one.text()).contains("stopped (it failed in 3 decisions"));
    }

    @Test
    void aResultThatBreaksARuleIsAFailureOfTheShadowOnly() {
        add(
                4,
                PolicyKind.MATCHING,
                "wrong",
                0,
                Bench.placing("wrong", (workers, admitted, plan) -> plan.place(-1, 0, 1)));
        platform.shadow(PolicyKind.MATCHING, "wrong", "default", "test");
        long last = decide(planner(), 100);
        assertThat(only().text()).contains("breaks a rule of placement");
        assertThat(platform.decision(last).orElseThrow().policies())
                .anySatisfy(stamp -> assertThat(stamp.name()).isEqualTo("first-fit"));
    }

    @Test
    void anUninstalledPolicyIsReleasedAndAnotherVersionFollows() {
        platform.shadow(PolicyKind.MATCHING, "spread", "default", "test");
        PlacementPlanner planner = planner();
        decide(planner, 100);
        platform.registry().remove(3);
        stage.runAll();
        assertThat(spread.released).hasValue(1);
        decide(planner, 100);
        assertThat(only().state()).isEqualTo("is absent");
        long skipped = only().skipped();
        assertThat(skipped).isPositive();
        FakeRegistration second = add(5, PolicyKind.MATCHING, "spread", 0, new SpreadFactory());
        long compared = only().compared();
        decide(planner, 100);
        assertThat(only().state()).isEqualTo("follows");
        assertThat(only().compared()).isGreaterThan(compared);
        assertThat(only().version()).isEqualTo(second.version());
        platform.endShadow(PolicyKind.MATCHING, "default", "test");
        stage.runAll();
        platform.registry().remove(5);
        stage.runAll();
        assertThat(second.released).hasValue(1);
        assertThat(platform.shadows()).isEmpty();
    }

    /** Its own instance of the policy that decides must not keep that one, either. */
    @Test
    void theDecidingDistributionPolicyIsReleasedWhenItIsUninstalled() {
        FakeRegistration other = add(6, PolicyKind.DISTRIBUTION, "other", 500, new FifoFactory());
        platform.shadow(PolicyKind.MATCHING, "spread", "default", "test");
        PlacementPlanner planner = planner();
        decide(planner, 50);
        platform.registry().remove(6);
        stage.runAll();
        decide(planner, 50);
        assertThat(other.released).hasValue(1);
        assertThat(only().state()).isEqualTo("follows");
    }

    @Test
    void namesWhatIsAllowed() {
        assertThatThrownBy(() -> platform.shadow(PolicyKind.BACKEND, "local", "default", "test"))
                .hasMessage("a backend cannot be a shadow: allowed are matching, distribution, scaling");
        assertThatThrownBy(() -> platform.shadow(PolicyKind.SCALING, "reactive", "default", "test"))
                .hasMessageStartingWith("a scaling policy shadows the decisions of all jobs: pool 'default' is not");
        assertThatThrownBy(() -> platform.shadow(PolicyKind.MATCHING, "spread", "gpu", "test"))
                .hasMessage("no pool 'gpu': there are default");
        assertThatThrownBy(() -> platform.shadow(PolicyKind.MATCHING, "sprad", "default", "test"))
                .hasMessage("there is no matching policy 'sprad': installed are first-fit, spread");
        assertThatThrownBy(() -> platform.endShadow(PolicyKind.MATCHING, "default", "test"))
                .hasMessage("no matching policy shadows pool 'default': 'policies' lists the shadows");
    }
}
