package io.berth.core.policies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.berth.core.api.policy.AssignmentOutcome;
import io.berth.core.api.policy.AssignmentQuery;
import io.berth.core.api.policy.MatchingRule;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.spi.PolicyKind;
import io.berth.spi.WorkerId;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Unusual properties of a policy, and very many calls of owners. */
class BoundsTest {

    private static FakeRegistration matching(long id, String name) {
        return new FakeRegistration(id, PolicyKind.MATCHING, name, 0, Object::new);
    }

    @Test
    void nullsAmongTheDeclaredKeysAreIgnored() {
        FakeRegistration declares = matching(1, "a");
        declares.extra = new TreeMap<>();
        declares.extra.put("io.berth.policy.configuration", new String[] {"most", null});
        assertThat(declares.declaredKeys()).containsExactly("most");
    }

    @Test
    void thousandsOfAssignmentsMayWaitForACallIntoAPolicy() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        CountDownLatch entered = new CountDownLatch(1);
        try (Bench bench = new Bench(20_000)) {
            bench.add(PolicyKind.MATCHING, "slow", 1_000, Bench.assigning("slow", (input, result) -> {
                entered.countDown();
                goOn.await();
            }));
            bench.awaitState("slow", "deciding");
            List<CompletableFuture<AssignmentOutcome>> outcomes = new ArrayList<>();
            outcomes.add(bench.platform.assign(query(1)).toCompletableFuture());
            assertThat(entered.await(10, TimeUnit.SECONDS)).isTrue();
            for (int waiting = 0; waiting < 20_000; waiting++) {
                outcomes.add(bench.platform.assign(query(0)).toCompletableFuture());
            }
            goOn.countDown();
            await().atMost(20, TimeUnit.SECONDS).until(() -> outcomes.stream().allMatch(CompletableFuture::isDone));
            assertThat(outcomes.get(20_000).get()).isInstanceOf(AssignmentOutcome.Assigned.class);
        }
    }

    private static AssignmentQuery query(int slots) {
        List<AssignmentQuery.Slot> there = slots == 0
                ? List.of()
                : List.of(new AssignmentQuery.Slot(new AllocationId(1, 1), new WorkerId("w1"), Bench.SLOT, -1, false));
        return new AssignmentQuery(
                new JobId("a"),
                "default",
                MatchingRule.EXACT,
                1,
                there,
                List.of(new AssignmentQuery.Requirement("all", "default", Bench.SLOT, 2)));
    }
}
