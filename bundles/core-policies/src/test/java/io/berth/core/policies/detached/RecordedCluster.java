package io.berth.core.policies.detached;

import io.berth.core.api.policy.LedgerState;
import io.berth.core.api.policy.MatchingRule;
import io.berth.core.api.policy.PlacementPlanner;
import io.berth.core.api.policy.PlanOutcome;
import io.berth.core.policies.Bench;
import io.berth.core.policies.FakeRegistration;
import io.berth.core.policies.PolicyPlatform;
import io.berth.core.policies.Stage;
import io.berth.core.policies.frame.DecisionFrame;
import io.berth.core.policies.frame.DecisionObserver;
import io.berth.core.policies.pools.PoolRegistry;
import io.berth.core.policies.registration.PolicyCandidate;
import io.berth.core.policies.registry.HostSettings;
import io.berth.distribution.fifo.FifoFactory;
import io.berth.matching.firstfit.FirstFitFactory;
import io.berth.matching.spread.SpreadFactory;
import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.PolicyKind;
import io.berth.spi.distribution.AdmissionBuilder;
import io.berth.spi.distribution.DemandsView;
import io.berth.spi.distribution.DistributionPolicyFactory;
import io.berth.spi.matching.AdmittedView;
import io.berth.spi.matching.AssignmentSession;
import io.berth.spi.matching.MatchingStrategy;
import io.berth.spi.matching.MatchingStrategyFactory;
import io.berth.spi.matching.PlacementBuilder;
import io.berth.spi.matching.PlacementSession;
import io.berth.spi.matching.WorkersView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;

/** Makes decisions on a random cluster while policies fail and are swapped, and keeps the frames. */
public final class RecordedCluster implements DecisionObserver {

    public static final String POOL = "default";

    private final Stage stage = new Stage();
    private final Random random;
    private final PolicyPlatform platform = stage.platform(HostSettings.defaults());
    private final List<FakeRegistration> registered = new ArrayList<>();
    private final RandomCluster cluster;
    private final List<DecisionFrame> frames = new ArrayList<>();
    private final int stateEach;
    /** Calls of a policy that throws now and then, for a reason that is not part of its input. */
    private int throwing;

    private boolean recording;

    /** @param stateEach after how many frames the state is wanted again */
    public RecordedCluster(long seed, int stateEach) {
        this.random = new Random(seed);
        this.cluster = new RandomCluster(seed);
        this.stateEach = stateEach;
        configureQueues();
        add(PolicyKind.DISTRIBUTION, "fifo", new FifoFactory());
        add(PolicyKind.DISTRIBUTION, "by-use", byUse());
        add(PolicyKind.MATCHING, "first-fit", new FirstFitFactory());
        add(PolicyKind.MATCHING, "spread", new SpreadFactory());
        add(PolicyKind.MATCHING, "throwing", around("throwing", false, this::placeOrThrow));
        add(PolicyKind.MATCHING, "violating", around("violating", false, (workers, entries, plan, rest) -> {
            if (workers.stateNumber() % 3 == 0 && entries.size() > 0) {
                plan.place(0, workers.limit() + 5, 1);
            } else {
                rest.run();
            }
        }));
        add(PolicyKind.MATCHING, "pausing", around("pausing", false, (workers, entries, plan, rest) -> {
            if (workers.stateNumber() % 4 == 0) {
                for (int entry = 0; entry < entries.size(); entry++) {
                    plan.unplaced(entry, "not today");
                }
                plan.reviewAfter(1_000);
            } else {
                rest.run();
            }
        }));
        add(PolicyKind.MATCHING, "returning", around("returning", true, (workers, entries, plan, rest) -> {
            for (int slot = 0; slot < entries.allocations().limit(); slot++) {
                if (entries.allocations().present(slot)
                        && entries.allocations().returnable(slot)
                        && entries.allocations().aboveMinimum(slot) > 0) {
                    plan.giveBack(
                            slot,
                            "since " + entries.allocations().since(slot) + ", last rescale "
                                    + entries.allocations().lastRescaleMillis(slot));
                    break;
                }
            }
            rest.run();
        }));
        add(PolicyKind.MATCHING, "timed", timed());
        stage.runAll();
        platform.observers().add(this);
    }

    public List<DecisionFrame> frames() {
        return frames;
    }

    @Override
    public boolean needsState(String pool) {
        return frames.size() % stateEach == 0;
    }

    @Override
    public void decided(DecisionFrame frame) {
        frames.add(frame);
    }

    private void add(PolicyKind kind, String name, Object factory) {
        FakeRegistration registration =
                new FakeRegistration(registered.size() + 1, kind, name, 100 - registered.size(), () -> factory);
        registered.add(registration);
        platform.registry().add(registration);
    }

    private void configureQueues() {
        SortedMap<String, String> entries = new TreeMap<>();
        entries.put("usage.half.life", 1 + random.nextInt(9) + "min");
        for (int queue = random.nextInt(3); queue >= 0; queue--) {
            entries.put("queue.q" + queue + ".weight", String.valueOf(1 + random.nextInt(5)));
        }
        stage.configured.put(PoolRegistry.PID + POOL, entries);
        platform.poolRegistry().configurationChanged(PoolRegistry.PID + POOL);
    }

    /** What it places depends on how long the call takes. */
    private MatchingStrategyFactory timed() {
        return new MatchingStrategyFactory() {
            @Override
            public PolicyDescription describe() {
                return new PolicyDescription("timed", "for a test");
            }

            @Override
            public MatchingStrategy create(PolicyConfiguration configuration, PolicyContext context)
                    throws InvalidConfigurationException {
                return around("timed", false, (workers, entries, plan, rest) -> {
                            long before = context.remainingMillis();
                            stage.pass(random.nextInt(5));
                            if ((before - context.remainingMillis()) % 2 == 0) {
                                rest.run();
                            } else if (entries.size() > 0) {
                                plan.unplaced(0, "there was no time at " + context.now());
                            }
                        })
                        .create(configuration, context);
            }
        };
    }

    private void placeOrThrow(WorkersView workers, AdmittedView entries, PlacementBuilder plan, Runnable rest) {
        if (recording && ++throwing % 3 == 0) {
            throw new IllegalStateException("call " + throwing);
        }
        rest.run();
    }

    /** So many decisions of one planner. */
    public void decide(int decisions) throws Exception {
        PlacementPlanner planner = platform.openPlanner(POOL, MatchingRule.EXACT, () -> LedgerState.NONE, () -> {});
        stage.runAll();
        recording = true;
        for (int made = 0; made < decisions; made++) {
            disturb();
            stage.advance(random.nextInt(4) == 0 ? 12_000 : random.nextInt(200));
            cluster.change(stage.wallMillis());
            boolean listed = planner.usesSlots();
            var outcome = planner.plan(cluster.input(listed)).toCompletableFuture();
            stage.runAll();
            PlanOutcome decided = outcome.get();
            cluster.commit(decided, stage.millis());
        }
        recording = false;
        planner.close();
        stage.runAll();
    }

    private void disturb() {
        switch (random.nextInt(25)) {
            case 0 -> configureQueues();
            case 1, 2, 3 -> {
                List<String> names =
                        List.of("first-fit", "spread", "throwing", "violating", "pausing", "returning", "timed");
                platform.use(PolicyKind.MATCHING, names.get(random.nextInt(names.size())));
            }
            case 4 -> platform.use(PolicyKind.DISTRIBUTION, random.nextBoolean() ? "fifo" : "by-use");
            default -> {}
        }
        stage.runAll();
    }

    /** The policies that were registered, with the configurations of the frames. */
    public DetachedPolicies again() {
        return with(Optional.empty());
    }

    /** A candidate in place of the deciding one. */
    DetachedPolicies with(Optional<PolicyCandidate> candidate) {
        return new RecordedPolicies(registered, List.of(), candidate);
    }

    private interface Placing {
        void place(WorkersView workers, AdmittedView entries, PlacementBuilder plan, Runnable rest);
    }

    /** First-fit, with something before it or in its place. */
    private static MatchingStrategyFactory around(String name, boolean usesAllocations, Placing placing) {
        return new MatchingStrategyFactory() {
            @Override
            public PolicyDescription describe() {
                return new PolicyDescription(name, "for a test");
            }

            @Override
            public MatchingStrategy create(PolicyConfiguration configuration, PolicyContext context)
                    throws InvalidConfigurationException {
                MatchingStrategy firstFit = new FirstFitFactory().create(configuration, context);
                return new MatchingStrategy() {
                    @Override
                    public boolean usesAllocations() {
                        return usesAllocations;
                    }

                    @Override
                    public PlacementSession openPlacement(WorkersView workers) {
                        return opened(firstFit.openPlacement(workers), workers, placing);
                    }

                    @Override
                    public AssignmentSession openAssignment() {
                        return firstFit.openAssignment();
                    }
                };
            }
        };
    }

    private static PlacementSession opened(PlacementSession rest, WorkersView workers, Placing placing) {
        return new PlacementSession() {
            @Override
            public void delta(int[] changed) {
                rest.delta(changed);
            }

            @Override
            public void place(AdmittedView entries, PlacementBuilder plan) {
                placing.place(workers, entries, plan, () -> rest.place(entries, plan));
            }

            @Override
            public void close() {
                rest.close();
            }
        };
    }

    /** A number that differs when one of the times does. */
    private static long runningSince(DemandsView demands) {
        long times = 0;
        for (int unit = 0; unit < demands.limit(); unit++) {
            if (demands.present(unit)) {
                times = 31 * times + demands.runningSince(unit).orElse(-1);
            }
        }
        return times;
    }

    /** Admits the unit whose queue used least; its reasons show each bit of what was used, and all times. */
    private static DistributionPolicyFactory byUse() {
        return Bench.admitting("by-use", RecordedCluster::admitByUse);
    }

    private static void admitByUse(DemandsView demands, AdmissionBuilder result) {
        long running = runningSince(demands);
        for (int unit = 0; unit < demands.limit(); unit++) {
            if (!demands.candidate(unit) || demands.waitingSince(unit).isEmpty()) {
                continue;
            }
            int queue = demands.queues().find(demands.queue(unit));
            double used = demands.queues().usedSeconds(queue, 0);
            double ofSubmitter = demands.submitter(unit)
                    .map(name -> demands.queues().usedSeconds(name, 0))
                    .orElse(0.0);
            if ((demands.stateNumber() + unit) % 3 == 0) {
                result.defer(
                        unit,
                        "its queue used " + used + ", its submitter " + ofSubmitter + ", it waits since "
                                + demands.waitingSince(unit) + ", times of the others " + running
                                + ", on its way back " + demands.returning(unit, 0));
            } else {
                result.admitMinimum(unit);
            }
        }
    }
}
