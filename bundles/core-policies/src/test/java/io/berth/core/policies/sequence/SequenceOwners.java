package io.berth.core.policies.sequence;

import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobGraph.JobVertex;
import io.berth.core.api.job.JobGraph.SlotSharingGroup;
import io.berth.core.api.job.PolicyChoice;
import io.berth.core.api.job.SchedulingAttributes;
import io.berth.core.api.policy.AssignmentQuery;
import io.berth.core.api.policy.MatchingRule;
import io.berth.core.api.policy.PlacementPlanner;
import io.berth.core.api.policy.ScalingAdvisor;
import io.berth.core.api.policy.ScalingAdvisor.ScalingInput;
import io.berth.core.policies.Bench;
import io.berth.core.policies.PolicyPlatform;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.spi.PolicyKind;
import io.berth.spi.WorkerId;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** The owners of decisions of one sequence: a planner, the assignments of a pool, and some jobs that scale. */
public final class SequenceOwners {

    private static final int MAX_ADVISORS = 3;

    /** A requested decision. */
    static final class Round {
        final String owner;
        final CompletableFuture<?> outcome;
        final int eventsFrom;
        final Map<PolicyKind, List<Actor>> orders;
        final SequenceDemand.Shown shown;
        final long state;
        long answeredNanos;
        /** Whether its owner or the host ended before it was answered. */
        boolean closed;

        private Round(
                String owner,
                CompletionStage<?> outcome,
                int eventsFrom,
                Map<PolicyKind, List<Actor>> orders,
                SequenceDemand.Shown shown,
                long state) {
            this.owner = owner;
            this.outcome = outcome.toCompletableFuture();
            this.eventsFrom = eventsFrom;
            this.orders = orders;
            this.shown = shown;
            this.state = state;
        }
    }

    private record Decided(long id, String owner) {}

    /** The owner was asked to request another decision. */
    record Notice(String owner, long nanos) {}

    private record OpenAdvisor(String owner, String own, ScalingAdvisor advisor) {}

    private final PolicyPlatform platform;
    private final World world;
    private final Happenings happenings;
    private final SequenceModel model;
    private final boolean storm;
    private final List<Round> rounds = new ArrayList<>();
    private final List<OpenAdvisor> advisors = new ArrayList<>();
    private final List<Decided> deciders = new ArrayList<>();
    /** Since the rounds were checked last. */
    private final Set<Notice> notified = new HashSet<>();

    private SequenceDemand demand = new SequenceDemand();
    private Optional<PlacementPlanner> planner = Optional.empty();
    private String plannerOwner = "";
    private int opened;
    private long states;
    private boolean hostClosed;
    private boolean assigned;

    SequenceOwners(PolicyPlatform platform, World world, Happenings happenings, SequenceModel model, boolean storm) {
        this.platform = platform;
        this.world = world;
        this.happenings = happenings;
        this.model = model;
        this.storm = storm;
    }

    void open(Random random) {
        openPlanner();
        openAdvisor(random);
    }

    private void openPlanner() {
        String pool = "pool-" + ++opened;
        String owner = "pool " + pool;
        plannerOwner = owner;
        demand = new SequenceDemand();
        planner = Optional.of(platform.openPlanner(pool, MatchingRule.EXACT, () -> {
            changed();
            notified.add(new Notice(owner, world.nanos()));
        }));
    }

    private void changed() {
        if (!world.onMain()) {
            world.fail("an owner is notified of a change outside a main thread");
        }
    }

    private void openAdvisor(Random random) {
        String id = "job-" + ++opened;
        String own = random.nextBoolean() ? "" : "p" + random.nextInt(4);
        Map<PolicyKind, PolicyChoice> policies =
                own.isEmpty() ? Map.of() : Map.of(PolicyKind.SCALING, PolicyChoice.of(own));
        advisors.add(new OpenAdvisor("job " + id, own, platform.openScaling(graph(id, policies), this::changed)));
    }

    /** A job of one vertex. */
    public static JobGraph graph(String id, Map<PolicyKind, PolicyChoice> policies) {
        return new JobGraph(
                new JobId(id),
                id,
                1,
                SchedulingAttributes.DEFAULT,
                new TreeMap<>(policies),
                List.of(),
                List.of(new JobVertex("only", "only", 1, 2, 3, 128, "default", new TreeMap<>())),
                List.of(),
                List.of(new SlotSharingGroup("default", Bench.SLOT)));
    }

    /** Makes one random step of an owner and returns its description. */
    Supplier<String> step(Random random) {
        int roll = random.nextInt(20);
        if (roll < 11) {
            return plan(random);
        }
        if (roll < 14) {
            return assign();
        }
        if (roll < 17 && !advisors.isEmpty()) {
            return scale(random);
        }
        if (roll == 17) {
            planner.ifPresent(PlacementPlanner::close);
            closed(plannerOwner);
            openPlanner();
            return () -> "the planner is closed, " + plannerOwner + " is opened";
        }
        if (roll == 18 && advisors.size() < MAX_ADVISORS) {
            openAdvisor(random);
            return () -> advisors.get(advisors.size() - 1).owner() + " is opened";
        }
        if (!advisors.isEmpty()) {
            OpenAdvisor closing = advisors.remove(random.nextInt(advisors.size()));
            closing.advisor().close();
            closed(closing.owner());
            return () -> closing.owner() + " is closed";
        }
        return plan(random);
    }

    private void closed(String owner) {
        rounds.stream().filter(round -> round.owner.equals(owner)).forEach(round -> round.closed = true);
    }

    private Supplier<String> plan(Random random) {
        demand.change(random);
        SequenceDemand.Shown shown = demand.shown();
        begin(
                plannerOwner,
                planner.orElseThrow()
                        .plan(demand.input(++states, planner.orElseThrow().usesSlots())),
                shown,
                "",
                PolicyKind.MATCHING,
                PolicyKind.DISTRIBUTION);
        return () -> plannerOwner + " plans " + shown;
    }

    private Supplier<String> assign() {
        assigned = true;
        begin(
                "assignments of pool assigned",
                platform.assign(new AssignmentQuery(
                        new JobId("a"),
                        "assigned",
                        MatchingRule.EXACT,
                        ++states,
                        List.of(slot(1), slot(2)),
                        List.of(new AssignmentQuery.Requirement("all", "default", Bench.SLOT, 2)))),
                demand.shown(),
                "",
                PolicyKind.MATCHING);
        return () -> "slots are assigned";
    }

    private static AssignmentQuery.Slot slot(long number) {
        return new AssignmentQuery.Slot(new AllocationId(1, number), new WorkerId("w" + number), Bench.SLOT, -1, false);
    }

    private Supplier<String> scale(Random random) {
        OpenAdvisor one = advisors.get(random.nextInt(advisors.size()));
        begin(
                one.owner(),
                one.advisor().decide(new ScalingInput(++states, List.of(0), List.of(random.nextInt(5)))),
                demand.shown(),
                one.own(),
                PolicyKind.SCALING);
        return () -> one.owner() + " decides";
    }

    private void begin(
            String owner, CompletionStage<?> outcome, SequenceDemand.Shown shown, String own, PolicyKind... kinds) {
        Map<PolicyKind, List<Actor>> orders = new EnumMap<>(PolicyKind.class);
        for (PolicyKind kind : kinds) {
            orders.put(kind, storm ? List.of() : model.order(kind, own, one -> one.ready(owner)));
        }
        Round round = new Round(owner, outcome, happenings.events().size(), orders, shown, states);
        round.closed = hostClosed;
        round.outcome.whenComplete((answer, failure) -> round.answeredNanos = world.nanos());
        rounds.add(round);
    }

    void hostClosed() {
        hostClosed = true;
        rounds.forEach(round -> round.closed = true);
    }

    /** Checks that all rounds have ended, each with a correct decision or reason. */
    void checkRounds() {
        SequenceRounds checks = new SequenceRounds(platform, world, happenings, notified, storm);
        for (Round round : rounds) {
            checks.check(round).forEach(id -> deciders.add(new Decided(id, round.owner)));
        }
        rounds.clear();
        notified.clear();
    }

    /** The failures of the policy that decided start at zero, after those before the decision were counted. */
    void roundsApplied() {
        deciders.forEach(one -> model.decided(one.id(), one.owner()));
        deciders.clear();
    }

    /** The choices of the open owners, by kind. */
    Map<PolicyKind, List<String>> choosers() {
        return Map.of(
                PolicyKind.MATCHING, List.of(""),
                PolicyKind.DISTRIBUTION, List.of(""),
                PolicyKind.SCALING, advisors.stream().map(OpenAdvisor::own).toList());
    }

    /** The pools that the owners decide for. */
    List<String> pools() {
        return List.of("assigned", plannerOwner.substring("pool ".length()));
    }

    /** How many generations may be in use when nothing is running. */
    int maxGenerations() {
        return 2 + (assigned ? 1 : 0) + advisors.size();
    }

    void close() {
        planner.ifPresent(PlacementPlanner::close);
        advisors.forEach(open -> open.advisor().close());
    }
}
