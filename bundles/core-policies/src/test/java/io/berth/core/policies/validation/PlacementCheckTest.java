package io.berth.core.policies.validation;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.job.SchedulingAttributes;
import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.policy.PlanningInput.GroupDemand;
import io.berth.core.api.policy.PlanningInput.Origin;
import io.berth.core.api.policy.PlanningInput.SpecColumn;
import io.berth.core.api.policy.PlanningInput.UnitDemand;
import io.berth.core.api.policy.PlanningInput.WorkerChange;
import io.berth.core.api.policy.PlanningInput.WorkerColumn;
import io.berth.core.policies.Bench;
import io.berth.core.policies.cache.AdmittedEntries;
import io.berth.core.policies.cache.DecisionTime;
import io.berth.core.policies.cache.Feasibility;
import io.berth.core.policies.cache.UnitTable;
import io.berth.core.policies.cache.WorkerColumns;
import io.berth.matching.firstfit.FirstFitFactory;
import io.berth.matching.spread.SpreadFactory;
import io.berth.policy.rules.placement.MissingMinimums;
import io.berth.policy.rules.placement.PlacementCheck;
import io.berth.policy.rules.placement.PlacementResult;
import io.berth.policy.rules.placement.RemainingCapacity;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import io.berth.spi.matching.MatchingStrategyFactory;
import io.berth.spi.matching.PlacementSession;
import io.berth.testkit.FixedConfiguration;
import io.berth.testkit.FixedContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * Checks the validator with random inputs. It accepts the plans of the shipped strategies and refuses plans that break
 * a rule.
 */
class PlacementCheckTest {

    private static final int INPUTS = 4_000;

    private record Run(int entry, int worker, int count) {}

    /** One input, and plans for it. */
    private static final class Case {
        private final WorkerColumns workers = new WorkerColumns();
        private final AdmittedEntries entries = new AdmittedEntries(workers, new UnitTable(workers).allocations());

        private Case(Random random) {
            this(random, false);
        }

        private Case(Random random, boolean oneRank) {
            List<WorkerChange> changes = new ArrayList<>();
            for (int index = random.nextInt(6); index >= 0; index--) {
                ResourceProfile total = profile(8, random);
                changes.add(new WorkerChange(
                        index,
                        Optional.of(new WorkerColumn(
                                new WorkerId("w" + index),
                                random.nextInt(3) == 0,
                                total,
                                total,
                                Bench.SLOT,
                                Origin.of("test"),
                                WorkerLabels.NONE))));
            }
            List<SpecColumn> specs = new ArrayList<>();
            for (int spec = random.nextInt(3); spec > 0; spec--) {
                specs.add(new SpecColumn(
                        new Origin("test", "spec" + spec, 0),
                        profile(8, random),
                        Bench.SLOT,
                        random.nextInt(3),
                        WorkerLabels.NONE,
                        0));
            }
            workers.apply(1, new DecisionTime(0, 0), changes, specs);
            List<ResourceProfile> profiles = List.of(profile(4, random), profile(4, random), profile(6, random));
            for (int unit = 0; unit < 1 + random.nextInt(5); unit++) {
                boolean gang = random.nextInt(3) > 0;
                if (gang) {
                    newRank(oneRank);
                    entries.newGang();
                }
                List<GroupDemand> groups = new ArrayList<>();
                for (int group = random.nextInt(3); group >= 0; group--) {
                    groups.add(new GroupDemand("g" + group, profiles.get(random.nextInt(3)), 0, 0, 0));
                }
                UnitDemand demand =
                        new UnitDemand(new JobId("job-" + unit), "all", unit, SchedulingAttributes.DEFAULT, groups);
                for (int group = 0; group < groups.size(); group++) {
                    if (!gang) {
                        newRank(oneRank);
                    }
                    entries.add(unit, group, demand, Feasibility.ANYWHERE, 1 + random.nextInt(4), gang);
                }
            }
        }

        private void newRank(boolean oneRank) {
            if (!oneRank) {
                entries.newRank();
            }
        }

        private static ResourceProfile profile(int most, Random random) {
            return ResourceProfile.of(1_000L * (1 + random.nextInt(most)), 1_000L * (1 + random.nextInt(most)));
        }

        private PlacementResult plan(Consumer<PlacementResult> maker) {
            PlacementResult plan = new PlacementResult(workers, entries);
            plan.rules().begin();
            maker.accept(plan);
            plan.rules().end();
            return plan;
        }

        private PlacementResult plan(MatchingStrategyFactory factory) {
            return plan(plan -> {
                try (PlacementSession session = factory.create(FixedConfiguration.empty(), FixedContext.of("test"))
                        .openPlacement(workers)) {
                    session.place(entries, plan);
                } catch (Exception failure) {
                    throw new IllegalStateException(failure);
                }
            });
        }

        private PlacementResult replay(PlacementResult opened, List<Run> runs) {
            return plan(plan -> {
                for (int nth = 0; nth < opened.openedCount(); nth++) {
                    plan.open(opened.openedSpec(nth));
                }
                runs.forEach(run -> plan.place(run.entry(), run.worker(), run.count()));
            });
        }

        private Optional<String> violation(PlacementResult plan) {
            return PlacementCheck.violation(workers, entries, plan, new RemainingCapacity());
        }
    }

    private static List<Run> runs(PlacementResult plan) {
        List<Run> runs = new ArrayList<>();
        for (int run = 0; run < plan.runs(); run++) {
            runs.add(new Run(plan.entry(run), plan.worker(run), plan.count(run)));
        }
        return runs;
    }

    @Test
    void acceptsPlansOfTheShippedStrategiesAlsoWithMinimumsOfSeveralProfiles() {
        for (int seed = 0; seed < INPUTS; seed++) {
            for (MatchingStrategyFactory factory : List.of(new FirstFitFactory(), new SpreadFactory())) {
                Case one = new Case(new Random(seed));
                PlacementResult plan = one.plan(factory);
                assertThat(one.violation(plan))
                        .as("seed %s: %s places %s", seed, factory, runs(plan))
                        .isEmpty();
            }
        }
    }

    /** What the host places for a strategy that found no room for some minimums obeys all rules, and is all that fits. */
    @Test
    void acceptsWhatTheHostPlacesAndThenNothingMoreFits() {
        int placed = 0;
        for (int seed = 0; seed < INPUTS; seed++) {
            Random random = new Random(seed);
            Case one = new Case(random);
            PlacementResult whole = one.plan(new FirstFitFactory());
            PlacementResult plan = one.plan(part -> {
                for (int nth = 0; nth < whole.openedCount(); nth++) {
                    part.open(whole.openedSpec(nth));
                }
                int lastGang = -1;
                boolean gives = false;
                for (int run = 0; run < whole.runs(); run++) {
                    int gang = one.entries.gang(whole.entry(run));
                    gives = gang >= 0 && (gang == lastGang ? gives : random.nextBoolean());
                    lastGang = gang;
                    if (!gives) {
                        part.place(whole.entry(run), whole.worker(run), whole.count(run));
                    }
                }
                for (int entry = 0; entry < one.entries.size(); entry++) {
                    if (part.placed(entry) == 0) {
                        part.unplaced(entry, "no room");
                    }
                }
            });
            if (one.violation(plan).isPresent()) {
                continue;
            }
            MissingMinimums first =
                    MissingMinimums.of(one.workers, one.entries, plan, new RemainingCapacity(), Integer.MAX_VALUE);
            assertThat(first.leftOut()).as("seed %s", seed).isEmpty();
            placed += first.placed().size();
            assertThat(one.violation(plan)).as("seed %s: %s", seed, runs(plan)).isEmpty();
            assertThat(MissingMinimums.of(one.workers, one.entries, plan, new RemainingCapacity(), Integer.MAX_VALUE)
                            .placed())
                    .as("seed %s: %s", seed, runs(plan))
                    .isEmpty();
        }
        assertThat(placed).isGreaterThan(100);
    }

    @Test
    void refusesEachPlanThatWasMadeWorse() {
        int[] tried = new int[6];
        for (int seed = 0; seed < INPUTS; seed++) {
            Random random = new Random(seed);
            Case one = new Case(random);
            PlacementResult plan = one.plan(new FirstFitFactory());
            List<Run> runs = runs(plan);
            if (runs.isEmpty()) {
                continue;
            }
            int at = random.nextInt(runs.size());
            Run run = runs.get(at);
            List<Run> worse = new ArrayList<>(runs);
            int kind = random.nextInt(6);
            switch (kind) {
                // More than is admitted.
                case 0 -> worse.add(new Run(run.entry(), run.worker(), one.entries.count(run.entry())));
                // More than the worker has: the slots of all other workers are placed here too.
                case 1 -> {
                    worse.replaceAll(other -> new Run(other.entry(), run.worker(), other.count()));
                    if (fits(one, plan, run.worker(), worse) || plan.openedCount() > 0) {
                        continue;
                    }
                }
                // Only a part of a minimum.
                case 2 -> {
                    if (one.entries.gang(run.entry()) < 0 || run.count() == 1 && gangOfOneSlot(one, run.entry())) {
                        continue;
                    }
                    worse.remove(at);
                    if (run.count() > 1) {
                        worse.add(new Run(run.entry(), run.worker(), run.count() - 1));
                    } else if (worse.stream().noneMatch(other -> sameGang(one, other.entry(), run.entry()))) {
                        continue;
                    }
                }
                // A worker that does not exist.
                case 3 -> worse.add(0, new Run(run.entry(), plan.firstNew() + plan.openedCount(), 1));
                // No slots, or a negative number of them.
                case 4 -> worse.add(new Run(run.entry(), run.worker(), -random.nextInt(2)));
                // An entry that was not admitted.
                default -> worse.add(new Run(one.entries.size() + random.nextInt(2), run.worker(), 1));
            }
            tried[kind]++;
            assertThat(one.violation(one.replay(plan, worse)))
                    .as("seed %s kind %s: %s", seed, kind, worse)
                    .isPresent();
        }
        assertThat(tried).as("each kind of violation was tried").doesNotContain(0);
    }

    @Test
    void refusesRoomForALaterEntryThatAnEarlierOneCouldHaveUsed() {
        int tried = 0;
        for (int seed = 0; seed < INPUTS; seed++) {
            Case one = new Case(new Random(seed));
            PlacementResult plan = one.plan(new FirstFitFactory());
            int last = one.entries.size() - 1;
            // The last unit gets what it would get alone, and the first unit, which would fit too, gets nothing.
            if (last < 1 || plan.placed(0) == 0 || one.entries.unitIndex(0) == one.entries.unitIndex(last)) {
                continue;
            }
            int from = last;
            while (from > 0 && one.entries.unitIndex(from - 1) == one.entries.unitIndex(last)) {
                from--;
            }
            List<Run> greedy = fillWith(one, from, last);
            Case again = new Case(new Random(seed));
            if (greedy.isEmpty() || roomForFirst(again, greedy)) {
                continue;
            }
            tried++;
            assertThat(again.violation(again.replay(again.plan(none -> {}), greedy)))
                    .as("seed %s: %s", seed, greedy)
                    .isPresent();
            Case equal = new Case(new Random(seed), true);
            assertThat(equal.violation(equal.replay(equal.plan(none -> {}), greedy)))
                    .as("seed %s, in one rank: %s", seed, greedy)
                    .isEmpty();
        }
        assertThat(tried).isGreaterThan(50);
    }

    /** Single slots of the entries on existing workers, as many as fit. */
    private static List<Run> fillWith(Case one, int from, int to) {
        List<Run> runs = new ArrayList<>();
        for (int entry = from; entry <= to; entry++) {
            if (one.entries.gang(entry) >= 0) {
                return List.of();
            }
            int missing = one.entries.count(entry);
            for (int worker = 0; worker < one.workers.limit() && missing > 0; worker++) {
                while (missing > 0) {
                    List<Run> more = new ArrayList<>(runs);
                    more.add(new Run(entry, worker, 1));
                    if (!fits(one, one.plan(none -> {}), worker, more)) {
                        break;
                    }
                    runs = more;
                    missing--;
                }
            }
        }
        return runs;
    }

    /** Whether first-fit still finds room for the first entry when these runs are placed. */
    private static boolean roomForFirst(Case one, List<Run> runs) {
        for (Run run : runs) {
            for (int dimension = 0; dimension < one.workers.dimensions(); dimension++) {
                one.workers.overlay(
                        run.worker(), dimension, one.entries.need(run.entry(), run.worker(), dimension) * run.count());
            }
        }
        boolean room = one.plan(new FirstFitFactory()).placed(0) > 0;
        one.workers.clearOverlay();
        return room;
    }

    private static boolean fits(Case one, PlacementResult plan, int worker, List<Run> runs) {
        for (int dimension = 0; dimension < one.workers.dimensions(); dimension++) {
            long taken = 0;
            for (Run run : runs) {
                taken += run.worker() == worker ? one.entries.need(run.entry(), 0, dimension) * run.count() : 0;
            }
            if (worker < plan.firstNew() && taken > one.workers.free(worker, dimension)) {
                return false;
            }
        }
        return true;
    }

    private static boolean sameGang(Case one, int entry, int other) {
        return one.entries.gang(entry) == one.entries.gang(other);
    }

    private static boolean gangOfOneSlot(Case one, int entry) {
        int slots = 0;
        for (int other = 0; other < one.entries.size(); other++) {
            slots += sameGang(one, other, entry) ? one.entries.count(other) : 0;
        }
        return slots == 1;
    }
}
