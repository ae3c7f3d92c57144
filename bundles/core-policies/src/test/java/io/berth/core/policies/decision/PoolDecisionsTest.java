package io.berth.core.policies.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.policy.MatchingRule;
import io.berth.core.api.policy.PlacementPlanner;
import io.berth.core.api.policy.PlanOutcome;
import io.berth.core.api.policy.PlanningInput;
import io.berth.core.policies.Bench;
import io.berth.core.policies.pools.PoolRegistry;
import io.berth.spi.PolicyKind;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Each pool has policies of its own, and decides by itself. */
class PoolDecisionsTest {

    private final Bench bench = new Bench().withDefaults();
    private final CountDownLatch hanging = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);

    @AfterEach
    void close() {
        released.countDown();
        bench.close();
    }

    private void configure(String pool, Map<String, String> entries) {
        bench.configured.put(PoolRegistry.PID + pool, new TreeMap<>(entries));
        bench.platform.poolRegistry().configurationChanged(PoolRegistry.PID + pool);
    }

    private PlacementPlanner open(String pool) {
        return bench.platform.openPlanner(pool, MatchingRule.EXACT, () -> {});
    }

    private PlanningInput oneMoreJob(int index) {
        return bench.input().unit(index, "job-" + index, 1, 1, 0).build();
    }

    @Test
    void eachPoolUsesTheStrategyThatItsFileNamesAndFollowsTheFile() throws Exception {
        configure("gpu", Map.of("matching", "spread"));
        PlacementPlanner gpu = open("gpu");
        PlacementPlanner other = open("default");
        assertThat(Bench.planned(gpu, bench.twoWorkersAndAJob()).matching().name())
                .isEqualTo("spread");
        assertThat(Bench.planned(other, bench.twoWorkersAndAJob()).matching().name())
                .isEqualTo("first-fit");
        assertThat(bench.state("spread")).startsWith("deciding");
        configure("gpu", Map.of());
        assertThat(Bench.planned(gpu, oneMoreJob(7)).matching().name()).isEqualTo("first-fit");
        bench.platform.use(PolicyKind.MATCHING, "spread");
        configure("default", Map.of("matching", "first-fit"));
        assertThat(Bench.planned(gpu, oneMoreJob(8)).matching().name())
                .as("the common choice")
                .isEqualTo("spread");
        assertThat(Bench.planned(other, oneMoreJob(8)).matching().name())
                .as("that of its file")
                .isEqualTo("first-fit");
        assertThat(bench.platform.ownChoices(PolicyKind.MATCHING)).isEqualTo(Map.of("default", "first-fit"));
    }

    @Test
    void theFallbacksOfAPoolCountForItOnly() throws Exception {
        configure("gpu", Map.of("matching", "absent", "fallbacks.matching", "spread"));
        PlanOutcome.Planned plan = Bench.planned(open("gpu"), bench.twoWorkersAndAJob());
        assertThat(plan.matching().name()).isEqualTo("spread");
        assertThat(bench.state("spread")).as("not first-fit").startsWith("deciding");
        assertThat(bench.platform.pools().get(0).obstacles().get("matching"))
                .contains("is not there: spread decides in its place");
        assertThat(Bench.planned(open("default"), bench.twoWorkersAndAJob())
                        .matching()
                        .name())
                .isEqualTo("first-fit");
    }

    @Test
    void aStrategyThatHangsInOnePoolDelaysNoDecisionOfAnother() throws Exception {
        bench.add(PolicyKind.MATCHING, "villain", 1, Bench.placing("villain", (workers, admitted, plan) -> {
            hanging.countDown();
            released.await();
        }));
        bench.awaitState("villain", "ready");
        configure("gpu", Map.of("matching", "villain"));
        CompletableFuture<PlanOutcome> waiting =
                open("gpu").plan(bench.twoWorkersAndAJob()).toCompletableFuture();
        assertThat(hanging.await(20, TimeUnit.SECONDS)).isTrue();
        PlacementPlanner other = open("default");
        Bench.planned(other, bench.twoWorkersAndAJob());
        for (int job = 1; job < 50; job++) {
            Bench.planned(other, oneMoreJob(job));
        }
        assertThat(waiting).as("50 decisions of the other pool came first").isNotDone();
        PlanOutcome.Planned late = (PlanOutcome.Planned) waiting.get(20, TimeUnit.SECONDS);
        assertThat(late.matching().name()).as("after the deadline").isEqualTo("first-fit");
        assertThat(List.of(bench.state("villain"))).singleElement().asString().startsWith("quarantined");
    }
}
