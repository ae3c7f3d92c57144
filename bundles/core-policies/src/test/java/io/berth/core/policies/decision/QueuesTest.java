package io.berth.core.policies.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.berth.core.api.job.SchedulingAttributes;
import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.operations.PolicyOperations.QueueDetails;
import io.berth.core.api.policy.MatchingRule;
import io.berth.core.api.policy.PlacementPlanner;
import io.berth.core.api.policy.PlanningInput;
import io.berth.core.api.policy.PlanningInput.GroupDemand;
import io.berth.core.api.policy.PlanningInput.Origin;
import io.berth.core.api.policy.PlanningInput.UnitChange;
import io.berth.core.api.policy.PlanningInput.UnitDemand;
import io.berth.core.api.policy.PlanningInput.WorkerChange;
import io.berth.core.api.policy.PlanningInput.WorkerColumn;
import io.berth.core.policies.Bench;
import io.berth.core.policies.FakeRegistration;
import io.berth.core.policies.MemoryStore;
import io.berth.core.policies.PolicyPlatform;
import io.berth.core.policies.Stage;
import io.berth.core.policies.pools.PastUse;
import io.berth.core.policies.pools.PastUse.Use;
import io.berth.core.policies.registry.HostSettings;
import io.berth.spi.JobId;
import io.berth.spi.PolicyKind;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import io.berth.spi.distribution.DemandsView;
import io.berth.spi.distribution.QueuesView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a distribution policy sees of the queues of its pool. */
class QueuesTest {

    private static final String PID = "io.berth.pool~default";
    private static final int CPU = 0;
    /** The unit that always lacks a slot; it is no candidate in the second round. */
    private static final int HUNGRY = 9;

    private final Stage stage = new Stage();
    private final PolicyPlatform platform = stage.platform(HostSettings.defaults());
    private final AtomicInteger notified = new AtomicInteger();
    private final List<String> seen = new ArrayList<>();
    private Consumer<DemandsView> looks = demands -> seen.add(look(demands));
    private PlacementPlanner planner;
    private long states;

    @BeforeEach
    void begin() {
        platform.registry()
                .add(new FakeRegistration(
                        1,
                        PolicyKind.DISTRIBUTION,
                        "curious",
                        0,
                        () -> Bench.admitting("curious", (demands, result) -> {
                            if (demands.candidate(HUNGRY)) {
                                looks.accept(demands);
                            }
                            for (int unit = 0; unit < demands.limit(); unit++) {
                                if (demands.candidate(unit)) {
                                    result.admitMinimum(unit);
                                }
                            }
                        })));
        platform.registry()
                .add(new FakeRegistration(
                        2, PolicyKind.MATCHING, "none", 0, () -> Bench.placing("none", Bench.LEAVES_OUT)));
        stage.runAll();
        configure("queue.etl.weight", "3", "queue.night.parent", "etl", "queue.adhoc.limit", "cpu=2");
        planner = platform.openPlanner("default", MatchingRule.EXACT, notified::incrementAndGet);
        stage.runAll();
    }

    private void configure(String... pairs) {
        SortedMap<String, String> entries = new TreeMap<>();
        for (int at = 0; at < pairs.length; at += 2) {
            entries.put(pairs[at], pairs[at + 1]);
        }
        stage.configured.put(PID, entries);
        platform.poolRegistry().configurationChanged(PID);
        stage.runAll();
    }

    private static String look(DemandsView demands) {
        QueuesView queues = demands.queues();
        List<String> parts = new ArrayList<>();
        for (int queue = 0; queue < queues.size(); queue++) {
            parts.add(queues.name(queue) + " " + queues.used(queue, CPU) + "+" + queues.pending(queue, CPU));
        }
        return String.join(", ", parts);
    }

    private static UnitChange unit(
            int index, String queue, String submitter, ResourceProfile profile, int desired, int has) {
        return new UnitChange(
                index,
                Optional.of(new UnitDemand(
                        new JobId("job-" + index),
                        "all",
                        index,
                        new SchedulingAttributes("default", queue, submitter, 0, 0, 0, new TreeMap<>()),
                        List.of(new GroupDemand("default", profile, 1, desired, has)))));
    }

    private void plan(UnitChange... changes) {
        planner.plan(new PlanningInput(++states, List.of(), List.of(changes), List.of()));
        stage.runAll();
    }

    /** A unit that always lacks a slot, so that the policy is asked. */
    private static UnitChange hungry() {
        return unit(HUNGRY, "adhoc", "", Bench.SLOT, 1, 0);
    }

    @Test
    void useAndNeedOfAQueueIncludeTheQueuesBelow() {
        plan(unit(0, "night", "ann", Bench.SLOT, 5, 2), unit(1, "etl", "bob", Bench.SLOT, 1, 1), hungry());
        assertThat(seen).containsExactly("root 3000+4000, adhoc 0+1000, etl 3000+3000, night 2000+3000");
        seen.clear();
        plan(unit(0, "night", "ann", Bench.SLOT, 5, 5), new UnitChange(1, Optional.empty()));
        assertThat(seen).containsExactly("root 5000+1000, adhoc 0+1000, etl 5000+0, night 5000+0");
    }

    @Test
    void theTreeChangesWhileJobsAreThere() {
        plan(unit(0, "night", "", Bench.SLOT, 5, 2), hungry());
        int before = notified.get();
        seen.clear();
        configure("queue.night.weight", "1", "queue.day.weight", "1");
        assertThat(notified.get()).as("a decision is requested").isGreaterThan(before);
        plan();
        assertThat(seen)
                .as("the queue of the hungry job is gone: it counts for the root")
                .containsExactly("root 2000+4000, day 0+0, night 2000+3000");
        configure("queue.night.weight", "none");
        seen.clear();
        plan();
        assertThat(seen)
                .as("an invalid one changes nothing")
                .hasSize(1)
                .first()
                .asString()
                .contains("day");
        stage.configured.remove(PID);
        platform.poolRegistry().configurationChanged(PID);
        seen.clear();
        plan();
        assertThat(seen).containsExactly("root 2000+4000");
    }

    @Test
    void peopleSeeTheQueuesWithTheirUse() {
        assertThat(platform.pools()).singleElement().satisfies(pool -> {
            assertThat(pool.measuredMillis()).isZero();
            assertThat(pool.queues()).extracting(QueueDetails::name).containsExactly("root", "adhoc", "etl", "night");
        });
        plan(unit(0, "night", "", Bench.SLOT, 5, 2), hungry());
        stage.advance(10_000);
        assertThat(platform.pools()).singleElement().satisfies(pool -> {
            assertThat(pool.measuredMillis()).isEqualTo(stage.wallMillis());
            QueueDetails night = pool.queues().get(3);
            assertThat(night.parent()).isEqualTo("etl");
            assertThat(night.used()).containsEntry("cpu", 2_000L);
            assertThat(night.pending()).containsEntry("cpu", 3_000L);
            assertThat(night.usedSeconds().get("cpu")).isBetween(19_900L, 20_000L);
            assertThat(pool.queues().get(1).limit()).containsEntry("cpu", 2_000L);
        });
        plan(new UnitChange(0, Optional.empty()), new UnitChange(HUNGRY, Optional.empty()));
        stage.advance(10_000);
        assertThat(platform.pools()).singleElement().satisfies(pool -> {
            QueueDetails night = pool.queues().get(3);
            assertThat(night.used()).isEmpty();
            assertThat(night.usedSeconds().get("cpu")).isBetween(19_900L, 20_000L);
        });
    }

    @Test
    void halfOfWhatWasUsedIsForgottenAfterAHalfLife() {
        configure("queue.etl.weight", "1", "queue.adhoc.weight", "1", "usage.half.life", "100s");
        List<Double> past = new ArrayList<>();
        looks = demands -> {
            QueuesView queues = demands.queues();
            past.add(queues.usedSeconds(queues.find("etl"), CPU));
            past.add(queues.usedSeconds("ann", CPU));
            past.add(queues.usedSeconds(0, CPU));
        };
        plan(unit(0, "etl", "ann", Bench.SLOT, 2, 2), hungry());
        assertThat(past).containsExactly(0.0, 0.0, 0.0);
        past.clear();
        stage.advance(100_000);
        plan(unit(0, "etl", "ann", Bench.SLOT, 2, 0));
        // The integral of 2,000 * 2^(-t/100) over 100 s.
        double used = 2_000 * 50 / Math.log(2);
        assertThat(past).hasSize(3).allSatisfy(one -> assertThat(one).isCloseTo(used, within(1.0)));
        past.clear();
        stage.advance(200_000);
        plan(hungry());
        assertThat(past).allSatisfy(one -> assertThat(one).isCloseTo(used / 4, within(1.0)));
    }

    @Test
    void theNextLeaderContinuesWithWhatWasUsed() {
        configure("queue.etl.weight", "1", "queue.adhoc.weight", "1", "usage.half.life", "100s");
        plan(unit(0, "etl", "ann", Bench.SLOT, 1, 1), hungry());
        stage.advance(100_000);
        MemoryStore metadata = new MemoryStore();
        platform.pastUse().attach(metadata);
        platform.pastUse().flush();
        // The integral of 1,000 * 2^(-t/100) over 200 s: the job ran all the time.
        double used = 1_000 * 75 / Math.log(2);
        assertThat(usedByTheNextLeader(metadata, 100_000))
                .hasSize(2)
                .allSatisfy(one -> assertThat(one).isCloseTo(used, within(1.0)));
    }

    /** Nobody tells it to write: what was written each second until then counts. */
    @Test
    void aLeaderThatEndsSuddenlyLosesTheUseOfThirtySecondsAtMost() {
        configure("queue.etl.weight", "1", "queue.adhoc.weight", "1", "usage.half.life", "100s");
        MemoryStore metadata = new MemoryStore();
        platform.pastUse().attach(metadata);
        plan(unit(0, "etl", "ann", Bench.SLOT, 1, 1), hungry());
        writeForSeconds(95);
        plan(unit(0, "etl", "ann", Bench.SLOT, 5, 5));
        writeForSeconds(9);
        double used = (1_000 * (1 - Math.pow(2, -1.04)) + 4_000 * (1 - Math.pow(2, -0.09))) * 100 / Math.log(2);
        double ofThirtySeconds = 21 * 1_000 + 9 * 5_000;
        assertThat(usedByTheNextLeader(metadata, 0))
                .hasSize(2)
                .allSatisfy(one -> assertThat(one).isBetween(used - ofThirtySeconds, used + 1));
    }

    /** As the component of the policy host does. */
    private void writeForSeconds(int seconds) {
        for (int second = 0; second < seconds; second++) {
            stage.advance(1_000);
            platform.pastUse().flush();
        }
    }

    /** Of queue etl and of ann, as a distribution policy of the next leader sees it. */
    private List<Double> usedByTheNextLeader(MemoryStore metadata, long millisLater) {
        Stage later = new Stage();
        later.advance(stage.wallMillis() - later.wallMillis() + millisLater);
        later.configured.putAll(stage.configured);
        PolicyPlatform next = later.platform(HostSettings.defaults());
        List<Double> past = new ArrayList<>();
        next.registry()
                .add(new FakeRegistration(
                        1,
                        PolicyKind.DISTRIBUTION,
                        "curious",
                        0,
                        () -> Bench.admitting("curious", (demands, result) -> {
                            past.add(demands.queues()
                                    .usedSeconds(demands.queues().find("etl"), CPU));
                            past.add(demands.queues().usedSeconds("ann", CPU));
                        })));
        next.registry()
                .add(new FakeRegistration(
                        2, PolicyKind.MATCHING, "none", 0, () -> Bench.placing("none", Bench.LEAVES_OUT)));
        later.runAll();
        next.pastUse().attach(metadata);
        PlacementPlanner planning = next.openPlanner("default", MatchingRule.EXACT, notified::incrementAndGet);
        planning.plan(new PlanningInput(1, List.of(), List.of(hungry()), List.of()));
        later.runAll();
        planning.close();
        later.runAll();
        return past;
    }

    @Test
    void anotherPlannerOfThisProcessContinues() {
        configure("queue.etl.weight", "1", "queue.adhoc.weight", "1", "usage.half.life", "100s");
        plan(unit(0, "etl", "ann", Bench.SLOT, 2, 2), hungry());
        stage.advance(5_000);
        planner.close();
        stage.runAll();
        planner = platform.openPlanner("default", MatchingRule.LOOSE, notified::incrementAndGet);
        stage.runAll();
        List<Double> past = new ArrayList<>();
        looks = demands -> past.add(demands.queues().usedSeconds("ann", CPU));
        plan(unit(0, "etl", "ann", Bench.SLOT, 2, 2), hungry());
        assertThat(past).singleElement().satisfies(used -> assertThat(used).isBetween(9_500.0, 10_000.0));
    }

    @Test
    void aResourceThatNobodyOffersYetIsRemembered() {
        configure("queue.etl.weight", "1", "queue.adhoc.weight", "1", "usage.half.life", "365d");
        PastUse record = new PastUse(
                stage.wallMillis(),
                List.of("cpu", "gpu"),
                new TreeMap<>(Map.of("etl", new Use(new double[] {10, 50}, new long[2]))),
                new TreeMap<>(Map.of("ann", new Use(new double[] {20, 60}, new long[2]))));
        platform.pastUse().open("default").publish(record);
        plan(hungry());
        stage.advance(10_000);
        planner.close();
        stage.runAll();
        planner = platform.openPlanner("default", MatchingRule.LOOSE, notified::incrementAndGet);
        plan(hungry());
        List<Double> past = new ArrayList<>();
        looks = demands -> {
            for (int dimension = 0; dimension < demands.dimensions(); dimension++) {
                if (demands.dimension(dimension).equals("gpu")) {
                    past.add(demands.queues().usedSeconds(demands.queues().find("etl"), dimension));
                    past.add(demands.queues().usedSeconds("ann", dimension));
                }
            }
        };
        ResourceProfile withGpu = new ResourceProfile(1_000, 1, 0, 0, new TreeMap<>(Map.of("gpu", 1L)));
        WorkerColumn worker = new WorkerColumn(
                new WorkerId("w"),
                false,
                withGpu,
                withGpu,
                Bench.SLOT,
                new Origin("local", "gpu", 0),
                WorkerLabels.NONE);
        planner.plan(
                new PlanningInput(++states, List.of(new WorkerChange(0, Optional.of(worker))), List.of(), List.of()));
        stage.runAll();
        assertThat(past).hasSize(2);
        assertThat(past.get(0)).isCloseTo(50, within(0.1));
        assertThat(past.get(1)).isCloseTo(60, within(0.1));
    }

    @Test
    void aQueueThatIsConfiguredAgainHasItsPast() {
        configure("queue.etl.weight", "1", "queue.adhoc.weight", "1", "usage.half.life", "365d");
        plan(unit(0, "etl", "", Bench.SLOT, 1, 1), hungry());
        stage.advance(20_000);
        configure("queue.adhoc.weight", "1", "usage.half.life", "365d");
        plan();
        stage.advance(20_000);
        planner.close();
        stage.runAll();
        planner = platform.openPlanner("default", MatchingRule.LOOSE, notified::incrementAndGet);
        plan(hungry());
        configure("queue.etl.weight", "1", "queue.adhoc.weight", "1", "usage.half.life", "365d");
        List<Double> past = new ArrayList<>();
        looks = demands ->
                past.add(demands.queues().usedSeconds(demands.queues().find("etl"), CPU));
        plan();
        assertThat(past).singleElement().satisfies(used -> assertThat(used).isCloseTo(20_000, within(10.0)));
    }

    @Test
    void aSubmitterWhoWaitsIsCountedWhenTheJobGetsItsSlots() {
        configure();
        plan(unit(0, "etl", "ann", Bench.SLOT, 1, 0));
        stage.advance(60_000);
        plan();
        assertThat(planner.countsUse()).isTrue();
        plan(new UnitChange(0, Optional.empty()));
        stage.advance(60_000);
        plan();
        assertThat(planner.countsUse()).isFalse();
    }

    @Test
    void whatASubmitterUsedSurvivesMoreDimensions() {
        configure("queue.etl.weight", "1", "queue.adhoc.weight", "1", "usage.half.life", "365d");
        List<Double> past = new ArrayList<>();
        looks = demands -> past.add(demands.queues().usedSeconds("ann", CPU));
        plan(unit(0, "etl", "ann", Bench.SLOT, 2, 2), hungry());
        stage.advance(1_000);
        past.clear();
        ResourceProfile odd = new ResourceProfile(100, 100, 0, 0, new TreeMap<>(Map.of("fpga", 1L)));
        plan(unit(1, "etl", "bob", odd, 1, 0));
        assertThat(past).first().satisfies(used -> assertThat(used).isCloseTo(2_000, within(1.0)));
    }

    @Test
    void theSumsAreThoseOfARecount() {
        Random random = new Random(7);
        String[] queues = {"etl", "night", "adhoc", "unknown"};
        looks = demands -> {
            QueuesView view = demands.queues();
            for (int queue = 0; queue < view.size(); queue++) {
                for (int dimension = 0; dimension < demands.dimensions(); dimension++) {
                    assertThat(view.used(queue, dimension)).isEqualTo(sum(demands, queue, dimension, true));
                    assertThat(view.pending(queue, dimension)).isEqualTo(sum(demands, queue, dimension, false));
                }
            }
            seen.add("checked");
        };
        plan(hungry());
        for (int step = 0; step < 200; step++) {
            int index = random.nextInt(8);
            ResourceProfile profile = random.nextInt(10) == 0
                    ? new ResourceProfile(100, 100, 0, 0, new TreeMap<>(Map.of("gpu" + random.nextInt(3), 2L)))
                    : Bench.SLOT.times(1 + random.nextInt(3));
            plan(
                    random.nextInt(5) == 0
                            ? new UnitChange(index, Optional.empty())
                            : unit(
                                    index,
                                    queues[random.nextInt(4)],
                                    "s",
                                    profile,
                                    1 + random.nextInt(4),
                                    random.nextInt(3)));
        }
        assertThat(seen.size()).isGreaterThan(150);
    }

    private static long sum(DemandsView demands, int queue, int dimension, boolean used) {
        long sum = 0;
        for (int unit = 0; unit < demands.limit(); unit++) {
            if (!demands.present(unit) || !isIn(demands.queues(), demands.queue(unit), queue)) {
                continue;
            }
            int missing = Math.max(0, demands.desired(unit, 0) - demands.allocated(unit, 0));
            sum += used ? demands.used(unit, dimension) : missing * demands.amount(unit, 0, dimension);
        }
        return sum;
    }

    private static boolean isIn(QueuesView queues, String name, int queue) {
        for (int at = queues.find(name); at >= 0; at = queues.parent(at)) {
            if (at == queue) {
                return true;
            }
        }
        return false;
    }
}
