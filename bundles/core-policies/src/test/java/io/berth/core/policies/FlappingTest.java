package io.berth.core.policies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.berth.core.api.policy.PlacementPlanner;
import io.berth.core.api.policy.PlanOutcome;
import io.berth.spi.PolicyKind;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Services that come and go, equal rankings, and rankings that change. */
class FlappingTest {

    private final Bench bench = new Bench().withDefaults();

    @AfterEach
    void end() {
        bench.close();
    }

    private String first() {
        return bench.platform
                .registry()
                .select(PolicyKind.MATCHING, Optional.empty())
                .candidates()
                .get(0)
                .name();
    }

    private FakeRegistration add(String name, int ranking) {
        return bench.add(PolicyKind.MATCHING, name, ranking, Bench.placing(name, Bench.LEAVES_OUT));
    }

    @Test
    void decidesInEveryRoundWhileAServiceComesAndGoesEveryTenMilliseconds() throws Exception {
        AtomicInteger flaps = new AtomicInteger();
        AtomicReference<Optional<FakeRegistration>> there = new AtomicReference<>(Optional.empty());
        AtomicInteger running = new AtomicInteger(1);
        flap(flaps, there, running);
        try (PlacementPlanner planner = bench.planner()) {
            for (int round = 0; round < 300 || flaps.get() < 40; round++) {
                PlanOutcome outcome = Bench.plan(planner, bench.twoWorkersAndAJob());
                assertThat(outcome).isInstanceOf(PlanOutcome.Planned.class);
                assertThat(((PlanOutcome.Planned) outcome).matching().name()).isIn("first-fit", "flapping");
            }
            running.set(0);
            await().until(() -> running.get() == -1);
            await().until(() -> first().equals("first-fit"));
            assertThat(Bench.planned(planner, bench.twoWorkersAndAJob())
                            .matching()
                            .name())
                    .isEqualTo("first-fit");
        }
        await().atMost(10, TimeUnit.SECONDS)
                .until(() -> bench.platform.registry().generationsInUse() == 0);
    }

    /** Registers and unregisters a policy in turn until {@code running} is 0, and ends with the policy unregistered. */
    private void flap(AtomicInteger flaps, AtomicReference<Optional<FakeRegistration>> there, AtomicInteger running) {
        bench.timers.schedule(10, () -> {
            if (there.get().isPresent()) {
                bench.platform.registry().remove(there.get().get().id());
                there.set(Optional.empty());
            } else if (running.get() == 1) {
                there.set(Optional.of(add("flapping", 900)));
            } else {
                running.set(-1);
                return;
            }
            flaps.incrementAndGet();
            flap(flaps, there, running);
        });
    }

    @Test
    void theFirstRegisteredPolicyOfEqualRankingDecidesWhileItIsThere() {
        FakeRegistration early = add("early", 700);
        FakeRegistration late = add("late", 700);
        bench.awaitState("late", "ready");
        bench.awaitState("early", "deciding");
        for (int turn = 0; turn < 20; turn++) {
            assertThat(first()).isEqualTo("early");
            bench.platform.registry().updated(turn % 2 == 0 ? late.id() : early.id());
        }
        bench.platform.registry().remove(early.id());
        assertThat(first()).isEqualTo("late");
        add("early", 700);
        bench.awaitState("early", "ready");
        assertThat(first()).as("it has a later id now").isEqualTo("late");
    }

    @Test
    void followsAChangedRanking() throws Exception {
        FakeRegistration one = add("one", 700);
        bench.awaitState("one", "deciding");
        try (PlacementPlanner planner = bench.planner()) {
            for (int ranking : List.of(1, 700, 99, 101, 100, 0)) {
                one.ranking = ranking;
                bench.platform.registry().updated(one.id());
                String expected = ranking > 100 ? "one" : "first-fit";
                assertThat(first()).as("ranking %s", ranking).isEqualTo(expected);
                assertThat(Bench.planned(planner, bench.twoWorkersAndAJob())
                                .matching()
                                .name())
                        .isEqualTo(expected);
            }
        }
    }
}
