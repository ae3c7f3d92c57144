package io.berth.core.policies;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.policy.MatchingRule;
import io.berth.core.api.policy.PlacementPlanner;
import io.berth.core.api.policy.PlanOutcome;
import io.berth.core.api.policy.PlanningInput;
import io.berth.core.api.policy.PlanningInput.GroupDemand;
import io.berth.core.api.policy.PlanningInput.UnitChange;
import io.berth.core.api.policy.PlanningInput.UnitDemand;
import io.berth.core.api.policy.PlanningInput.WorkerChange;
import io.berth.core.api.policy.PlanningInput.WorkerColumn;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.Timers;
import io.berth.distribution.fifo.FifoFactory;
import io.berth.matching.firstfit.FirstFitFactory;
import io.berth.spi.JobId;
import io.berth.spi.PolicyDescription.ConfigurationKey;
import io.berth.spi.PolicyKind;
import io.berth.spi.WorkerId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * The host against a model of itself, over random sequences of register, unregister, change ranking, change
 * configuration, choose, throw, break a rule and decide. All on one thread, so that each sequence can be repeated.
 */
class RandomSequencesTest {

    private static final int SEQUENCES = Integer.getInteger("berth.policy.sequences", 3_000);
    private static final int STEPS = 25;

    /** What the model knows of one registration. */
    private static final class Model {
        private final FakeRegistration registration;
        private final boolean good;
        private boolean ready;

        private Model(FakeRegistration registration, boolean good) {
            this.registration = registration;
            this.good = good;
        }
    }

    private final Clock clock = new Clock() {
        @Override
        public long nanos() {
            return 0;
        }

        @Override
        public long wallMillis() {
            return 0;
        }
    };
    private final Timers timers = (delay, action) -> () -> {};

    @Test
    void hasAlwaysADefinedDeciderOrSaysThatThereIsNone() {
        for (int seed = 0; seed < SEQUENCES; seed++) {
            new Sequence(seed).run();
        }
    }

    private final class Sequence {
        private final int seed;
        private final Random random;
        private final Map<String, SortedMap<String, String>> configured = new TreeMap<>();
        private final List<Model> models = new ArrayList<>();
        private final List<FakeRegistration> gone = new ArrayList<>();
        private final PolicyPlatform platform;
        private final PlacementPlanner planner;
        private long ids;
        private long states;
        private String choice = "";
        private long lastGeneration;
        private String lastDecider = "";

        private Sequence(int seed) {
            this.seed = seed;
            this.random = new Random(seed);
            this.platform = new PolicyPlatform(
                    clock,
                    timers,
                    Runnable::run,
                    bundle -> new Inline(),
                    pid -> configured.getOrDefault(pid, new TreeMap<>()),
                    HostSettings.defaults());
            platform.registry().add(new FakeRegistration(++ids, PolicyKind.DISTRIBUTION, "fifo", 0, FifoFactory::new));
            this.planner = platform.openPlanner("default", MatchingRule.EXACT, () -> {});
        }

        private void run() {
            for (int step = 0; step < STEPS; step++) {
                switch (random.nextInt(7)) {
                    case 0, 1 -> register();
                    case 2 -> unregister();
                    case 3 -> rank();
                    case 4 -> configure();
                    case 5 -> choose();
                    default -> decide();
                }
                assertThat(platform.registry().generationsInUse()).as("seed %s", seed).isLessThanOrEqualTo(2);
            }
            decide();
            planner.close();
            assertThat(platform.registry().generationsInUse()).as("seed %s: leases left", seed).isZero();
            while (!models.isEmpty()) {
                unregister();
            }
            assertThat(gone).as("seed %s", seed).allMatch(registration -> registration.released.get() == 1);
            platform.close();
        }

        private void register() {
            int kind = random.nextInt(4);
            String name = "p" + random.nextInt(4);
            Bench.Placing placing = switch (kind) {
                case 0 -> (workers, admitted, plan) -> {
                    throw new NoClassDefFoundError("on purpose");
                };
                case 1 -> (workers, admitted, plan) -> plan.place(0, 77, 1);
                default -> (workers, admitted, plan) -> {
                    try (var session = new FirstFitFactory()
                            .create(new GivenConfiguration(new TreeMap<>()), new Owner("test", clock, 0))
                            .open(workers)) {
                        session.place(admitted, plan);
                    }
                };
            };
            FakeRegistration registration = new FakeRegistration(
                    ++ids, PolicyKind.MATCHING, name, random.nextInt(4),
                    () -> new Bench.Scripted(name, List.of(new ConfigurationKey("limit", "1", "1 to 10")), placing));
            Model model = new Model(registration, kind > 1);
            model.ready = acceptable(registration);
            models.add(model);
            platform.registry().add(registration);
        }

        private boolean acceptable(FakeRegistration registration) {
            SortedMap<String, String> given = configured.getOrDefault(registration.bundle(), new TreeMap<>());
            return given.isEmpty() || "5".equals(given.get("limit"));
        }

        private void unregister() {
            if (models.isEmpty()) {
                return;
            }
            Model model = models.remove(random.nextInt(models.size()));
            gone.add(model.registration);
            platform.registry().remove(model.registration.id());
        }

        private void rank() {
            if (!models.isEmpty()) {
                FakeRegistration registration = models.get(random.nextInt(models.size())).registration;
                registration.ranking = random.nextInt(4);
                platform.registry().updated(registration.id());
            }
        }

        private void configure() {
            if (models.isEmpty()) {
                return;
            }
            String pid = models.get(random.nextInt(models.size())).registration.bundle();
            configured.put(pid, new TreeMap<>(switch (random.nextInt(4)) {
                case 0 -> Map.of("limit", "50");
                case 1 -> Map.of("unknown", "1");
                case 2 -> Map.of("limit", "5");
                default -> Map.of();
            }));
            // What was accepted once stays in force when the new one is refused.
            models.stream()
                    .filter(model -> model.registration.bundle().equals(pid))
                    .forEach(model -> model.ready |= acceptable(model.registration));
            platform.registry().configurationChanged(pid);
        }

        private void choose() {
            String wanted = random.nextInt(3) == 0 ? "" : "p" + random.nextInt(4);
            boolean known = wanted.isEmpty()
                    || models.stream().anyMatch(model -> model.registration.name().equals(wanted));
            try {
                platform.use(PolicyKind.MATCHING, wanted);
                assertThat(known).as("seed %s: %s is there", seed, wanted).isTrue();
                choice = wanted;
            } catch (IllegalArgumentException refused) {
                assertThat(known).as("seed %s: %s", seed, refused.getMessage()).isFalse();
            }
        }

        private void decide() {
            List<WorkerChange> workers = new ArrayList<>();
            List<UnitChange> units = new ArrayList<>();
            if (states == 0) {
                workers.add(new WorkerChange(0, Optional.of(new WorkerColumn(
                        new WorkerId("w0"), false, Bench.SIZE, Bench.SIZE, Bench.SLOT, "test", new TreeMap<>()))));
                units.add(new UnitChange(0, Optional.of(new UnitDemand(
                        new JobId("a"), "all", 1, "default", 0, new TreeMap<>(),
                        List.of(new GroupDemand("default", Bench.SLOT, 1, 2, 0))))));
            }
            PlanOutcome outcome = planner.plan(new PlanningInput(++states, workers, units, List.of()))
                    .toCompletableFuture()
                    .join();
            Optional<Model> expected = models.stream()
                    .filter(model -> model.ready && model.good)
                    .min(Comparator.comparing((Model model) -> !model.registration.name().equals(choice))
                            .thenComparing(model -> -model.registration.ranking())
                            .thenComparing(model -> model.registration.id()));
            if (expected.isEmpty()) {
                assertThat(outcome).as("seed %s", seed).isInstanceOf(PlanOutcome.NotDecided.class);
                assertThat(((PlanOutcome.NotDecided) outcome).reason()).startsWith("no matching strategy");
                return;
            }
            assertThat(outcome).as("seed %s", seed).isInstanceOf(PlanOutcome.Planned.class);
            PlanOutcome.Planned planned = (PlanOutcome.Planned) outcome;
            FakeRegistration decider = expected.get().registration;
            assertThat(planned.matching().version()).as("seed %s", seed).isEqualTo(decider.version());
            assertThat(planned.placements()).as("seed %s", seed).hasSize(2);
            String decidedBy = decider.version() + " revision " + planned.matching().configurationRevision();
            if (!decidedBy.equals(lastDecider)) {
                assertThat(planned.matching().generation()).as("seed %s", seed).isGreaterThan(lastGeneration);
            }
            lastDecider = decidedBy;
            lastGeneration = Math.max(lastGeneration, planned.matching().generation());
        }
    }

    private record Inline() implements GuardThreads {
        @Override
        public void execute(Runnable call) {
            call.run();
        }

        @Override
        public void abandoned() {}

        @Override
        public void returned() {}

        @Override
        public void end() {}
    }
}
