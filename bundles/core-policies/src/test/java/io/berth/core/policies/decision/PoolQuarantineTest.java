package io.berth.core.policies.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.berth.core.api.job.Reason;
import io.berth.core.api.job.ReasonCode;
import io.berth.core.api.operations.PolicyMetrics.ReleaseCause;
import io.berth.core.api.operations.PolicyOperations.PolicyDiagnosis;
import io.berth.core.api.policy.MatchingRule;
import io.berth.core.api.policy.PlacementPlanner;
import io.berth.core.api.policy.PlanOutcome;
import io.berth.core.policies.Bench;
import io.berth.core.policies.pools.PoolRegistry;
import io.berth.spi.ConfigurationKey;
import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.PolicyKind;
import io.berth.spi.matching.MatchingStrategy;
import io.berth.spi.matching.MatchingStrategyFactory;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a policy does wrong in one pool does not take it from another. */
class PoolQuarantineTest {

    private final Bench bench = new Bench().withDefaults();
    private final CountDownLatch released = new CountDownLatch(1);
    private int jobs;

    @BeforeEach
    void chooseTheMoodyStrategyForAll() {
        bench.add(PolicyKind.MATCHING, "moody", 1, new Moody());
        bench.awaitState("moody", "ready");
        bench.platform.use(PolicyKind.MATCHING, "moody");
    }

    @AfterEach
    void close() {
        released.countDown();
        bench.close();
    }

    /** Breaks a rule, throws or hangs as its parameter says. */
    private final class Moody implements MatchingStrategyFactory {

        private final ConfigurationKey mood = ConfigurationKey.text("mood", "good", "good, greedy, bad or hangs");

        @Override
        public PolicyDescription describe() {
            return new PolicyDescription("moody", "for a test", List.of(mood));
        }

        @Override
        public MatchingStrategy create(PolicyConfiguration configuration, PolicyContext context)
                throws InvalidConfigurationException {
            Bench.Placing placing = switch (configuration.text("mood")) {
                case "greedy" -> (workers, admitted, plan) -> plan.place(0, 0, 99);
                case "bad" ->
                    (workers, admitted, plan) -> {
                        throw new IllegalStateException("bad mood");
                    };
                case "hangs" -> (workers, admitted, plan) -> released.await();
                default -> Bench.LEAVES_OUT;
            };
            return Bench.placing("moody", placing).create(configuration, context);
        }
    }

    private void configure(String pool, Map<String, String> entries) {
        bench.configured.put(PoolRegistry.PID + pool, new TreeMap<>(entries));
        bench.platform.poolRegistry().configurationChanged(PoolRegistry.PID + pool);
    }

    private PlacementPlanner open(String pool) throws Exception {
        PlacementPlanner planner = bench.platform.openPlanner(pool, MatchingRule.EXACT, () -> {});
        Bench.plan(planner, bench.input().worker(0, Bench.SIZE).build());
        return planner;
    }

    /** In a pool whose file gives a mood. */
    private PlacementPlanner open(String pool, String mood) throws Exception {
        configure(pool, Map.of("matching", "moody", "matching.mood", mood));
        return open(pool);
    }

    /** Who plans for one more job. */
    private String decider(PlacementPlanner planner) throws Exception {
        jobs++;
        return Bench.planned(
                        planner,
                        bench.input().unit(jobs, "job-" + jobs, 1, 1, 0).build())
                .matching()
                .name();
    }

    private SortedMap<String, String> obstacles(String pool) {
        return bench.platform.pools().stream()
                .filter(one -> one.name().equals(pool))
                .findFirst()
                .orElseThrow()
                .obstacles();
    }

    private PolicyDiagnosis diagnosis(String name) {
        return bench.platform
                .diagnose(Optional.of(PolicyKind.MATCHING), Optional.of(name))
                .get(0);
    }

    private long ended(ReleaseCause cause) {
        return bench.platform
                .policyFigures(PolicyKind.MATCHING, "moody")
                .orElseThrow()
                .releases()
                .get(cause);
    }

    @Test
    void aRuleThatItsParametersBreakInOnePoolCostsNoOtherPoolThePolicy() throws Exception {
        PlacementPlanner gpu = open("gpu", "greedy");
        PlacementPlanner other = open("default");
        for (int round = 0; round < 5; round++) {
            assertThat(decider(gpu)).isEqualTo("first-fit");
        }
        for (int round = 0; round < 5; round++) {
            assertThat(decider(other)).isEqualTo("moody");
        }
        assertThat(bench.details("moody").orElseThrow().failures())
                .as("it is not asked for the pool after the third failure")
                .isEqualTo(3);
        assertThat(bench.state("moody"))
                .startsWith("deciding; quarantined for pool gpu: ")
                .contains("breaks a rule of placement");
        assertThat(diagnosis("moody").verdict().label()).isEqualTo("deciding");
        assertThat(diagnosis("moody").text())
                .contains("it is chosen")
                .contains("quarantined for pool gpu since 2")
                .contains("'policy release matching moody' ends that");
        assertThat(diagnosis("first-fit").text()).startsWith("it decides for pool gpu, which chooses 'moody'; for all");
        assertThat(obstacles("gpu").get("matching"))
                .startsWith("does not decide (quarantined for pool gpu: ")
                .endsWith("): first-fit decides in its place");
        assertThat(obstacles("default")).isEmpty();
        assertThat(bench.platform.choices())
                .filteredOn(choice -> choice.kind() == PolicyKind.MATCHING)
                .singleElement()
                .satisfies(choice -> assertThat(choice.obstacle()).isEmpty());
        assertThat(bench.platform.swaps(Optional.of(PolicyKind.MATCHING), 1))
                .singleElement()
                .satisfies(swap -> {
                    assertThat(swap.owner()).isEqualTo("pool gpu");
                    assertThat(swap.cause().label()).isEqualTo("quarantine");
                });

        bench.platform.release(PolicyKind.MATCHING, "moody", "anna");
        assertThat(bench.state("moody")).isEqualTo("deciding");
        assertThat(decider(gpu)).isEqualTo("first-fit");
        assertThat(bench.details("moody").orElseThrow().failures())
                .as("it was asked again")
                .isEqualTo(4);
    }

    @Test
    void otherParametersEndTheQuarantineForThePool() throws Exception {
        PlacementPlanner gpu = open("gpu", "bad");
        for (int round = 0; round < 4; round++) {
            decider(gpu);
        }
        assertThat(bench.state("moody")).contains("quarantined for pool gpu: ").contains("bad mood");
        configure("gpu", Map.of("matching", "moody", "matching.mood", "good"));
        assertThat(decider(gpu)).isEqualTo("moody");
        assertThat(bench.state("moody")).isEqualTo("deciding");
        assertThat(ended(ReleaseCause.CONFIGURATION)).isEqualTo(1);
        assertThat(bench.platform.swaps(Optional.of(PolicyKind.MATCHING), 1))
                .singleElement()
                .satisfies(swap -> assertThat(swap.cause().label()).isEqualTo("configuration"));
    }

    @Test
    void aPoolThatIsGoneLeavesNoQuarantine() throws Exception {
        PlacementPlanner gpu = open("gpu", "bad");
        for (int round = 0; round < 3; round++) {
            decider(gpu);
        }
        gpu.close();
        bench.platform.poolRegistry().configurationRemoved(PoolRegistry.PID + "gpu");
        assertThat(bench.state("moody")).isEqualTo("deciding");
        assertThat(diagnosis("moody").text()).doesNotContain("quarantined for");
    }

    @Test
    void aHangInOnePoolCostsNoOtherPoolThePolicyAndOneInASecondPoolAll() throws Exception {
        PlacementPlanner gpu = open("gpu", "hangs");
        PlacementPlanner night = open("night", "hangs");
        PlacementPlanner other = open("default");
        assertThat(decider(gpu)).isEqualTo("first-fit");
        assertThat(bench.state("moody"))
                .startsWith("deciding; quarantined for pool gpu: place did not return within 2000 ms");
        assertThat(decider(other)).isEqualTo("moody");
        assertThat(decider(night)).isEqualTo("first-fit");
        assertThat(bench.state("moody")).startsWith("quarantined: place did not return within 2000 ms");
        assertThat(decider(other)).isEqualTo("first-fit");
    }

    @Test
    void thePoolsThatFollowTheCommonChoiceAreShownToo() throws Exception {
        configure("gpu", Map.of("order", "1"));
        PlacementPlanner gpu = open("gpu");
        PlacementPlanner other = open("default");
        decider(other);
        bench.configured.put("test.matching.moody", new TreeMap<>(Map.of("mood", "bad")));
        bench.platform.registry().configurationChanged("test.matching.moody");
        await().until(() -> decider(gpu).equals("first-fit"));
        for (int round = 0; round < 2; round++) {
            decider(gpu);
        }
        assertThat(bench.state("moody")).startsWith("deciding; quarantined for pool gpu: ");
        assertThat(diagnosis("first-fit").text())
                .startsWith(
                        "it decides for pool gpu, in place of the common choice; for all others it is filtered out: ");
        assertThat(obstacles("gpu").get("matching"))
                .startsWith("does not decide (quarantined for pool gpu: ")
                .endsWith("): first-fit decides in its place");
        assertThat(obstacles("default")).isEmpty();
        assertThat(bench.platform.choices())
                .filteredOn(choice -> choice.kind() == PolicyKind.MATCHING)
                .singleElement()
                .satisfies(choice -> assertThat(choice.obstacle())
                        .startsWith("does not decide (quarantined for pool gpu: ")
                        .endsWith("): first-fit decides in its place"));
    }

    @Test
    void aPoolWithoutAnotherPolicyNamesTheQuarantineThatIsItsOwn() throws Exception {
        bench.platform.policies().stream()
                .filter(one -> one.kind() == PolicyKind.MATCHING)
                .filter(one -> !one.name().equals("moody"))
                .forEach(one -> bench.platform
                        .registry()
                        .remove(Long.parseLong(one.version().substring("1.0.".length()))));
        PlacementPlanner gpu = open("gpu", "bad");
        PlacementPlanner other = open("default");
        assertThat(decider(other)).isEqualTo("moody");
        Reason why = Reason.of(ReasonCode.NO_STRATEGY, "");
        for (int round = 0; round < 4; round++) {
            jobs++;
            PlanOutcome outcome = Bench.plan(
                    gpu, bench.input().unit(jobs, "job-" + jobs, 1, 1, 0).build());
            why = ((PlanOutcome.NotDecided) outcome).why();
        }
        assertThat(why.code()).isEqualTo(ReasonCode.QUARANTINED);
        assertThat(why.line()).startsWith("no matching strategy: moody is quarantined for pool gpu, since 2");
    }
}
