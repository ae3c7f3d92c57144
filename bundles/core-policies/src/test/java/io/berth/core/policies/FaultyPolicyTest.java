package io.berth.core.policies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.berth.core.api.policy.PlacementPlanner;
import io.berth.core.api.policy.PlanOutcome;
import io.berth.core.api.policy.PlanningInput;
import io.berth.spi.ConfigurationKey;
import io.berth.spi.PolicyKind;
import io.berth.spi.matching.PlacementBuilder;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class FaultyPolicyTest {

    private Bench bench = new Bench();

    @AfterEach
    void end() {
        bench.close();
    }

    static Stream<Arguments> garbage() {
        return Stream.of(
                garbage("entry 7 of", (workers, admitted, plan) -> plan.place(7, 0, 1)),
                garbage("entry -1 of", (workers, admitted, plan) -> plan.place(-1, 0, 1)),
                garbage("worker 99, which is not there", (workers, admitted, plan) -> plan.place(0, 99, 1)),
                garbage("at least 1 is allowed", (workers, admitted, plan) -> plan.place(0, 0, 0)),
                garbage("admitted are", (workers, admitted, plan) -> plan.place(0, 0, Integer.MAX_VALUE)),
                garbage("which has 4000 left", (workers, admitted, plan) -> plan.place(0, 0, 5)),
                garbage(
                        "2 of the 6 slots that are the minimum of job a",
                        (workers, admitted, plan) -> plan.place(0, 0, 2)),
                garbage("spec 3 of 1", (workers, admitted, plan) -> plan.open(3)),
                garbage("more than the 2 workers", (workers, admitted, plan) -> {
                    for (int count = 0; count < 3; count++) {
                        plan.place(1, plan.open(0), 1);
                    }
                }),
                garbage("that takes nothing", (workers, admitted, plan) -> plan.open(0)),
                garbage("job a could have used", (workers, admitted, plan) -> {
                    plan.place(1, 0, 4);
                    plan.place(1, 1, 4);
                    plan.place(1, plan.open(0), 4);
                }),
                garbage("from another thread", (workers, admitted, plan) -> {
                    Thread other = new Thread(() -> plan.place(0, 0, 1));
                    other.start();
                    other.join();
                }));
    }

    private static Arguments garbage(String violation, Bench.Placing placing) {
        return Arguments.of(violation, placing);
    }

    @ParameterizedTest
    @MethodSource("garbage")
    void namesTheBrokenRuleAndDecidesWithTheFallback(String violation, Bench.Placing placing) throws Exception {
        bench.withDefaults();
        bench.add(PolicyKind.MATCHING, "villain", 1_000, Bench.placing("villain", placing));
        bench.awaitState("villain", "deciding");
        PlanningInput input = bench.input()
                .worker(0, Bench.SIZE)
                .worker(1, Bench.SIZE)
                .spec(2)
                .unit(0, "a", 6, 6, 0)
                .unit(1, "b", 0, 20, 0)
                .build();
        PlanOutcome.Planned planned = Bench.planned(bench.planner(), input);
        assertThat(planned.matching().name()).isEqualTo("first-fit");
        assertThat(planned.placements()).isNotEmpty();
        assertThat(bench.platform
                        .decision(planned.decision())
                        .orElseThrow()
                        .reasons()
                        .get(0))
                .contains("matching villain")
                .contains(violation);
        assertThat(bench.details("villain").orElseThrow().failures()).isEqualTo(1);
    }

    @Test
    void aThrowingPolicyIsQuarantinedAfterThreeFailuresAndDelaysNoDecision() throws Exception {
        bench.withDefaults();
        FakeRegistration faulty =
                bench.add(PolicyKind.MATCHING, "villain", 1_000, Bench.placing("villain", (workers, admitted, plan) -> {
                    throw new StackOverflowError("on purpose");
                }));
        bench.awaitState("villain", "deciding");
        PlacementPlanner planner = bench.planner();
        for (int round = 0; round < 3; round++) {
            PlanningInput input =
                    round == 0 ? bench.twoWorkersAndAJob() : bench.input().build();
            assertThat(Bench.planned(planner, input).matching().name()).isEqualTo("first-fit");
        }
        assertThat(bench.state("villain")).startsWith("quarantined").contains("StackOverflowError: on purpose");
        assertThat(bench.state("first-fit")).isEqualTo("deciding");
        PlanOutcome.Planned quiet = Bench.planned(planner, bench.input().build());
        assertThat(bench.platform.decision(quiet.decision()).orElseThrow().reasons())
                .isEmpty();
        bench.platform.registry().remove(faulty.id());
        await().until(() -> faulty.released.get() == 1);
    }

    @Test
    void aHangingPolicyIsAbandonedAndQuarantinedUntilItIsRegisteredAgain() throws Exception {
        bench.close();
        bench = new Bench(2_000);
        bench.withDefaults();
        CountDownLatch hang = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        Bench.Placing placing = (workers, admitted, plan) -> {
            while (hang.getCount() > 0) {
                try {
                    hang.await();
                } catch (InterruptedException ignored) {
                    interrupted.countDown();
                }
            }
            plan.place(0, 0, 1);
        };
        FakeRegistration faulty = bench.add(PolicyKind.MATCHING, "villain", 1_000, Bench.placing("villain", placing));
        bench.awaitState("villain", "deciding");
        PlacementPlanner planner = bench.planner();
        PlanOutcome.Planned planned = Bench.planned(planner, bench.twoWorkersAndAJob());
        assertThat(planned.matching().name()).isEqualTo("first-fit");
        assertThat(bench.state("villain"))
                .startsWith("quarantined for pool default: place did not return within 2000 ms");
        assertThat(interrupted.await(5, TimeUnit.SECONDS)).isTrue();
        assertThat(bench.platform.guard().abandoned()).isEqualTo(1);
        hang.countDown();
        await().until(() -> bench.platform.guard().abandoned() == 0);
        bench.platform.registry().remove(faulty.id());
        bench.add(PolicyKind.MATCHING, "villain", 1_000, Bench.placing("villain", Bench.LEAVES_OUT));
        bench.awaitState("villain", "deciding");
    }

    @Test
    void aServiceThatBlocksWhenItIsFetchedDelaysNoDecision() throws Exception {
        bench.close();
        bench = new Bench(2_000);
        CountDownLatch block = new CountDownLatch(1);
        bench.platform.registry().add(new FakeRegistration(900, PolicyKind.MATCHING, "blocked", 1_000, () -> {
            try {
                block.await();
            } catch (InterruptedException given) {
                throw new IllegalStateException("interrupted");
            }
            return new Object();
        }));
        bench.withDefaults();
        assertThat(Bench.planned(bench.planner(), bench.twoWorkersAndAJob())
                        .matching()
                        .name())
                .isEqualTo("first-fit");
        bench.awaitState("blocked", "cannot be used: describe did not return within 2000 ms");
        block.countDown();
    }

    @Test
    void aCallInFlightDuringASwapEndsWithTheOldPolicy() throws Exception {
        bench.withDefaults();
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        AtomicReference<PlacementBuilder> kept = new AtomicReference<>();
        FakeRegistration old =
                bench.add(PolicyKind.MATCHING, "old", 1_000, Bench.placing("old", (workers, admitted, plan) -> {
                    kept.set(plan);
                    entered.countDown();
                    go.await();
                    for (int entry = 0; entry < admitted.size(); entry++) {
                        plan.place(entry, 1, admitted.count(entry));
                    }
                }));
        bench.awaitState("old", "deciding");
        PlacementPlanner planner = bench.planner();
        CompletionStage<PlanOutcome> first = planner.plan(bench.twoWorkersAndAJob());
        assertThat(entered.await(5, TimeUnit.SECONDS)).isTrue();
        bench.platform.registry().remove(old.id());
        CompletableFuture<PlanOutcome> second =
                planner.plan(bench.input().build()).toCompletableFuture();
        assertThat(old.released).hasValue(0);
        assertThat(second).isNotDone();
        go.countDown();
        PlanOutcome.Planned planned =
                (PlanOutcome.Planned) first.toCompletableFuture().get(5, TimeUnit.SECONDS);
        assertThat(planned.matching().name()).isEqualTo("old");
        assertThat(planned.placements()).allMatch(placement -> placement.worker() == 1);
        PlanOutcome.Planned next = (PlanOutcome.Planned) second.get(5, TimeUnit.SECONDS);
        assertThat(next.matching().name()).isEqualTo("first-fit");
        await().until(() -> old.released.get() == 1);
        kept.get().place(0, 0, 1);
        assertThat(next.placements()).hasSize(2);
    }

    @Test
    void aRefusedConfigurationLeavesTheOldGenerationDeciding() throws Exception {
        bench.withDefaults();
        FakeRegistration tuned = bench.add(
                PolicyKind.MATCHING,
                "tuned",
                1_000,
                new Bench.Scripted("tuned", List.of(ConfigurationKey.text("limit", "1", "1 to 10")), Bench.LEAVES_OUT));
        bench.awaitState("tuned", "deciding");
        PlacementPlanner planner = bench.planner();
        PlanOutcome.Planned before = Bench.planned(planner, bench.twoWorkersAndAJob());
        configure(tuned, Map.of("limit", "11"));
        bench.awaitState("tuned", "deciding with its last good configuration; configuration refused: limit is '11'");
        configure(tuned, Map.of("limt", "2"));
        bench.awaitState(
                "tuned",
                "deciding with its last good configuration; configuration refused: unknown key limt; known are limit");
        PlanOutcome.Planned refused = Bench.planned(planner, bench.input().build());
        assertThat(refused.matching()).isEqualTo(before.matching());
        configure(tuned, Map.of("limit", "5"));
        await().until(() -> bench.state("tuned").equals("deciding"));
        PlanOutcome.Planned after = Bench.planned(planner, bench.input().build());
        assertThat(after.matching().name()).isEqualTo("tuned");
        assertThat(after.matching().configurationRevision())
                .isEqualTo(before.matching().configurationRevision() + 1);
        assertThat(after.matching().generation())
                .isGreaterThan(before.matching().generation());
    }

    private void configure(FakeRegistration policy, Map<String, String> entries) {
        bench.configured.put(policy.bundle(), new TreeMap<>(entries));
        bench.platform.registry().configurationChanged(policy.bundle());
    }

    @Test
    void anUnknownChoiceIsRefusedAndTheInstalledPoliciesAreNamed() {
        bench.withDefaults();
        assertThatThrownBy(() -> bench.platform.use(PolicyKind.MATCHING, "best-fit"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("there is no matching policy 'best-fit': installed are first-fit, spread");
        assertThatThrownBy(() -> bench.platform.use(PolicyKind.MATCHING, "(no filter"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no LDAP filter");
    }

    @Test
    void choosesByFilterAndFallsBackByRankingWhenTheChosenPolicyIsRemoved() throws Exception {
        bench.firstFit();
        FakeRegistration spread = bench.spread();
        bench.fifo();
        bench.platform.use(PolicyKind.MATCHING, "(io.berth.policy.name=spr*)");
        PlacementPlanner planner = bench.planner();
        assertThat(Bench.planned(planner, bench.twoWorkersAndAJob()).matching().name())
                .isEqualTo("spread");
        bench.platform.registry().remove(spread.id());
        PlanOutcome.Planned fallback = Bench.planned(planner, bench.input().build());
        assertThat(fallback.matching().name()).isEqualTo("first-fit");
        assertThat(bench.platform
                        .decision(fallback.decision())
                        .orElseThrow()
                        .reasons()
                        .get(0))
                .contains("was chosen but is not there");
        bench.platform.use(PolicyKind.MATCHING, "");
        assertThat(bench.platform.choice(PolicyKind.MATCHING)).isEmpty();
    }

    @Test
    void keepsNoGenerationAfterThePlannerIsClosed() throws Exception {
        bench.withDefaults();
        PlacementPlanner planner = bench.planner();
        Bench.planned(planner, bench.twoWorkersAndAJob());
        assertThat(bench.platform.registry().generationsInUse()).isEqualTo(2);
        planner.close();
        await().until(() -> bench.platform.registry().generationsInUse() == 0);
    }

    /** A service property of a class that belongs to a bundle. */
    public static final class Spy implements Comparable<Object> {
        private static final AtomicReference<String> CALLED = new AtomicReference<>("");

        public Spy(String text) {
            CALLED.set("constructor for " + text);
        }

        @Override
        public int compareTo(Object other) {
            CALLED.set("compareTo");
            return 0;
        }

        @Override
        public boolean equals(Object other) {
            CALLED.set("equals");
            return true;
        }

        @Override
        public int hashCode() {
            return 1;
        }
    }

    @Test
    void aFilterCallsNoMethodOfAServiceProperty() {
        bench.withDefaults();
        FakeRegistration spied = bench.add(PolicyKind.MATCHING, "spied", 1, Bench.placing("spied", Bench.LEAVES_OUT));
        spied.extra = new TreeMap<>(Map.of("spy", new Spy("own"), "spies", List.of(new Spy("own"))));
        bench.awaitState("spied", "ready");
        Spy.CALLED.set("");
        assertThatThrownBy(() -> bench.platform.use(PolicyKind.MATCHING, "(spy=5)"))
                .hasMessageContaining("there is no");
        assertThatThrownBy(() -> bench.platform.use(PolicyKind.MATCHING, "(spies=5)"))
                .hasMessageContaining("there is no");
        assertThat(Spy.CALLED.get()).isEmpty();
    }
}
