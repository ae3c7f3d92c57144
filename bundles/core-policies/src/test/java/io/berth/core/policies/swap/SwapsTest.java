package io.berth.core.policies.swap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.berth.core.api.operations.PolicyOperations.SwapDetails;
import io.berth.core.api.operations.PolicyOperations.SwapLedger;
import io.berth.core.api.operations.PolicyOperations.UseResult;
import io.berth.core.api.operations.SwapVerdict;
import io.berth.core.api.policy.CommittedSlot;
import io.berth.core.api.policy.LedgerHash;
import io.berth.core.api.policy.LedgerState;
import io.berth.core.api.policy.MatchingRule;
import io.berth.core.api.policy.PlacementPlanner;
import io.berth.core.api.policy.PlanOutcome;
import io.berth.core.api.time.SystemClock;
import io.berth.core.policies.Bench;
import io.berth.core.policies.FakeRegistration;
import io.berth.core.policies.meters.Meters;
import io.berth.core.policies.registry.HostSettings;
import io.berth.spi.AllocationId;
import io.berth.spi.ConfigurationKey;
import io.berth.spi.JobId;
import io.berth.spi.PolicyKind;
import io.berth.spi.WorkerId;
import java.time.Duration;
import java.util.ArrayList;
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

    private static final JobId JOB = new JobId("a");
    private static final WorkerId WORKER = new WorkerId("w0");

    private Bench bench;
    private PlacementPlanner planner;
    private volatile LedgerState ledger = new LedgerState(0, 0, 0, 0, 0);
    private long allocations;

    @BeforeEach
    void open() {
        bench = new Bench(5_000).withDefaults();
        planner = bench.platform.openPlanner("default", MatchingRule.EXACT, () -> ledger, () -> {});
    }

    @AfterEach
    void close() {
        bench.close();
    }

    private List<SwapDetails> swaps() {
        return bench.platform.swaps(Optional.of(PolicyKind.MATCHING), 100);
    }

    private SwapDetails awaitSwap(int count) {
        await().atMost(Duration.ofSeconds(10))
                .pollInterval(Duration.ofMillis(2))
                .until(() -> swaps().size() == count);
        return swaps().get(0);
    }

    private SwapDetails awaitCause(String cause) {
        await().atMost(Duration.ofSeconds(10))
                .pollInterval(Duration.ofMillis(2))
                .until(() -> swaps().get(0).cause().label().equals(cause));
        return swaps().get(0);
    }

    private PlanOutcome.Planned decide() throws Exception {
        return Bench.planned(planner, bench.twoWorkersAndAJob());
    }

    /** Commits {@code slots} slots as an owner would, while the ledger counts {@code counted} new slots. */
    private void commit(PlanOutcome.Planned planned, int slots, int counted, long delayMicros) {
        LedgerState before = ledger;
        List<CommittedSlot> committed = new ArrayList<>();
        for (int slot = 0; slot < Math.max(slots, counted); slot++) {
            CommittedSlot granted =
                    new CommittedSlot(JOB, "all", "default", WORKER, new AllocationId(1, ++allocations), Bench.SLOT);
            if (slot < slots) {
                committed.add(granted);
            }
            if (slot < counted) {
                ledger = new LedgerState(
                        ledger.hash() + LedgerHash.of(granted.allocation(), WORKER, JOB, Bench.SLOT),
                        ledger.slots() + 1,
                        ledger.granted() + 1,
                        ledger.ended(),
                        ledger.reported());
            }
        }
        planner.committed(
                planned.decision(), new PlacementPlanner.Commit(committed, 0, 0, "", before, ledger, delayMicros));
    }

    private void commit(PlanOutcome.Planned planned) {
        commit(planned, 3, 3, 1_000);
    }

    private SwapDetails awaitCommitted() {
        await().atMost(Duration.ofSeconds(10))
                .pollInterval(Duration.ofMillis(2))
                .until(() -> swaps().get(0).delayMicros() >= 0);
        return swaps().get(0);
    }

    @Test
    void recordsThePoliciesBeforeAndAfterAChoice() throws Exception {
        PlanOutcome.Planned before = decide();
        commit(before);
        bench.platform.use(PolicyKind.MATCHING, "spread", OptionalLong.of(0), "anna");

        SwapDetails swap = awaitSwap(1);
        assertThat(swap.owner()).isEqualTo("pool default");
        assertThat(swap.cause().label()).isEqualTo("use by anna");
        assertThat(swap.index()).isEqualTo(1);
        assertThat(swap.inFlight()).isZero();
        assertThat(swap.from()).isEqualTo(Swap.stamp(before.matching()));
        assertThat(swap.to().name()).isEqualTo("spread");
        assertThat(swap.to().generation()).isZero();
        assertThat(swap.firstDecision()).isZero();
        assertThat(swap.addedDelayMicros()).isEqualTo(-1);
        assertThat(swap.ledger().verdict()).isEqualTo(SwapVerdict.Plain.OPEN);

        PlanOutcome.Planned after = decide();
        commit(after, 3, 3, 1_700);
        SwapDetails decided = awaitCommitted();
        assertThat(decided.to()).isEqualTo(Swap.stamp(after.matching()));
        assertThat(decided.firstDecision()).isEqualTo(after.decision());
        commit(decide());
        assertThat(swaps()).containsExactly(decided);
    }

    @Test
    void recordsTheDelayOfTheOwnerAndItsUsualDelay() throws Exception {
        commit(decide());
        commit(decide());
        commit(decide());
        bench.platform.use(PolicyKind.MATCHING, "spread");
        awaitSwap(1);
        commit(decide(), 3, 3, 1_700);

        SwapDetails swap = awaitCommitted();
        assertThat(swap.usualMicros()).isEqualTo(1_000);
        assertThat(swap.delayMicros()).isEqualTo(1_700);
        assertThat(swap.addedDelayMicros()).isEqualTo(700);
    }

    @Test
    void showsByTheLedgerThatTheSwapChangedNoSlot() throws Exception {
        commit(decide());
        LedgerState left = ledger;
        bench.platform.use(PolicyKind.MATCHING, "spread");
        awaitSwap(1);
        commit(decide(), 2, 2, 1_000);

        SwapLedger shown = awaitCommitted().ledger();
        assertThat(shown.verdict()).isEqualTo(SwapVerdict.Plain.NOTHING_CHANGED);
        assertThat(shown.lastDecision()).isEqualTo(Swap.stamp(left));
        assertThat(shown.opened()).isEqualTo(Swap.stamp(left));
        assertThat(shown.firstBefore()).isEqualTo(Swap.stamp(left));
        assertThat(shown.firstAfter()).isEqualTo(Swap.stamp(ledger));
        assertThat(shown.firstSlots()).isEqualTo(2);
        assertThat(shown.firstAfter().changes()).isEqualTo(shown.firstBefore().changes() + 2);
    }

    @Test
    void reportsChangesByWorkersSeparately() throws Exception {
        commit(decide());
        bench.platform.use(PolicyKind.MATCHING, "spread");
        awaitSwap(1);
        ledger = new LedgerState(
                ledger.hash() - LedgerHash.of(new AllocationId(1, 1), WORKER, JOB, Bench.SLOT),
                ledger.slots() - 1,
                ledger.granted(),
                ledger.ended() + 1,
                ledger.reported());
        commit(decide());
        assertThat(awaitCommitted().ledger().verdict().label())
                .isEqualTo("no slot given; meanwhile 1 ended and 0 were reported by workers");
    }

    @Test
    void reportsASlotThatNoDecisionGave() throws Exception {
        commit(decide());
        bench.platform.use(PolicyKind.MATCHING, "spread");
        awaitSwap(1);
        ledger = new LedgerState(ledger.hash() + 5, ledger.slots() + 1, ledger.granted() + 1, 0, 0);
        commit(decide());
        assertThat(awaitCommitted().ledger().verdict().label()).startsWith("violated: 1 slots were given by none");
    }

    @Test
    void reportsOtherAllocationsWithoutACountedChange() throws Exception {
        commit(decide());
        bench.platform.use(PolicyKind.MATCHING, "spread");
        awaitSwap(1);
        ledger = new LedgerState(ledger.hash() + 5, ledger.slots(), ledger.granted(), 0, 0);
        commit(decide());
        assertThat(awaitCommitted().ledger().verdict().label()).startsWith("violated: other allocations");
    }

    @Test
    void reportsAFirstDecisionThatChangedMoreThanItGave() throws Exception {
        commit(decide());
        bench.platform.use(PolicyKind.MATCHING, "spread");
        awaitSwap(1);
        commit(decide(), 2, 3, 1_000);
        assertThat(awaitCommitted().ledger().verdict().label()).startsWith("violated: the first decision changed more");
    }

    @Test
    void marksARecordThatTheNextSwapOvertook() throws Exception {
        decide();
        bench.platform.use(PolicyKind.MATCHING, "spread");
        awaitSwap(1);
        bench.platform.use(PolicyKind.MATCHING, "first-fit");
        SwapDetails next = awaitSwap(2);
        assertThat(swaps().get(1).overtakenBy()).isEqualTo(next.number());
        assertThat(next.overtakenBy()).isZero();
    }

    @Test
    void recordsChoicesThatWereReplacedBeforeTheOwnerFollowedThem() throws Exception {
        decide();
        CountDownLatch held = bench.holdMainThreads();
        bench.platform.use(PolicyKind.MATCHING, "spread");
        bench.platform.use(PolicyKind.MATCHING, "(io.berth.policy.name=spread)");
        bench.platform.use(PolicyKind.MATCHING, "first-fit");
        held.countDown();

        SwapDetails last = awaitSwap(2);
        SwapDetails first = swaps().get(1);
        assertThat(first.index()).isEqualTo(1);
        assertThat(first.to().name()).isEqualTo("spread");
        assertThat(first.overtakenBy()).isEqualTo(last.number());
        assertThat(last.index()).isEqualTo(3);
        assertThat(last.from().name()).isEqualTo("spread");
        assertThat(last.to().name()).isEqualTo("first-fit");
        assertThat(decide().matching().name()).isEqualTo("first-fit");
        assertThat(swaps()).hasSize(2);
        assertThat(swaps().get(0).firstDecision()).isPositive();
    }

    @Test
    void recordsAnUpdateOnce() throws Exception {
        FakeRegistration old = bench.add(PolicyKind.MATCHING, "best", 500, Bench.placing("best", Bench.LEAVES_OUT));
        awaitSwap(1);
        PlanOutcome.Planned before = decide();
        commit(before);
        bench.platform.registry().remove(old.id());
        assertThat(awaitSwap(2).cause().label()).isEqualTo("uninstall");
        assertThat(swaps().get(0).to().name()).isEqualTo("first-fit");
        FakeRegistration updated = bench.add(PolicyKind.MATCHING, "best", 500, old.fetch());

        SwapDetails swap = awaitCause("update");
        assertThat(swaps()).hasSize(2);
        assertThat(swap.from()).isEqualTo(Swap.stamp(before.matching()));
        assertThat(swap.to().name()).isEqualTo("best");
        assertThat(swap.to().version())
                .isEqualTo(updated.version())
                .isNotEqualTo(swap.from().version());
        commit(decide());
        assertThat(awaitCommitted().firstDecision()).isEqualTo(before.decision() + 1);
        assertThat(swaps()).hasSize(2);
    }

    @Test
    void recordsTwoSwapsWhenAnotherPolicyDecidedDuringAnUpdate() throws Exception {
        FakeRegistration old = bench.add(PolicyKind.MATCHING, "best", 500, Bench.placing("best", Bench.LEAVES_OUT));
        awaitSwap(1);
        decide();
        bench.platform.registry().remove(old.id());
        awaitSwap(2);
        PlanOutcome.Planned between = decide();
        assertThat(between.matching().name()).isEqualTo("first-fit");
        bench.add(PolicyKind.MATCHING, "best", 500, old.fetch());
        SwapDetails swap = awaitSwap(3);
        assertThat(swap.cause().label()).isEqualTo("update");
        assertThat(swap.from()).isEqualTo(Swap.stamp(between.matching()));
        assertThat(swaps().get(1).firstDecision()).isEqualTo(between.decision());
    }

    @Test
    void namesTheCauseOfEachSwap() throws Exception {
        FakeRegistration best = bench.add(PolicyKind.MATCHING, "best", 500, Bench.placing("best", Bench.LEAVES_OUT));
        assertThat(awaitSwap(1).cause().label()).isEqualTo("install");
        best.ranking = 1;
        bench.platform.registry().updated(best.id());
        SwapDetails ranked = awaitSwap(2);
        assertThat(ranked.cause().label()).isEqualTo("ranking");
        assertThat(ranked.from().name()).isEqualTo("best");
        assertThat(ranked.to().name()).isEqualTo("first-fit");

        bench.platform.use(PolicyKind.MATCHING, "best");
        awaitSwap(3);
        bench.platform.revert(PolicyKind.MATCHING, OptionalLong.empty(), "berta");
        assertThat(awaitSwap(4).cause().label()).isEqualTo("revert by berta");
        bench.platform.use(PolicyKind.MATCHING, "best");
        awaitSwap(5);
        bench.platform.registry().remove(best.id());
        assertThat(awaitSwap(6).cause().label()).isEqualTo("uninstall");
        assertThat(bench.platform.swaps(Optional.of(PolicyKind.SCALING), 10)).isEmpty();
        assertThat(swaps()).extracting(SwapDetails::number).isSortedAccordingTo((a, b) -> Long.compare(b, a));
    }

    @Test
    void recordsAChangedConfigurationAsASwap() throws Exception {
        FakeRegistration scripted = bench.add(
                PolicyKind.MATCHING,
                "scripted",
                500,
                new Bench.Scripted(
                        "scripted", List.of(ConfigurationKey.text("limit", "1", "1 to 10")), Bench.LEAVES_OUT));
        awaitSwap(1);
        bench.configured.put(scripted.bundle(), new TreeMap<>(Map.of("limit", "5")));
        bench.platform.registry().configurationChanged(scripted.bundle());

        SwapDetails swap = awaitSwap(2);
        assertThat(swap.cause().label()).isEqualTo("configuration");
        assertThat(swap.to().configurationRevision()).isEqualTo(swap.from().configurationRevision() + 1);
    }

    @Test
    void includesTheTimeOfAHangInTheDelay() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        bench.add(PolicyKind.MATCHING, "hang", 500, Bench.placing("hang", (workers, admitted, plan) -> never.await()));
        awaitSwap(1);

        PlanOutcome.Planned planned = decide();
        commit(planned, 3, 3, 510_000);

        awaitSwap(2);
        SwapDetails swap = awaitCommitted();
        assertThat(swap.cause().label()).isEqualTo("quarantine");
        assertThat(swap.from().name()).isEqualTo("hang");
        assertThat(swap.to().name()).isEqualTo("first-fit");
        assertThat(swap.firstDecision()).isEqualTo(planned.decision());
        assertThat(swap.addedDelayMicros()).isGreaterThanOrEqualTo(500_000);
        assertThat(swap.inFlight()).isEqualTo(1);
        never.countDown();
        bench.platform.release(PolicyKind.MATCHING, "hang", "anna");
        assertThat(awaitSwap(3).cause().label()).isEqualTo("release by anna");
    }

    @Test
    void revertsToThePreviousChoice() {
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
        assertThat(bench.platform.choice(PolicyKind.MATCHING))
                .as("reverted one more step: by ranking")
                .isEmpty();
        assertThatThrownBy(() -> bench.platform.revert(PolicyKind.MATCHING, OptionalLong.empty(), "anna"))
                .hasMessageContaining("nothing to go back to: matching is chosen by ranking at index 4");
        assertThatThrownBy(() -> bench.platform.revert(PolicyKind.BACKEND, OptionalLong.empty(), "anna"))
                .hasMessageContaining("a backend is not chosen");
    }

    @Test
    void keepsTheConfiguredNumberOfSwaps() throws Exception {
        decide();
        for (String policy : List.of("spread", "first-fit", "spread")) {
            bench.platform.use(PolicyKind.MATCHING, policy);
            awaitDecider(policy);
        }
        assertThat(swaps()).hasSize(3);

        bench.platform.settings(new HostSettings(new TreeMap<>(), new TreeMap<>(), new TreeMap<>(), 10, 2));

        assertThat(swaps()).hasSize(2);
        bench.platform.use(PolicyKind.MATCHING, "first-fit");
        awaitDecider("first-fit");
        assertThat(swaps()).hasSize(2).extracting(SwapDetails::number).containsExactly(4L, 3L);
    }

    private void awaitDecider(String policy) {
        await().atMost(Duration.ofSeconds(10))
                .pollInterval(Duration.ofMillis(2))
                .until(() -> decide().matching().name().equals(policy));
    }

    @Test
    void keepsABoundedNumberOfSwaps() {
        SwapLog log = new SwapLog(new SystemClock(), new Meters());
        for (int i = 0; i <= SwapLog.MAX_COUNT; i++) {
            log.swapped(
                    PolicyKind.MATCHING,
                    "pool default",
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    false,
                    LedgerState.NONE,
                    0);
        }
        assertThat(log.find(Optional.empty(), SwapLog.MAX_COUNT))
                .hasSize(SwapLog.MAX_COUNT)
                .last()
                .extracting(SwapDetails::number)
                .isEqualTo(2L);
    }
}
