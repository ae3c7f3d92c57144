package io.berth.core.policies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.berth.core.api.operations.PolicyOperations.SwapDetails;
import io.berth.core.api.operations.PolicyOperations.UseResult;
import io.berth.core.api.policy.PlacementPlanner;
import io.berth.core.api.policy.PlanOutcome;
import io.berth.core.api.time.SystemClock;
import io.berth.spi.PolicyDescription.ConfigurationKey;
import io.berth.spi.PolicyKind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SwapsTest {

    private Bench bench;
    private PlacementPlanner planner;

    @BeforeEach
    void open() {
        bench = new Bench(500).withDefaults();
        planner = bench.planner();
    }

    @AfterEach
    void close() {
        bench.close();
    }

    private List<SwapDetails> swaps() {
        return bench.platform.swaps(Optional.of(PolicyKind.MATCHING), 100);
    }

    private SwapDetails awaitSwap(int count) {
        await().atMost(Duration.ofSeconds(10)).pollInterval(Duration.ofMillis(2)).until(() -> swaps().size() == count);
        return swaps().get(0);
    }

    private PlanOutcome.Planned decide() throws Exception {
        return Bench.planned(planner, bench.twoWorkersAndAJob());
    }

    @Test
    void writesWhoDecidedBeforeAndAfterAChoice() throws Exception {
        PlanOutcome.Planned before = decide();
        bench.platform.use(PolicyKind.MATCHING, "spread", OptionalLong.of(0), "anna");

        SwapDetails swap = awaitSwap(1);
        assertThat(swap.owner()).isEqualTo("pool default");
        assertThat(swap.cause()).isEqualTo("use by anna");
        assertThat(swap.index()).isEqualTo(1);
        assertThat(swap.inFlight()).isZero();
        assertThat(swap.from()).isEqualTo(DecisionLog.stamp(before.matching()));
        assertThat(swap.to().name()).isEqualTo("spread");
        assertThat(swap.to().generation()).isZero();
        assertThat(swap.firstDecision()).isZero();
        assertThat(swap.addedDelayMicros()).isEqualTo(-1);

        PlanOutcome.Planned after = decide();
        SwapDetails decided = swaps().get(0);
        assertThat(decided.to()).isEqualTo(DecisionLog.stamp(after.matching()));
        assertThat(decided.firstDecision()).isEqualTo(after.decision());
        assertThat(decided.addedDelayMicros()).isBetween(0L, 10_000_000L);
        decide();
        assertThat(swaps()).containsExactly(decided);
    }

    @Test
    void namesTheCauseOfEachChange() throws Exception {
        FakeRegistration best = bench.add(
                PolicyKind.MATCHING, "best", 500, Bench.placing("best", (workers, admitted, plan) -> {}));
        assertThat(awaitSwap(1).cause()).isEqualTo("install");
        best.ranking = 1;
        bench.platform.registry().updated(best.id());
        SwapDetails ranked = awaitSwap(2);
        assertThat(ranked.cause()).isEqualTo("ranking");
        assertThat(ranked.from().name()).isEqualTo("best");
        assertThat(ranked.to().name()).isEqualTo("first-fit");

        bench.platform.use(PolicyKind.MATCHING, "best");
        awaitSwap(3);
        bench.platform.registry().remove(best.id());
        assertThat(awaitSwap(4).cause()).isEqualTo("uninstall");
        bench.add(PolicyKind.MATCHING, "best", 1, best.fetch());
        assertThat(awaitSwap(5).cause()).isEqualTo("update");
        assertThat(bench.platform.swaps(Optional.of(PolicyKind.SCALING), 10)).isEmpty();
        assertThat(swaps()).extracting(SwapDetails::number).isSortedAccordingTo((a, b) -> Long.compare(b, a));
    }

    @Test
    void writesAChangedConfigurationAsAChange() throws Exception {
        FakeRegistration scripted = bench.add(PolicyKind.MATCHING, "scripted", 500, new Bench.Scripted(
                "scripted", List.of(new ConfigurationKey("limit", "1", "1 to 10")),
                (workers, admitted, plan) -> {}));
        awaitSwap(1);
        bench.configured.put(scripted.bundle(), new TreeMap<>(Map.of("limit", "5")));
        bench.platform.registry().configurationChanged(scripted.bundle());

        SwapDetails swap = awaitSwap(2);
        assertThat(swap.cause()).isEqualTo("configuration");
        assertThat(swap.to().configurationRevision()).isEqualTo(swap.from().configurationRevision() + 1);
    }

    @Test
    void countsWhatAHangCostTheDecisionThatFollowed() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        bench.add(PolicyKind.MATCHING, "hang", 500, Bench.placing("hang", (workers, admitted, plan) -> never.await()));
        awaitSwap(1);

        PlanOutcome.Planned planned = decide();

        SwapDetails swap = awaitSwap(2);
        assertThat(swap.cause()).isEqualTo("quarantine");
        assertThat(swap.from().name()).isEqualTo("hang");
        assertThat(swap.to().name()).isEqualTo("first-fit");
        assertThat(swap.firstDecision()).isEqualTo(planned.decision());
        assertThat(swap.addedDelayMicros()).isGreaterThanOrEqualTo(500_000);
        assertThat(swap.inFlight()).isEqualTo(1);
        never.countDown();
    }

    @Test
    void goesBackToTheChoiceBefore() {
        assertThatThrownBy(() -> bench.platform.revert(PolicyKind.MATCHING, OptionalLong.empty(), "anna"))
                .hasMessageContaining("nothing to go back to");
        bench.platform.use(PolicyKind.MATCHING, "first-fit");
        bench.platform.use(PolicyKind.MATCHING, "spread");

        assertThat(bench.platform.revert(PolicyKind.MATCHING, OptionalLong.of(1), "anna"))
                .isInstanceOf(UseResult.Conflict.class);
        assertThat(bench.platform.revert(PolicyKind.MATCHING, OptionalLong.of(2), "anna"))
                .isEqualTo(new UseResult.Changed(3));
        assertThat(bench.platform.choice(PolicyKind.MATCHING)).contains("first-fit");
        bench.platform.revert(PolicyKind.MATCHING, OptionalLong.empty(), "anna");
        assertThat(bench.platform.choice(PolicyKind.MATCHING)).contains("spread");
        assertThatThrownBy(() -> bench.platform.revert(PolicyKind.BACKEND, OptionalLong.empty(), "anna"))
                .hasMessageContaining("a backend is not chosen");
    }

    @Test
    void keepsABoundedNumberOfChanges() {
        SwapLog log = new SwapLog(new SystemClock(), new Meters());
        for (int i = 0; i <= SwapLog.MOST; i++) {
            log.swapped(PolicyKind.MATCHING, "pool default", Optional.empty(), Optional.empty(), Optional.empty());
        }
        assertThat(log.find(Optional.empty(), SwapLog.MOST)).hasSize(SwapLog.MOST)
                .last().extracting(SwapDetails::number).isEqualTo(2L);
    }
}
