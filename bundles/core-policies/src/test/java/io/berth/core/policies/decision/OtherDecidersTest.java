package io.berth.core.policies.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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
import io.berth.core.api.operations.PolicyOperations.SwapDetails;
import io.berth.core.api.policy.AssignmentOutcome;
import io.berth.core.api.policy.AssignmentQuery;
import io.berth.core.api.policy.BackendHost.BackendFollower;
import io.berth.core.api.policy.BackendHost.BackendHandle;
import io.berth.core.api.policy.MatchingRule;
import io.berth.core.api.policy.ScalingAdvisor;
import io.berth.core.api.policy.ScalingAdvisor.ScalingInput;
import io.berth.core.api.policy.ScalingAdvisor.ScalingOutcome;
import io.berth.core.policies.Bench;
import io.berth.core.policies.FakeRegistration;
import io.berth.core.policies.registry.HostSettings;
import io.berth.scaling.reactive.ReactiveFactory;
import io.berth.spi.AllocationId;
import io.berth.spi.ConfigurationKey;
import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.JobId;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyDescription;
import io.berth.spi.PolicyKind;
import io.berth.spi.WorkerId;
import io.berth.spi.backend.Backend;
import io.berth.spi.backend.BackendContext;
import io.berth.spi.backend.BackendFactory;
import io.berth.spi.backend.LaunchDescription;
import io.berth.spi.backend.StartFailure;
import io.berth.spi.backend.WorkerArchive;
import io.berth.spi.backend.WorkerDeclaration;
import io.berth.spi.backend.WorkerSpec;
import io.berth.spi.scaling.FeasibleChange;
import io.berth.spi.scaling.JobView;
import io.berth.spi.scaling.JudgementBuilder;
import io.berth.spi.scaling.ParallelismBuilder;
import io.berth.spi.scaling.ScalingPolicy;
import io.berth.spi.scaling.ScalingPolicyFactory;
import io.berth.spi.scaling.ScalingSession;
import io.berth.spi.scaling.TaskMetric;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
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

    @Test
    void sendsTheNewestDeclarationWithAllUnwantedWorkers() throws Exception {
        FakeBackend backend = new FakeBackend();
        Follower follower = new Follower();
        AutoCloseable following = bench.platform.backends().follow(follower);
        FakeRegistration registration = bench.add(PolicyKind.BACKEND, "fake", 0, backend);
        await().until(() -> follower.handles.size() == 1);
        BackendHandle handle = follower.handles.get(0);
        assertThat(handle.specs()).hasSize(1);
        handle.declare(declaration(1));
        await().until(() -> backend.declared.size() == 1);
        handle.declare(declaration(2, "w2"));
        handle.declare(declaration(3, "w3"));
        backend.go.countDown();
        await().until(() -> backend.declared.size() == 2);
        assertThat(backend.declared.get(1).needed()).containsEntry("small", 3);
        assertThat(backend.declared.get(1).unwanted())
                .extracting(WorkerId::value)
                .containsExactly("w2", "w3");
        assertThat(bench.state("fake")).isEqualTo("deciding");
        bench.platform.registry().remove(registration.id());
        await().until(() -> follower.handles.isEmpty() && backend.closed.get() == 1);
        await().until(() -> registration.released.get() == 1);
        following.close();
    }

    @Test
    void closingTheFollowerClosesTheBackends() throws Exception {
        FakeBackend backend = new FakeBackend();
        backend.go.countDown();
        Follower follower = new Follower();
        AutoCloseable following = bench.platform.backends().follow(follower);
        bench.add(PolicyKind.BACKEND, "fake", 0, backend);
        await().until(() -> follower.handles.size() == 1);
        following.close();
        assertThat(backend.closed).hasValue(1);
    }

    @Test
    void closingTheFollowerClosesABackendThatIsBeingCreated() throws Exception {
        FakeBackend backend = new FakeBackend();
        backend.create = new CountDownLatch(1);
        Follower follower = new Follower();
        AutoCloseable following = bench.platform.backends().follow(follower);
        FakeRegistration registration = bench.add(PolicyKind.BACKEND, "fake", 0, backend);
        assertThat(backend.creating.await(5, TimeUnit.SECONDS)).isTrue();
        CompletableFuture<Void> closing = CompletableFuture.runAsync(() -> {
            try {
                following.close();
            } catch (Exception failure) {
                throw new IllegalStateException(failure);
            }
        });
        await().during(Duration.ofMillis(100)).until(() -> !closing.isDone());
        backend.create.countDown();
        closing.get(5, TimeUnit.SECONDS);
        assertThat(backend.closed).hasValue(1);
        bench.platform.registry().remove(registration.id());
        await().until(() -> registration.released.get() == 1);
    }

    @Test
    void aBackendIsReplacedOnANewConfigurationAndKeptOnARefusedOne() throws Exception {
        FakeBackend backend = new FakeBackend();
        backend.go.countDown();
        Follower follower = new Follower();
        AutoCloseable following = bench.platform.backends().follow(follower);
        FakeRegistration registration = bench.add(PolicyKind.BACKEND, "fake", 0, backend);
        await().until(() -> follower.handles.size() == 1);
        BackendHandle first = follower.handles.get(0);
        configure(registration, "0");
        bench.awaitState("fake", "deciding with its last good configuration; configuration refused: most is '0'");
        assertThat(follower.handles).containsExactly(first);
        assertThat(backend.closed).hasValue(0);
        configure(registration, "7");
        await().until(() -> follower.handles.size() == 1 && follower.handles.get(0) != first);
        assertThat(follower.handles.get(0).specs().get(0).maximum()).isEqualTo(7);
        assertThat(backend.closed).hasValue(1);
        List<SwapDetails> swaps = bench.platform.swaps(Optional.of(PolicyKind.BACKEND), 10);
        assertThat(swaps).extracting(swap -> swap.cause().label()).containsExactly("configuration", "install");
        assertThat(swaps.get(0).owner()).isEqualTo("backend fake");
        assertThat(swaps.get(0).from()).isEqualTo(swaps.get(1).to());
        assertThat(swaps.get(0).to().generation())
                .isGreaterThan(swaps.get(0).from().generation());
        following.close();
    }

    @Test
    void anUpdatedBackendIsCreatedOnlyWhenTheOldOneHasEnded() throws Exception {
        FakeBackend old = new FakeBackend();
        Follower follower = new Follower();
        AutoCloseable following = bench.platform.backends().follow(follower);
        FakeRegistration registration = bench.add(PolicyKind.BACKEND, "fake", 0, old);
        await().until(() -> follower.handles.size() == 1);
        follower.handles.get(0).declare(declaration(1));
        await().until(() -> old.declared.size() == 1);
        bench.platform.registry().remove(registration.id());
        await().until(() -> follower.handles.isEmpty());
        FakeBackend renewed = new FakeBackend();
        renewed.go.countDown();
        FakeRegistration updated = bench.add(PolicyKind.BACKEND, "fake", 0, renewed);
        bench.awaitState("fake", "ready");
        assertThat(follower.handles).isEmpty();
        assertThat(old.closed).as("not closed while a call runs").hasValue(0);
        old.go.countDown();
        await().until(() -> follower.handles.size() == 1);
        assertThat(old.closed).hasValue(1);
        List<SwapDetails> swaps = bench.platform.swaps(Optional.of(PolicyKind.BACKEND), 10);
        assertThat(swaps)
                .as("an update is one record")
                .extracting(swap -> swap.cause().label())
                .containsExactly("update", "install");
        assertThat(swaps.get(0).from()).isEqualTo(swaps.get(1).to());
        bench.platform.registry().remove(updated.id());
        await().until(follower.handles::isEmpty);
        SwapDetails last =
                bench.platform.swaps(Optional.of(PolicyKind.BACKEND), 1).get(0);
        assertThat(last.cause().label()).isEqualTo("uninstall");
        assertThat(last.to().name()).isEqualTo("none");
        following.close();
    }

    private void configure(FakeRegistration policy, String most) {
        bench.configured.put(policy.bundle(), new TreeMap<>(Map.of("most", most)));
        bench.platform.registry().configurationChanged(policy.bundle());
    }

    private static WorkerDeclaration declaration(int needed, String... unwanted) {
        return WorkerDeclaration.builder()
                .needed("small", needed)
                .unwanted(List.of(unwanted).stream().map(WorkerId::new).toList())
                .build();
    }

    @Test
    void aBackendInDevelopmentThatCannotBeCreatedIsNotCreatedInALoop() throws Exception {
        bench.platform.settings(HostSettings.defaults().withDevelopment(PolicyKind.BACKEND, List.of("mine")));
        AtomicInteger created = new AtomicInteger();
        bench.add(PolicyKind.BACKEND, "mine", 0, new BackendFactory() {
            @Override
            public PolicyDescription describe() {
                return new PolicyDescription("mine", "for a test");
            }

            @Override
            public Backend create(PolicyConfiguration configuration, BackendContext context) {
                created.incrementAndGet();
                throw new IllegalStateException("not yet written");
            }
        });
        long from = System.nanoTime();
        try (AutoCloseable following = bench.platform.backends().follow(new Follower())) {
            await().atMost(Duration.ofSeconds(60)).until(() -> created.get() >= 4);
            assertThat(following).isNotNull();
        }
        assertThat(Duration.ofNanos(System.nanoTime() - from)).isGreaterThan(Duration.ofMillis(2_500));
        assertThat(bench.state("mine")).doesNotContain("quarantined");
    }

    private static final class Follower implements BackendFollower {
        private final List<BackendHandle> handles = new CopyOnWriteArrayList<>();

        @Override
        public BackendContext context(String backend) {
            return new NoContext();
        }

        @Override
        public void added(BackendHandle backend) {
            handles.add(backend);
        }

        @Override
        public void specsChanged(BackendHandle backend) {}

        @Override
        public void removed(BackendHandle backend) {
            handles.remove(backend);
        }
    }

    private record NoContext() implements BackendContext {
        @Override
        public LaunchDescription launch(WorkerId worker, WorkerSpec spec) {
            return LaunchDescription.of(worker).build();
        }

        @Override
        public WorkerArchive archive() throws IOException {
            throw new NoSuchFileException("archive");
        }

        @Override
        public String name() {
            return "fake";
        }

        @Override
        public Path directory() {
            return Path.of("target");
        }

        @Override
        public String workerIdPrefix() {
            return "w";
        }

        @Override
        public void started(WorkerId worker, String spec) {}

        @Override
        public void leaving(WorkerId worker, long millis, String reason) {
            throw new AssertionError("takes no workers away");
        }

        @Override
        public void ended(WorkerId worker, String diagnostics) {}

        @Override
        public void startFailed(String spec, StartFailure failure) {}

        @Override
        public void queued(String spec, String diagnostics) {}

        @Override
        public void specs(List<WorkerSpec> specs) {}
    }

    private static final class FakeBackend implements BackendFactory {
        private final List<WorkerDeclaration> declared = new CopyOnWriteArrayList<>();
        private final AtomicInteger closed = new AtomicInteger();
        private final CountDownLatch go = new CountDownLatch(1);
        private final CountDownLatch creating = new CountDownLatch(1);
        private volatile CountDownLatch create = new CountDownLatch(0);

        @Override
        public PolicyDescription describe() {
            return new PolicyDescription(
                    "fake", "for a test", List.of(ConfigurationKey.number("most", 4, 1, 9, "workers")));
        }

        @Override
        public Backend create(PolicyConfiguration configuration, BackendContext context)
                throws InvalidConfigurationException {
            int most = (int) configuration.number("most");
            creating.countDown();
            try {
                create.await();
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
            return new Backend() {
                @Override
                public List<WorkerSpec> specs() {
                    return List.of(WorkerSpec.of("small", Bench.SIZE)
                            .defaultSlots(4)
                            .maximum(most)
                            .build());
                }

                @Override
                public void declare(WorkerDeclaration declaration) {
                    declared.add(declaration);
                    try {
                        go.await();
                    } catch (InterruptedException ended) {
                        Thread.currentThread().interrupt();
                    }
                }

                @Override
                public void close() {
                    closed.incrementAndGet();
                }
            };
        }
    }
}
