package io.berth.core.policies.detached;

import io.berth.core.api.job.GroupRoom;
import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobGraph.JobEdge;
import io.berth.core.api.job.JobGraph.JobVertex;
import io.berth.core.api.job.JobGraph.Partitioning;
import io.berth.core.api.job.JobGraph.SlotSharingGroup;
import io.berth.core.api.job.JobMeasures;
import io.berth.core.api.job.JobMeasures.Means;
import io.berth.core.api.job.PolicyChoice;
import io.berth.core.api.job.SchedulingAttributes;
import io.berth.core.api.job.VertexMeasures;
import io.berth.core.api.job.VertexMeasures.Spread;
import io.berth.core.api.job.VertexMeasures.TaskMeasures;
import io.berth.core.api.policy.ScalingAdvisor;
import io.berth.core.api.policy.ScalingAdvisor.Feasible;
import io.berth.core.api.policy.ScalingAdvisor.Limit;
import io.berth.core.api.policy.ScalingAdvisor.ScalingInput;
import io.berth.core.policies.FakeRegistration;
import io.berth.core.policies.PolicyPlatform;
import io.berth.core.policies.Stage;
import io.berth.core.policies.frame.DecisionFrame;
import io.berth.core.policies.frame.DecisionObserver;
import io.berth.core.policies.frame.ScalingFrame;
import io.berth.core.policies.registration.PolicyCandidate;
import io.berth.core.policies.registry.HostSettings;
import io.berth.spi.JobId;
import io.berth.spi.PolicyKind;
import io.berth.spi.ResourceProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Scales random jobs while policies fail and are swapped, and keeps the frames. */
public final class RecordedJobs implements DecisionObserver {

    private static final List<String> NAMES = List.of("digest", "other", "throwing", "violating");

    private final Stage stage = new Stage();
    private final Random random;
    private final PolicyPlatform platform = stage.platform(HostSettings.defaults());
    private final List<FakeRegistration> registered = new ArrayList<>();
    private final List<ViewDigest> factories = new ArrayList<>();
    private final List<ScalingFrame> frames = new ArrayList<>();
    private final List<JobGraph> graphs = new ArrayList<>();
    private final List<ScalingAdvisor> advisors = new ArrayList<>();
    private long state;
    private int calls;
    private boolean recording;
    private boolean swaps = true;

    public RecordedJobs(long seed, int jobs) {
        this.random = new Random(seed);
        add(new ViewDigest("digest", digest -> false));
        add(new ViewDigest("other", digest -> false));
        add(new ViewDigest("throwing", digest -> {
            if (recording && ++calls % 3 == 0) {
                throw new IllegalStateException("call " + calls);
            }
            return false;
        }));
        add(new ViewDigest("violating", digest -> digest % 3 == 0));
        add(new ViewDigest("seedless", false, digest -> false));
        stage.runAll();
        platform.observers().add(this);
        for (int job = 0; job < jobs; job++) {
            JobGraph graph = graph(job);
            graphs.add(graph);
            advisors.add(platform.openScaling(graph, () -> {}));
        }
        stage.runAll();
    }

    /** The host that decides. */
    public PolicyPlatform platform() {
        return platform;
    }

    /** Lets one policy decide for all jobs that do not choose, without swaps from then on. */
    public void decideOnlyBy(String name) {
        swaps = false;
        platform.use(PolicyKind.SCALING, name);
        stage.runAll();
    }

    /** A job ends. */
    public void end(int job) {
        advisors.remove(job).close();
        graphs.remove(job);
        stage.runAll();
    }

    /** Sessions of all policies that are open. */
    public int openInstances() {
        return factories.stream().mapToInt(ViewDigest::open).sum();
    }

    /** Lets everything happen that is due. */
    public void settle() {
        stage.runAll();
    }

    public List<ScalingFrame> frames() {
        return frames;
    }

    List<JobGraph> graphs() {
        return graphs;
    }

    @Override
    public boolean needsState(String pool) {
        return false;
    }

    @Override
    public void decided(DecisionFrame frame) {
        throw new AssertionError("no pool decides");
    }

    @Override
    public void scaled(ScalingFrame frame) {
        frames.add(frame);
    }

    private void add(ViewDigest factory) {
        FakeRegistration registration = new FakeRegistration(
                registered.size() + 1L,
                PolicyKind.SCALING,
                factory.describe().name(),
                100 - registered.size(),
                () -> factory);
        registered.add(registration);
        factories.add(factory);
        platform.registry().add(registration);
    }

    private JobGraph graph(int job) {
        List<SlotSharingGroup> groups = IntStream.rangeClosed(0, random.nextInt(2))
                .mapToObj(group ->
                        new SlotSharingGroup("g" + group, ResourceProfile.of(1_000L * (1 + random.nextInt(2)), 1_000)))
                .toList();
        List<JobVertex> vertices = new ArrayList<>();
        List<JobEdge> edges = new ArrayList<>();
        for (int vertex = 0; vertex <= random.nextInt(4); vertex++) {
            int minimum = 1 + random.nextInt(2);
            int desired = minimum + random.nextInt(3);
            String group = groups.get(random.nextInt(groups.size())).name();
            SortedMap<String, String> secret = new TreeMap<>(Map.of("password", "secret"));
            vertices.add(new JobVertex(
                    "v" + vertex, "user-code", minimum, desired, desired + random.nextInt(4), 128, group, secret));
            if (vertex > 0) {
                Partitioning partitioning = Partitioning.values()[random.nextInt(Partitioning.values().length)];
                edges.add(new JobEdge("v" + (vertex - 1), "v" + vertex, partitioning));
            }
        }
        SortedMap<PolicyKind, PolicyChoice> own = new TreeMap<>();
        if (job % 3 == 0) {
            own.put(PolicyKind.SCALING, new PolicyChoice("other", new TreeMap<>(Map.of("salt", "7"))));
        }
        return new JobGraph(
                new JobId("job-" + job),
                "a name",
                job,
                SchedulingAttributes.DEFAULT,
                own,
                List.of(),
                vertices,
                edges,
                groups);
    }

    /** So many decisions, each of a random job. */
    public void decide(int decisions) {
        recording = true;
        for (int made = 0; made < decisions; made++) {
            if (swaps && random.nextInt(10) == 0) {
                platform.use(PolicyKind.SCALING, NAMES.get(random.nextInt(NAMES.size())));
            }
            stage.advance(random.nextInt(4) == 0 ? 12_000 : random.nextInt(200));
            int job = random.nextInt(advisors.size());
            var outcome = advisors.get(job).decide(input(graphs.get(job))).toCompletableFuture();
            stage.runAll();
            outcome.join();
        }
        recording = false;
    }

    private ScalingInput input(JobGraph graph) {
        boolean running = random.nextInt(4) > 0;
        List<Integer> current = graph.vertices().stream()
                .map(vertex -> running ? vertex.minimum() + random.nextInt(3) : 0)
                .toList();
        List<Integer> slots =
                graph.groups().stream().map(group -> random.nextInt(6)).toList();
        Limit limit = random.nextInt(3) == 0
                ? planned -> new Feasible(
                        Optional.of(planned.stream()
                                .map(parallelism -> Math.max(1, parallelism - 1))
                                .toList()),
                        "bounded for a test")
                : Limit.NONE;
        return new ScalingInput(
                ++state,
                current,
                slots,
                limit,
                measures(graph),
                running ? Means.NONE : measures(graph).means());
    }

    private JobMeasures measures(JobGraph graph) {
        List<VertexMeasures> vertices = graph.vertices().stream()
                .map(vertex -> new VertexMeasures(
                        maybe(1).map(one -> new TaskMeasures(2, spread(), spread(), spread(), spread(), spread())),
                        maybe(100),
                        maybe(10_000),
                        maybe(5_000)))
                .toList();
        List<GroupRoom> room = graph.groups().stream()
                .map(group -> new GroupRoom(group.name(), random.nextInt(9), random.nextInt(9), maybe(9)))
                .toList();
        return new JobMeasures(maybe(60_000), vertices, maybe(3_000), room);
    }

    private Optional<Long> maybe(int bound) {
        return random.nextInt(4) == 0 ? Optional.empty() : Optional.of((long) random.nextInt(bound));
    }

    private Spread spread() {
        return new Spread(random.nextDouble(), random.nextDouble());
    }

    /** The policies that were registered, with the configurations of the frames, or a candidate in place of them. */
    DetachedPolicies with(Optional<PolicyCandidate> candidate) {
        return new RecordedPolicies(registered, ViewDigest.KEYS, candidate);
    }

    /** Makes a frame again, with a view and an instance of its own. */
    public DetachedAnswer<ScalingAdvisor.ScalingOutcome> again(ScalingFrame frame) {
        try (DetachedAdvisor advisor = advisor(frame.job(), Optional.empty())) {
            return advisor.decide(frame).toCompletableFuture().join();
        }
    }

    DetachedAdvisor advisor(JobGraph job, Optional<PolicyCandidate> candidate) {
        return new DetachedAdvisor(job, with(candidate), PolicyCalls.direct(), stage, Runnable::run);
    }
}
