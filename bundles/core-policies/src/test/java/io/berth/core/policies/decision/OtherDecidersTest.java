package io.berth.core.policies.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.job.GroupRoom;
import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobGraph.JobEdge;
import io.berth.core.api.job.JobGraph.JobVertex;
import io.berth.core.api.job.JobGraph.Partitioning;
import io.berth.core.api.job.JobGraph.SlotSharingGroup;
import io.berth.core.api.job.JobMeasures;
import io.berth.core.api.job.PolicyChoice;
import io.berth.core.api.job.Reason;
import io.berth.core.api.job.ReasonCode;
import io.berth.core.api.job.SchedulingAttributes;
import io.berth.core.api.job.VertexMeasures;
import io.berth.core.api.policy.AssignmentOutcome;
import io.berth.core.api.policy.AssignmentQuery;
import io.berth.core.api.policy.MatchingRule;
import io.berth.core.api.policy.ScalingAdvisor;
import io.berth.core.api.policy.ScalingAdvisor.ScalingInput;
import io.berth.core.api.policy.ScalingAdvisor.ScalingOutcome;
import io.berth.core.policies.Bench;
import io.berth.scaling.reactive.ReactiveFactory;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.spi.PolicyConfiguration;
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
import io.berth.spi.scaling.TaskMetric;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OtherDecidersTest {

    private final Bench bench = new Bench();

    @AfterEach
    void end() {
        bench.close();
    }

    @Test
    void assignsByTheRuleOfThePool() throws Exception {
        bench.withDefaults();
        AssignmentQuery query = query(MatchingRule.EXACT);
        AssignmentOutcome.Assigned assigned = (AssignmentOutcome.Assigned)
                bench.platform.assign(query).toCompletableFuture().get(5, TimeUnit.SECONDS);
        assertThat(assigned.requirementOfSlot()).containsExactly(0, -1);
        assertThat(bench.platform.decision(assigned.decision()).orElseThrow().reasons())
                .containsExactly("group default has 1 of 2 slots: 1 of the job's 2 slots fulfill " + Bench.SLOT
                        + ", the others of them serve elsewhere");
        assigned = (AssignmentOutcome.Assigned) bench.platform
                .assign(query(MatchingRule.LOOSE))
                .toCompletableFuture()
                .get(5, TimeUnit.SECONDS);
        assertThat(assigned.requirementOfSlot()).containsExactly(0, 0);
        assertThat(assigned.matching().name()).isEqualTo("first-fit");
        assertThat(bench.platform.decision(assigned.decision())).isPresent();
    }

    @Test
    void assignsNothingWithoutAStrategy() throws Exception {
        assertThat(bench.platform
                        .assign(query(MatchingRule.EXACT))
                        .toCompletableFuture()
                        .get(5, TimeUnit.SECONDS))
                .isEqualTo(new AssignmentOutcome.NotDecided(Reason.of(ReasonCode.NO_STRATEGY, "no matching strategy")));
    }

    @Test
    void anAssignmentThatFailsInTheHostIsAnsweredAndTheNextOneIsMade() throws Exception {
        bench.withDefaults();
        AssignmentQuery sound = query(MatchingRule.EXACT);
        AssignmentQuery withoutJob =
                new AssignmentQuery(null, "default", sound.rule(), 1, sound.slots(), sound.requirements());
        assertThat(bench.platform.assign(withoutJob).toCompletableFuture().get(5, TimeUnit.SECONDS))
                .isInstanceOfSatisfying(
                        AssignmentOutcome.NotDecided.class,
                        not -> assertThat(not.reason())
                                .startsWith("assignments of pool default failed: java.lang.NullPointerException"));
        assertThat(bench.platform.assign(sound).toCompletableFuture().get(5, TimeUnit.SECONDS))
                .isInstanceOf(AssignmentOutcome.Assigned.class);
        assertThat(bench.failures()).singleElement().isInstanceOf(NullPointerException.class);
    }

    @Test
    void aScalingDecisionThatFailsInTheHostIsAnsweredAndTheNextOneIsMade() throws Exception {
        bench.withDefaults();
        bench.add(PolicyKind.SCALING, "reactive", 100, new ReactiveFactory());
        bench.awaitState("reactive", "deciding");
        ScalingAdvisor advisor = bench.platform.openScaling(graph(Map.of()), () -> {});
        assertThat(advisor.decide(null).toCompletableFuture().get(5, TimeUnit.SECONDS))
                .isInstanceOfSatisfying(
                        ScalingOutcome.NotDecided.class,
                        not -> assertThat(not.reason())
                                .startsWith("scaling of job a failed: java.lang.NullPointerException"));
        decide(advisor, new ScalingInput(1, List.of(0, 0, 0), List.of(5)));
        assertThat(bench.failures()).singleElement().isInstanceOf(NullPointerException.class);
    }

    private static AssignmentQuery query(MatchingRule rule) {
        return new AssignmentQuery(
                new JobId("a"),
                "default",
                rule,
                1,
                List.of(
                        new AssignmentQuery.Slot(new AllocationId(1, 1), new WorkerId("w1"), Bench.SLOT, -1, false),
                        new AssignmentQuery.Slot(new AllocationId(1, 2), new WorkerId("w1"), Bench.SIZE, -1, false)),
                List.of(new AssignmentQuery.Requirement("all", "default", Bench.SLOT, 2)));
    }

    private static JobGraph graph(Map<PolicyKind, String> policies) {
        SortedMap<PolicyKind, PolicyChoice> choices = new TreeMap<>();
        policies.forEach((kind, selector) -> choices.put(kind, PolicyChoice.of(selector)));
        return new JobGraph(
                new JobId("a"),
                "a",
                1,
                SchedulingAttributes.DEFAULT,
                choices,
                List.of(),
                List.of(
                        new JobVertex("source", "source", 1, 2, 3, 128, "default", new TreeMap<>()),
                        new JobVertex("map", "map", 1, 2, 6, 128, "default", new TreeMap<>()),
                        new JobVertex("sink", "sink", 1, 2, 6, 128, "default", new TreeMap<>())),
                List.of(
                        new JobEdge("source", "map", Partitioning.FORWARD),
                        new JobEdge("map", "sink", Partitioning.HASH)),
                List.of(new SlotSharingGroup("default", Bench.SLOT)));
    }

    @Test
    void scalesAndKeepsForwardConnectedVerticesEqual() throws Exception {
        bench.add(PolicyKind.SCALING, "reactive", 100, new ReactiveFactory());
        bench.awaitState("reactive", "deciding");
        ScalingAdvisor advisor = bench.platform.openScaling(graph(Map.of()), bench.changes::incrementAndGet);
        ScalingOutcome.Decided decided = decide(advisor, new ScalingInput(1, List.of(0, 0, 0), List.of(5)));
        assertThat(decided.desired()).containsExactly(3, 3, 6);
        assertThat(decided.feasible().parallelism()).hasValue(List.of(3, 3, 5));
        assertThat(decided.accepted()).isFalse();
        decided = decide(advisor, new ScalingInput(2, List.of(3, 3, 5), List.of(5)));
        assertThat(decided.accepted()).isFalse();
        decided = decide(advisor, new ScalingInput(3, List.of(3, 3, 5), List.of(2)));
        assertThat(decided.feasible().parallelism()).hasValue(List.of(2, 2, 2));
        assertThat(decided.accepted()).isTrue();
        assertThat(bench.platform.decision(decided.decision()).orElseThrow().owner())
                .isEqualTo("job a");
        advisor.close();
    }

    @Test
    void aPolicySeesTheGraphWhatIsMeasuredAndWhatItDesiredLast() throws Exception {
        List<String> seen = new ArrayList<>();
        bench.add(PolicyKind.SCALING, "looking", 100, new Looking(seen));
        bench.awaitState("looking", "deciding");
        ScalingAdvisor advisor = bench.platform.openScaling(graph(Map.of()), () -> {});
        decide(advisor, new ScalingInput(1, List.of(0, 0, 0), List.of(5)));
        VertexMeasures.Spread half = new VertexMeasures.Spread(0.5, 0.75);
        VertexMeasures.Spread rate = new VertexMeasures.Spread(10, 20);
        JobMeasures measures = new JobMeasures(
                Optional.of(4_000L),
                List.of(new VertexMeasures(
                        Optional.of(new VertexMeasures.TaskMeasures(2, rate, rate, half, half, half)),
                        Optional.of(0L),
                        Optional.empty(),
                        Optional.of(7L))),
                Optional.of(1_500L),
                List.of(new GroupRoom("default", 3, 4, Optional.of(2L))));
        // Bounded by something else to what it runs at: there is nothing to judge.
        ScalingOutcome.Decided decided = decide(
                advisor,
                new ScalingInput(
                        2,
                        List.of(2, 2, 2),
                        List.of(5),
                        parallelism -> new ScalingAdvisor.Feasible(Optional.of(List.of(2, 2, 2)), "memory"),
                        measures,
                        JobMeasures.Means.NONE));
        assertThat(decided.feasible().bound()).isEqualTo("memory");
        assertThat(decided.accepted()).isFalse();
        assertThat(seen)
                .containsExactly(
                        "source 0 FORWARD keyed 2 of 128, last OptionalInt.empty, in OptionalDouble.empty, "
                                + "busy OptionalDouble.empty, splits OptionalLong.empty, "
                                + "room OptionalLong.emptyOptionalLong.emptyOptionalLong.empty, cost OptionalLong.empty",
                        "source 0 FORWARD keyed 2 of 128, last OptionalInt[3], in OptionalDouble[20.0], "
                                + "busy OptionalDouble[0.75], splits OptionalLong[0], "
                                + "room OptionalLong[3]OptionalLong[4]OptionalLong[2], cost OptionalLong[1500]");
        advisor.close();
    }

    /** Writes down what it sees when it desires the maximum. */
    private record Looking(List<String> seen) implements ScalingPolicyFactory {
        @Override
        public PolicyDescription describe() {
            return new PolicyDescription("looking", "looks");
        }

        @Override
        public ScalingPolicy create(PolicyConfiguration configuration, io.berth.spi.PolicyContext context) {
            return job -> new LookingSession(job, seen);
        }
    }

    private record LookingSession(JobView job, List<String> seen) implements ScalingSession {
        @Override
        public void delta() {}

        @Override
        public void desire(ParallelismBuilder result) {
            for (int vertex = 0; vertex < job.vertices(); vertex++) {
                result.parallelism(vertex, job.maximum(vertex));
            }
            int source = job.source(0) && !job.source(1) && job.sink(2) && !job.sink(0) ? 0 : -1;
            seen.add("source " + source + " " + job.kind(0) + " keyed "
                    + (job.keyed(2) && !job.keyed(1) && job.producer(1) == 1 ? job.consumer(1) : -1) + " of "
                    + job.keyGroups(2) + ", last " + job.lastDesired(0) + ", in " + job.recordsInPerSecond(0)
                    + ", busy " + job.greatest(0, TaskMetric.BUSY) + ", splits " + job.backlogSplits(0) + ", room "
                    + job.freeSlots(0) + job.startableSlots(0) + job.queueSlots(0) + ", cost "
                    + job.lastRescaleMillis());
        }

        @Override
        public void judge(FeasibleChange change, JudgementBuilder result) {
            result.accept();
        }

        @Override
        public void close() {}
    }

    @Test
    void aJobsOwnChoiceOfScalingComesFirstAndAnInvalidResultFallsBack() throws Exception {
        bench.add(PolicyKind.SCALING, "reactive", 100, new ReactiveFactory());
        bench.add(PolicyKind.SCALING, "greedy", 1, new Greedy());
        bench.awaitState("reactive", "deciding");
        bench.awaitState("greedy", "ready");
        ScalingAdvisor advisor = bench.platform.openScaling(graph(Map.of(PolicyKind.SCALING, "greedy")), () -> {});
        ScalingOutcome.Decided decided = decide(advisor, new ScalingInput(1, List.of(0, 0, 0), List.of(2)));
        assertThat(decided.scaling().name()).isEqualTo("reactive");
        assertThat(bench.platform
                        .decision(decided.decision())
                        .orElseThrow()
                        .reasons()
                        .get(0))
                .contains("scaling greedy")
                .contains("parallelism 99 of vertex source: at most 3 is allowed");
        advisor.close();
    }

    private static ScalingOutcome.Decided decide(ScalingAdvisor advisor, ScalingInput input) throws Exception {
        return (ScalingOutcome.Decided)
                advisor.decide(input).toCompletableFuture().get(5, TimeUnit.SECONDS);
    }

    private record Greedy() implements ScalingPolicyFactory {
        @Override
        public PolicyDescription describe() {
            return new PolicyDescription("greedy", "wants too much");
        }

        @Override
        public ScalingPolicy create(PolicyConfiguration configuration, io.berth.spi.PolicyContext context) {
            return GreedySession::new;
        }
    }

    private record GreedySession(JobView job) implements ScalingSession {
        @Override
        public void delta() {}

        @Override
        public void desire(ParallelismBuilder result) {
            result.parallelism(0, 99);
        }

        @Override
        public void judge(FeasibleChange change, JudgementBuilder result) {
            result.accept();
        }

        @Override
        public void close() {}
    }
}
