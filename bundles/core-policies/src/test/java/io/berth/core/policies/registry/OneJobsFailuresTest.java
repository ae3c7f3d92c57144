package io.berth.core.policies.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.policy.AssignmentOutcome;
import io.berth.core.api.policy.AssignmentQuery;
import io.berth.core.api.policy.MatchingRule;
import io.berth.core.api.policy.ScalingAdvisor;
import io.berth.core.api.policy.ScalingAdvisor.ScalingInput;
import io.berth.core.api.policy.ScalingAdvisor.ScalingOutcome;
import io.berth.core.policies.Bench;
import io.berth.core.policies.sequence.SequenceOwners;
import io.berth.scaling.reactive.ReactiveFactory;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.PolicyKind;
import io.berth.spi.WorkerId;
import io.berth.spi.scaling.FeasibleChange;
import io.berth.spi.scaling.JobView;
import io.berth.spi.scaling.JudgementBuilder;
import io.berth.spi.scaling.ParallelismBuilder;
import io.berth.spi.scaling.ScalingPolicy;
import io.berth.spi.scaling.ScalingPolicyFactory;
import io.berth.spi.scaling.ScalingSession;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A policy that fails for one job is quarantined for that job only. One that fails for several jobs is quarantined for
 * all of their pool, and a scaling policy for all.
 */
class OneJobsFailuresTest {

    private final Bench bench = new Bench();
    private final Set<String> angry = ConcurrentHashMap.newKeySet();
    private volatile String asks = "";

    @BeforeEach
    void begin() {
        bench.withDefaults();
        bench.add(PolicyKind.SCALING, "reactive", 100, new ReactiveFactory());
        bench.awaitState("reactive", "deciding");
        bench.add(PolicyKind.SCALING, "touchy", 1_000, new Touchy());
        bench.awaitState("touchy", "deciding");
    }

    @AfterEach
    void end() {
        bench.close();
    }

    private ScalingAdvisor advisor(String job) {
        return bench.platform.openScaling(SequenceOwners.graph(job, Map.of()), () -> {});
    }

    private static String decider(ScalingAdvisor advisor) throws Exception {
        ScalingOutcome.Decided decided =
                (ScalingOutcome.Decided) advisor.decide(new ScalingInput(1, List.of(0), List.of(2)))
                        .toCompletableFuture()
                        .get(20, TimeUnit.SECONDS);
        return decided.scaling().name();
    }

    private String diagnosis(PolicyKind kind, String name) {
        return bench.platform
                .diagnose(Optional.of(kind), Optional.of(name))
                .get(0)
                .text();
    }

    @Test
    void aScalingPolicyThatThrowsForOneJobIsQuarantinedForThatJobOnly() throws Exception {
        angry.add("a");
        ScalingAdvisor a = advisor("a");
        ScalingAdvisor b = advisor("b");
        for (int round = 0; round < 20; round++) {
            assertThat(decider(a)).isEqualTo("reactive");
        }
        assertThat(bench.details("touchy").orElseThrow().failures())
                .as("it is not called for that job after the third failure")
                .isEqualTo(3);
        assertThat(bench.state("touchy")).isEqualTo("deciding");
        assertThat(decider(b)).isEqualTo("touchy");
        assertThat(diagnosis(PolicyKind.SCALING, "touchy"))
                .contains("quarantined for job a since 2")
                .contains("touchy about a")
                .contains("it is tried again at 2")
                .contains("'policy release scaling touchy' ends that");

        angry.clear();
        bench.platform.release(PolicyKind.SCALING, "touchy", "anna");
        assertThat(decider(a)).isEqualTo("touchy");
    }

    @Test
    void aJobsQuarantineIsReportedWithoutAnEmptyClauseWhenOtherCallsAreFine() throws Exception {
        angry.add("a");
        ScalingAdvisor a = advisor("a");
        ScalingAdvisor b = advisor("b");
        for (int round = 0; round < 3; round++) {
            decider(a);
        }
        for (int call = 0; call < bench.platform.registry().limits().recentCalls(); call++) {
            assertThat(decider(b)).isEqualTo("touchy");
        }
        assertThat(diagnosis(PolicyKind.SCALING, "touchy"))
                .contains("quarantined for job a since 2")
                .contains("ends that; half of its calls take at most")
                .doesNotContain("of its last");
    }

    @Test
    void theQuarantineOfAnEndedJobIsNotReported() throws Exception {
        angry.add("a");
        ScalingAdvisor a = advisor("a");
        for (int round = 0; round < 3; round++) {
            decider(a);
        }
        a.close();
        assertThat(diagnosis(PolicyKind.SCALING, "touchy")).doesNotContain("quarantined");
    }

    @Test
    void aPolicyThatThrowsForThreeJobsIsQuarantinedForAll() throws Exception {
        angry.addAll(Set.of("a", "b", "c"));
        for (String job : List.of("a", "b", "c")) {
            assertThat(bench.state("touchy")).isEqualTo("deciding");
            assertThat(decider(advisor(job))).isEqualTo("reactive");
        }
        assertThat(bench.state("touchy")).startsWith("quarantined: ");
    }

    @Test
    void failuresOfOneJobAndOneOfAnotherAreNotEnough() throws Exception {
        angry.addAll(Set.of("a", "b"));
        ScalingAdvisor a = advisor("a");
        for (int round = 0; round < 3; round++) {
            decider(a);
        }
        decider(advisor("b"));
        assertThat(bench.state("touchy")).isEqualTo("deciding");
    }

    @Test
    void aStrategyThatThrowsForOneJobIsQuarantinedForThatJobOnly() throws Exception {
        angry.add("a");
        bench.add(PolicyKind.MATCHING, "touchy-matching", 1_000, Bench.assigning("touchy-matching", (input, result) -> {
            if (angry.contains(asks)) {
                throw new IllegalStateException("touchy about " + asks);
            }
            result.assign(0, 0);
        }));
        bench.awaitState("touchy-matching", "deciding");
        for (int round = 0; round < 10; round++) {
            assertThat(assigned("a")).isEqualTo("first-fit");
            assertThat(assigned("b")).isEqualTo("touchy-matching");
        }
        assertThat(bench.state("touchy-matching")).isEqualTo("deciding");
        assertThat(bench.details("touchy-matching").orElseThrow().failures()).isEqualTo(3);
    }

    @Test
    void aStrategyThatThrowsForThreeJobsOfAPoolIsQuarantinedForThatPoolOnly() throws Exception {
        bench.add(PolicyKind.MATCHING, "touchy-matching", 1_000, Bench.assigning("touchy-matching", (input, result) -> {
            if (angry.contains(asks)) {
                throw new IllegalStateException("touchy about " + asks);
            }
            result.assign(0, 0);
        }));
        bench.awaitState("touchy-matching", "deciding");
        angry.addAll(Set.of("a", "b", "c"));
        for (String job : List.of("a", "b", "c")) {
            assertThat(assigned(job)).isEqualTo("first-fit");
        }
        assertThat(assigned("d")).as("another job of the pool").isEqualTo("first-fit");
        assertThat(bench.state("touchy-matching")).startsWith("quarantined for pool default: ");
        assertThat(assigned("d", "gpu")).as("a job of another pool").isEqualTo("touchy-matching");
    }

    private String assigned(String job) throws Exception {
        return assigned(job, "default");
    }

    private String assigned(String job, String pool) throws Exception {
        asks = job;
        AssignmentQuery query = new AssignmentQuery(
                new JobId(job),
                pool,
                MatchingRule.EXACT,
                1,
                List.of(new AssignmentQuery.Slot(new AllocationId(1, 1), new WorkerId("w1"), Bench.SLOT, -1, false)),
                List.of(new AssignmentQuery.Requirement("all", "default", Bench.SLOT, 1)));
        AssignmentOutcome outcome =
                bench.platform.assign(query).toCompletableFuture().get(20, TimeUnit.SECONDS);
        return ((AssignmentOutcome.Assigned) outcome).matching().name();
    }

    private final class Touchy implements ScalingPolicyFactory {

        @Override
        public PolicyDescription describe() {
            return new PolicyDescription("touchy", "for a test");
        }

        @Override
        public ScalingPolicy create(PolicyConfiguration configuration, PolicyContext context) {
            return TouchySession::new;
        }
    }

    private final class TouchySession implements ScalingSession {

        private final JobView job;

        private TouchySession(JobView job) {
            this.job = job;
        }

        @Override
        public void delta() {}

        @Override
        public void desire(ParallelismBuilder result) {
            if (angry.contains(job.job().value())) {
                throw new IllegalStateException("touchy about " + job.job());
            }
            result.parallelism(0, 2);
        }

        @Override
        public void judge(FeasibleChange change, JudgementBuilder result) {
            result.accept();
        }

        @Override
        public void close() {}
    }
}
