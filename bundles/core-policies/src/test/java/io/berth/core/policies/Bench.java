package io.berth.core.policies;

import static org.awaitility.Awaitility.await;

import io.berth.core.api.job.SchedulingAttributes;
import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.operations.PolicyOperations.PolicyDetails;
import io.berth.core.api.policy.MatchingRule;
import io.berth.core.api.policy.PlacementPlanner;
import io.berth.core.api.policy.PlanOutcome;
import io.berth.core.api.policy.PlanningInput;
import io.berth.core.api.policy.PlanningInput.GroupDemand;
import io.berth.core.api.policy.PlanningInput.Origin;
import io.berth.core.api.policy.PlanningInput.SlotChange;
import io.berth.core.api.policy.PlanningInput.SlotChanges;
import io.berth.core.api.policy.PlanningInput.SlotColumn;
import io.berth.core.api.policy.PlanningInput.SpecColumn;
import io.berth.core.api.policy.PlanningInput.UnitChange;
import io.berth.core.api.policy.PlanningInput.UnitDemand;
import io.berth.core.api.policy.PlanningInput.WorkerChange;
import io.berth.core.api.policy.PlanningInput.WorkerColumn;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.Pools;
import io.berth.core.api.time.SystemClock;
import io.berth.core.api.time.SystemTimers;
import io.berth.core.policies.guard.GuardThreads;
import io.berth.core.policies.registry.HostSettings;
import io.berth.distribution.fifo.FifoFactory;
import io.berth.matching.firstfit.FirstFitFactory;
import io.berth.matching.spread.SpreadFactory;
import io.berth.spi.AllocationId;
import io.berth.spi.ConfigurationKey;
import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.JobId;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.PolicyKind;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import io.berth.spi.distribution.AdmissionBuilder;
import io.berth.spi.distribution.AdmissionSession;
import io.berth.spi.distribution.DemandsView;
import io.berth.spi.distribution.DistributionPolicy;
import io.berth.spi.distribution.DistributionPolicyFactory;
import io.berth.spi.matching.AdmittedView;
import io.berth.spi.matching.AssignmentBuilder;
import io.berth.spi.matching.AssignmentSession;
import io.berth.spi.matching.AssignmentView;
import io.berth.spi.matching.MatchingStrategy;
import io.berth.spi.matching.MatchingStrategyFactory;
import io.berth.spi.matching.PlacementBuilder;
import io.berth.spi.matching.PlacementSession;
import io.berth.spi.matching.WorkersView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A policy host on real threads, with the inputs that its owners would send. */
public final class Bench implements AutoCloseable {

    public static final ResourceProfile SLOT = ResourceProfile.of(1_000, 1_000);
    public static final ResourceProfile SIZE = ResourceProfile.of(4_000, 4_000);

    private static final int MAIN_THREADS = 2;

    final SystemTimers timers = new SystemTimers("test-timers");
    final ExecutorService pool = Pools.fixed("test-main", MAIN_THREADS);
    public final ConcurrentMap<String, SortedMap<String, String>> configured = new ConcurrentHashMap<>();
    public final Set<String> unreadable = ConcurrentHashMap.newKeySet();
    public final PolicyPlatform platform;
    public final AtomicInteger changes = new AtomicInteger();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private final AtomicLong ids = new AtomicLong();
    private final AtomicLong states = new AtomicLong();

    public Bench() {
        this(2_000);
    }

    public Bench(long deadlineMillis) {
        this(deadlineMillis, new SystemClock());
    }

    public Bench(long deadlineMillis, Clock clock) {
        HostSettings settings = HostSettings.defaults()
                .withDeadline(PolicyKind.MATCHING, deadlineMillis)
                .withDeadline(PolicyKind.DISTRIBUTION, deadlineMillis)
                .withDeadline(PolicyKind.SCALING, deadlineMillis)
                .withDeadline(PolicyKind.BACKEND, deadlineMillis);
        platform = new PolicyPlatform(
                new PolicyHostNode.Environment(
                        clock, timers, pool, GuardThreads::pooled, this::configuration, failures::add),
                settings);
    }

    /** Nothing runs on the host's main threads until the latch is counted down. Returns when that is so. */
    public CountDownLatch holdMainThreads() throws InterruptedException {
        CountDownLatch released = new CountDownLatch(1);
        CountDownLatch held = new CountDownLatch(MAIN_THREADS);
        for (int thread = 0; thread < MAIN_THREADS; thread++) {
            pool.execute(() -> {
                held.countDown();
                try {
                    released.await();
                } catch (InterruptedException ended) {
                    Thread.currentThread().interrupt();
                }
            });
        }
        held.await();
        return released;
    }

    /** Failures of actions on the host's main threads. */
    public List<Throwable> failures() {
        return failures;
    }

    private SortedMap<String, String> configuration(String pid) {
        if (unreadable.contains(pid)) {
            throw new IllegalStateException("torn");
        }
        return configured.getOrDefault(pid, new TreeMap<>());
    }

    public FakeRegistration add(PolicyKind kind, String name, int ranking, Object factory) {
        FakeRegistration registration = new FakeRegistration(ids.incrementAndGet(), kind, name, ranking, () -> factory);
        platform.registry().add(registration);
        return registration;
    }

    /** Adds the shipped policies first-fit, spread and fifo. */
    public Bench withDefaults() {
        firstFit();
        spread();
        fifo();
        return this;
    }

    public FakeRegistration firstFit() {
        FakeRegistration added = add(PolicyKind.MATCHING, "first-fit", 100, new FirstFitFactory());
        awaitState("first-fit", "deciding", "ready");
        return added;
    }

    public FakeRegistration spread() {
        FakeRegistration added = add(PolicyKind.MATCHING, "spread", 50, new SpreadFactory());
        awaitState("spread", "deciding", "ready");
        return added;
    }

    public FakeRegistration fifo() {
        FakeRegistration added = add(PolicyKind.DISTRIBUTION, "fifo", 100, new FifoFactory());
        awaitState("fifo", "deciding", "ready");
        return added;
    }

    public PlacementPlanner planner() {
        return platform.openPlanner("default", MatchingRule.EXACT, changes::incrementAndGet);
    }

    public String state(String policy) {
        return details(policy).map(PolicyDetails::state).orElse("absent");
    }

    public Optional<PolicyDetails> details(String policy) {
        return platform.policies().stream()
                .filter(details -> details.name().equals(policy))
                .findFirst();
    }

    public void awaitState(String policy, String... starts) {
        await().atMost(Duration.ofSeconds(30))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(2))
                .until(() ->
                        List.of(starts).stream().anyMatch(start -> state(policy).startsWith(start)));
    }

    public static PlanOutcome plan(PlacementPlanner planner, PlanningInput input) throws Exception {
        return planner.plan(input).toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    public static PlanOutcome.Planned planned(PlacementPlanner planner, PlanningInput input) throws Exception {
        return (PlanOutcome.Planned) plan(planner, input);
    }

    /** A builder of an input with the next state number. */
    public Input input() {
        return new Input(states.incrementAndGet());
    }

    public static final class Input {
        private final long state;
        private final List<WorkerChange> workers = new ArrayList<>();
        private final List<UnitChange> units = new ArrayList<>();
        private final List<SpecColumn> specs = new ArrayList<>();
        private final List<SlotChange> slots = new ArrayList<>();
        private SlotChanges.Listing listing = SlotChanges.Listing.NONE;

        private Input(long state) {
            this.state = state;
        }

        public Input worker(int index, ResourceProfile free) {
            return worker(index, free, WorkerLabels.NONE);
        }

        public Input worker(int index, ResourceProfile free, WorkerLabels labels) {
            return worker(index, SIZE, free, labels);
        }

        public Input worker(int index, ResourceProfile total, ResourceProfile free, WorkerLabels labels) {
            return worker(index, total, free, SLOT, labels);
        }

        public Input worker(
                int index,
                ResourceProfile total,
                ResourceProfile free,
                ResourceProfile defaultSlot,
                WorkerLabels labels) {
            workers.add(new WorkerChange(
                    index,
                    Optional.of(new WorkerColumn(
                            new WorkerId("w" + index), false, total, free, defaultSlot, Origin.of("test"), labels))));
            return this;
        }

        public Input noWorker(int index) {
            workers.add(new WorkerChange(index, Optional.empty()));
            return this;
        }

        public Input unit(int index, String job, GroupDemand... groups) {
            units.add(new UnitChange(
                    index,
                    Optional.of(new UnitDemand(
                            new JobId(job), "all", index, SchedulingAttributes.DEFAULT, List.of(groups)))));
            return this;
        }

        /** A unit that may not be asked to return slots. */
        public Input pausedUnit(int index, String job, int minimum, int desired, int have) {
            units.add(new UnitChange(
                    index,
                    Optional.of(new UnitDemand(
                            new JobId(job),
                            "all",
                            index,
                            SchedulingAttributes.DEFAULT,
                            List.of(new GroupDemand("default", SLOT, minimum, desired, have)),
                            false,
                            OptionalLong.empty()))));
            return this;
        }

        public Input unit(int index, String job, int minimum, int desired, int have) {
            return unit(index, job, new GroupDemand("default", SLOT, minimum, desired, have));
        }

        public Input spec(int left) {
            specs.add(new SpecColumn(new Origin("local", "small", 0), SIZE, SLOT, left, WorkerLabels.NONE, 0));
            return this;
        }

        /** A spec of workers with labels and taints. */
        public Input spec(int left, WorkerLabels labels) {
            specs.add(new SpecColumn(new Origin("local", "spec-" + specs.size(), 0), SIZE, SLOT, left, labels, 0));
            return this;
        }

        /** What the slots are; without it, none are listed. */
        public Input slots(SlotChanges.Listing what) {
            listing = what;
            return this;
        }

        /** A slot of the group {@code default} of a job. */
        public Input slot(long number, String job, int worker, long sinceMillis) {
            slots.add(new SlotChange(
                    new AllocationId(1, number),
                    Optional.of(new SlotColumn(new JobId(job), "all", "default", worker, SLOT, sinceMillis))));
            return this;
        }

        public Input noSlot(long number) {
            slots.add(new SlotChange(new AllocationId(1, number), Optional.empty()));
            return this;
        }

        public PlanningInput build() {
            return new PlanningInput(state, workers, units, specs, new SlotChanges(listing, slots));
        }
    }

    /** Two workers of four slots, and a job that wants three. */
    public PlanningInput twoWorkersAndAJob() {
        return input().worker(0, SIZE).worker(1, SIZE).unit(0, "a", 1, 3, 0).build();
    }

    @Override
    public void close() {
        platform.close();
        pool.shutdownNow();
        timers.close();
    }

    /** What a strategy does when it is asked to place. */
    public interface Placing {
        void place(WorkersView workers, AdmittedView admitted, PlacementBuilder plan) throws Exception;
    }

    /** Places nothing, leaves out the minimums on purpose and gives a reason. */
    public static final Placing LEAVES_OUT = (workers, admitted, plan) -> {
        for (int entry = 0; entry < admitted.size(); entry++) {
            if (admitted.gang(entry) >= 0) {
                plan.leaveOut(entry, "not today");
            } else {
                plan.unplaced(entry, "not today");
            }
        }
    };

    /** What a strategy does when it is asked to open a session. */
    public interface Opening {
        PlacementSession open(WorkersView workers) throws Exception;
    }

    /** What a strategy does when it is asked to assign. */
    public interface Assigning {
        void assign(AssignmentView input, AssignmentBuilder result) throws Exception;
    }

    /** What a distribution policy does when it is asked to admit. */
    public interface Admitting {
        void admit(DemandsView demands, AdmissionBuilder result);
    }

    /** A matching strategy that places with {@code placing}. */
    public static MatchingStrategyFactory placing(String name, Placing placing) {
        return new Scripted(name, List.of(), placing);
    }

    /** A matching strategy that places with {@code placing} and looks at the slots that jobs have. */
    public static MatchingStrategyFactory placingWithAllocations(String name, Placing placing) {
        Scripted scripted = new Scripted(name, List.of(), placing);
        return new MatchingStrategyFactory() {
            @Override
            public PolicyDescription describe() {
                return scripted.describe();
            }

            @Override
            public MatchingStrategy create(PolicyConfiguration configuration, PolicyContext context)
                    throws InvalidConfigurationException {
                MatchingStrategy strategy = scripted.create(configuration, context);
                return new MatchingStrategy() {
                    @Override
                    public PlacementSession openPlacement(WorkersView workers) {
                        return strategy.openPlacement(workers);
                    }

                    @Override
                    public AssignmentSession openAssignment() {
                        return strategy.openAssignment();
                    }

                    @Override
                    public boolean usesAllocations() {
                        return true;
                    }
                };
            }
        };
    }

    /** A matching strategy that only assigns, with {@code assigning}. */
    public static MatchingStrategyFactory assigning(String name, Assigning assigning) {
        return new Scripted(name, List.of(), Scripted::unused, assigning);
    }

    /** A matching strategy that only places, in the sessions of {@code opening}. */
    public static MatchingStrategyFactory opening(String name, Opening opening) {
        return new Scripted(name, List.of(), opening, Scripted::unused);
    }

    /** A distribution policy that admits with {@code admitting}. */
    public static DistributionPolicyFactory admitting(String name, Admitting admitting) {
        return new DistributionPolicyFactory() {
            @Override
            public PolicyDescription describe() {
                return new PolicyDescription(name, "for a test");
            }

            @Override
            public DistributionPolicy create(PolicyConfiguration configuration, PolicyContext context) {
                return demands -> new AdmissionSession() {
                    @Override
                    public void admit(AdmissionBuilder result) {
                        admitting.admit(demands, result);
                    }

                    @Override
                    public void delta(int[] changed) {}

                    @Override
                    public void close() {}
                };
            }
        };
    }

    public record Scripted(String name, List<ConfigurationKey> keys, Opening opening, Assigning assigning)
            implements MatchingStrategyFactory {

        public Scripted(String name, List<ConfigurationKey> keys, Placing placing) {
            this(name, keys, workers -> session(workers, placing), Scripted::unused);
        }

        private static PlacementSession unused(WorkersView workers) {
            throw new UnsupportedOperationException("not in this test");
        }

        private static void unused(AssignmentView input, AssignmentBuilder result) {
            throw new UnsupportedOperationException("not in this test");
        }

        @Override
        public PolicyDescription describe() {
            return new PolicyDescription(name, "for a test", keys);
        }

        @Override
        public MatchingStrategy create(PolicyConfiguration configuration, PolicyContext context)
                throws InvalidConfigurationException {
            long limit = Long.parseLong(configuration.entries().getOrDefault("limit", "1"));
            if (limit < 1 || limit > 10) {
                throw new InvalidConfigurationException("limit is '" + limit + "': 1 to 10 is allowed");
            }
            return new MatchingStrategy() {
                @Override
                public PlacementSession openPlacement(WorkersView workers) {
                    return unchecked(() -> opening.open(workers));
                }

                @Override
                public AssignmentSession openAssignment() {
                    return (input, result) -> unchecked(() -> {
                        assigning.assign(input, result);
                        return true;
                    });
                }
            };
        }

        private static PlacementSession session(WorkersView workers, Placing placing) {
            return new PlacementSession() {
                @Override
                public void delta(int[] changed) {}

                @Override
                public void place(AdmittedView admitted, PlacementBuilder plan) {
                    unchecked(() -> {
                        placing.place(workers, admitted, plan);
                        return true;
                    });
                }

                @Override
                public void close() {}
            };
        }

        private static <T> T unchecked(Callable<T> call) {
            try {
                return call.call();
            } catch (RuntimeException failure) {
                throw failure;
            } catch (Exception failure) {
                throw new IllegalStateException(failure);
            }
        }
    }
}
