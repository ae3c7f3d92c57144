package io.berth.core.policies.detached;

import io.berth.core.api.job.PlacementConstraints;
import io.berth.core.api.policy.AssignmentOutcome;
import io.berth.core.api.policy.AssignmentQuery;
import io.berth.core.api.policy.AssignmentQuery.Requirement;
import io.berth.core.api.policy.AssignmentQuery.Slot;
import io.berth.core.api.policy.MatchingRule;
import io.berth.core.policies.FakeRegistration;
import io.berth.core.policies.PolicyPlatform;
import io.berth.core.policies.Stage;
import io.berth.core.policies.frame.AssignmentFrame;
import io.berth.core.policies.frame.DecisionFrame;
import io.berth.core.policies.frame.DecisionObserver;
import io.berth.core.policies.registration.PolicyCandidate;
import io.berth.core.policies.registry.HostSettings;
import io.berth.matching.firstfit.FirstFitFactory;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.PolicyKind;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import io.berth.spi.matching.AssignmentBuilder;
import io.berth.spi.matching.AssignmentSession;
import io.berth.spi.matching.AssignmentView;
import io.berth.spi.matching.MatchingStrategy;
import io.berth.spi.matching.MatchingStrategyFactory;
import io.berth.spi.matching.PlacementSession;
import io.berth.spi.matching.WorkersView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/** Assigns random slots while strategies fail and are swapped, and keeps the frames. */
public final class RecordedAssignments implements DecisionObserver {

    private static final String POOL = "default";
    private static final List<String> NAMES = List.of("digest", "throwing", "violating", "first-fit");

    private final Stage stage = new Stage();
    private final Random random;
    private final PolicyPlatform platform = stage.platform(HostSettings.defaults());
    private final List<FakeRegistration> registered = new ArrayList<>();
    private final List<AssignmentFrame> frames = new ArrayList<>();
    private long state;
    private int calls;
    private boolean recording;

    public RecordedAssignments(long seed) {
        this.random = new Random(seed);
        add("digest", digest("digest", false, () -> false));
        add("throwing", digest("throwing", false, () -> recording && ++calls % 3 == 0));
        add("violating", digest("violating", true, () -> false));
        add("first-fit", new FirstFitFactory());
        stage.runAll();
        platform.observers().add(this);
    }

    public List<AssignmentFrame> frames() {
        return frames;
    }

    @Override
    public boolean needsState(String pool) {
        return false;
    }

    @Override
    public void decided(DecisionFrame frame) {
        throw new AssertionError("no planner decides");
    }

    @Override
    public void assigned(AssignmentFrame frame) {
        frames.add(frame);
    }

    private void add(String name, Object factory) {
        FakeRegistration registration = new FakeRegistration(
                registered.size() + 1L, PolicyKind.MATCHING, name, 100 - registered.size(), () -> factory);
        registered.add(registration);
        platform.registry().add(registration);
    }

    /** Decides by everything that it can see. */
    static MatchingStrategyFactory digest(String name, boolean violates, BooleanSupplier throwsNow) {
        return new MatchingStrategyFactory() {
            @Override
            public PolicyDescription describe() {
                return new PolicyDescription(name, "for a test");
            }

            @Override
            public MatchingStrategy create(PolicyConfiguration configuration, PolicyContext context) {
                String own = name + context.owner() + context.seed() + context.zone();
                return new MatchingStrategy() {
                    @Override
                    public PlacementSession openPlacement(WorkersView workers) {
                        throw new AssertionError("no planner decides");
                    }

                    @Override
                    public AssignmentSession openAssignment() {
                        return (input, result) -> {
                            if (throwsNow.getAsBoolean()) {
                                throw new IllegalStateException("now and then");
                            }
                            assign(own, violates, input, result);
                        };
                    }
                };
            }
        };
    }

    private static void assign(String own, boolean violates, AssignmentView input, AssignmentBuilder result) {
        int digest = (own + ViewDigest.answers(AssignmentView.class, input)).hashCode() & Integer.MAX_VALUE;
        if (violates && digest % 3 == 0) {
            result.assign(0, 1_000);
        }
        int[] left = IntStream.range(0, input.requirements()).map(input::count).toArray();
        for (int slot = 0; slot < input.slots(); slot++) {
            for (int nth = 0; nth < left.length; nth++) {
                int requirement = (digest + nth) % left.length;
                if (left[requirement] > 0 && input.accepts(requirement, slot)) {
                    left[requirement]--;
                    result.assign(slot, requirement);
                    break;
                }
            }
        }
        result.reviewAfter(1_000 + digest % 10_000_000);
    }

    /** So many decisions in which a strategy has a choice. */
    public void decide(int decisions) {
        recording = true;
        for (int made = 0; made < decisions; made++) {
            if (random.nextInt(10) == 0) {
                platform.use(PolicyKind.MATCHING, NAMES.get(random.nextInt(NAMES.size())));
            }
            stage.advance(random.nextInt(4) == 0 ? 12_000 : random.nextInt(200));
            assign(query());
        }
        recording = false;
    }

    AssignmentOutcome assign(AssignmentQuery query) {
        var outcome = platform.assign(query).toCompletableFuture();
        stage.runAll();
        return outcome.join();
    }

    AssignmentQuery query() {
        List<ResourceProfile> profiles =
                List.of(ResourceProfile.of(1_000, 1_000), ResourceProfile.of(2_000, 1_000), ResourceProfile.UNKNOWN);
        List<Requirement> requirements = IntStream.rangeClosed(0, random.nextInt(3))
                .mapToObj(nth -> new Requirement(
                        "all", "g" + nth, profiles.get(random.nextInt(3)), 1 + random.nextInt(3), constraints()))
                .toList();
        List<Slot> slots = IntStream.rangeClosed(0, random.nextInt(4))
                .mapToObj(nth -> new Slot(
                        new AllocationId(1, nth),
                        new WorkerId("w" + random.nextInt(3)),
                        profiles.get(random.nextInt(2)),
                        random.nextInt(requirements.size() + 1) - 1,
                        random.nextBoolean(),
                        constraints()))
                .toList();
        return new AssignmentQuery(
                new JobId("job-" + random.nextInt(5)),
                POOL,
                random.nextInt(3) == 0 ? MatchingRule.LOOSE : MatchingRule.EXACT,
                ++state,
                slots,
                requirements);
    }

    private PlacementConstraints constraints() {
        return random.nextInt(4) > 0
                ? PlacementConstraints.NONE
                : new PlacementConstraints(List.of(), List.of(), new TreeMap<>(Map.of("gpu", "")), Optional.empty());
    }

    private DetachedPolicies with(Optional<PolicyCandidate> candidate) {
        return new RecordedPolicies(registered, List.of(), candidate);
    }

    /** Makes a frame again, with an instance of its own. */
    public DetachedAnswer<AssignmentOutcome> again(AssignmentFrame frame) {
        try (DetachedAssigner assigner = assigner(Optional.empty())) {
            return assigner.decide(frame).toCompletableFuture().join();
        }
    }

    DetachedAssigner assigner(Optional<PolicyCandidate> candidate) {
        return new DetachedAssigner(POOL, with(candidate), PolicyCalls.direct(), stage, Runnable::run);
    }
}
