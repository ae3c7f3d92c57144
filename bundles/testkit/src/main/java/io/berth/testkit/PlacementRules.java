package io.berth.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.spi.matching.SpreadView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/** The rules of a placement that the host enforces, as assertions. */
final class PlacementRules {

    private PlacementRules() {}

    static void check(ArrayWorkersView workers, ArrayAdmittedView admitted, RecordedPlacement plan) {
        exclusions(workers, admitted, plan);
        giveBacks(admitted.allocations(), plan);
        leftOut(admitted, plan);
        reservations(workers, admitted, plan, left(workers, admitted, plan, admitted.size()));
        for (int entry = 0; entry < admitted.size(); entry++) {
            assertThat(plan.placed(entry))
                    .as("slots of entry %s in %s", entry, plan)
                    .isBetween(0, admitted.count(entry));
        }
        for (int spec = 0; spec < workers.specs(); spec++) {
            int of = spec;
            assertThat(plan.opened().stream().filter(one -> one == of).count())
                    .as("new workers of spec %s", spec)
                    .isLessThanOrEqualTo(workers.specLeft(spec));
        }
        for (int nth = 0; nth < plan.opened().size(); nth++) {
            assertThat(plan.on(workers.limit() + nth))
                    .as("slots on new worker %s of %s", nth, plan)
                    .isPositive();
        }
        gangsWhole(admitted, plan);
        spreads(workers, admitted, plan);
        precedence(workers, admitted, plan);
    }

    /** Only of workers that are there, and each with a reason. */
    private static void exclusions(ArrayWorkersView workers, ArrayAdmittedView admitted, RecordedPlacement plan) {
        for (int entry = 0; entry < admitted.size(); entry++) {
            int of = entry;
            plan.excluded(entry).forEach((worker, reason) -> {
                assertThat(workers.present(worker))
                        .as("worker %s, which is excluded for entry %s, is present", worker, of)
                        .isTrue();
                assertThat(reason)
                        .as("reason why entry %s must not be on worker %s", of, worker)
                        .isNotBlank();
            });
        }
    }

    /** Only slots that may be asked for, each once and with a reason, and each group keeps its minimum. */
    private static void giveBacks(ArrayAllocationsView allocations, RecordedPlacement plan) {
        Set<Integer> named = new HashSet<>();
        Map<String, Integer> ofGroup = new HashMap<>();
        for (RecordedPlacement.GivenBack proposal : plan.givenBack()) {
            int allocation = proposal.allocation();
            assertThat(allocations.present(allocation))
                    .as("%s is present", proposal)
                    .isTrue();
            assertThat(named.add(allocation)).as("%s is named once", proposal).isTrue();
            assertThat(allocations.returnable(allocation))
                    .as("the job may be asked for %s", proposal)
                    .isTrue();
            assertThat(proposal.reason()).as("reason of %s", proposal).isNotBlank();
            String group = allocations.job(allocation) + " " + allocations.group(allocation);
            int above = allocations.aboveMinimum(allocation);
            if (above >= 0) {
                assertThat(ofGroup.merge(group, 1, Integer::sum))
                        .as("slots that group %s gives back", group)
                        .isLessThanOrEqualTo(above);
            }
        }
    }

    /** Only for gangs that are not placed, on workers that are there, and only what the plan leaves. */
    private static void reservations(
            ArrayWorkersView workers, ArrayAdmittedView admitted, RecordedPlacement plan, long[][] left) {
        int[] reserved = new int[admitted.size()];
        for (RecordedPlacement.Run run : plan.reserved()) {
            int entry = run.entry();
            assertThat(admitted.gang(entry)).as("gang of %s", run).isNotNegative();
            assertThat(plan.placed(entry))
                    .as("slots of %s that are placed", run)
                    .isZero();
            assertThat(workers.present(run.worker())).as("%s is present", run).isTrue();
            assertThat(feasible(workers, admitted, plan, entry, run.worker()))
                    .as("the constraints of its entry and its exclusions allow %s", run)
                    .isTrue();
            reserved[entry] += run.count();
            assertThat(reserved[entry]).as("slots reserved by %s", run).isBetween(1, admitted.count(entry));
            for (int dimension = 0; dimension < workers.dimensions(); dimension++) {
                left[run.worker()][dimension] -= admitted.need(entry, run.worker(), dimension) * run.count();
                assertThat(left[run.worker()][dimension])
                        .as("%s left of worker %s after %s", workers.dimension(dimension), run.worker(), run)
                        .isNotNegative();
            }
        }
    }

    /** Where slots of a group were placed, it has at most so many more than where it has the fewest. */
    private static void spreads(ArrayWorkersView workers, ArrayAdmittedView admitted, RecordedPlacement plan) {
        Map<SpreadView, int[]> placed = new IdentityHashMap<>();
        for (RecordedPlacement.Run run : plan.runs()) {
            admitted.spread(run.entry()).ifPresent(spread -> {
                int domain = run.worker() < workers.limit()
                        ? spread.domain(run.worker())
                        : spread.domainOnSpec(plan.opened().get(run.worker() - workers.limit()));
                placed.computeIfAbsent(spread, first -> new int[spread.domains()])[domain] += run.count();
            });
        }
        placed.forEach((spread, counts) -> {
            int fewest = IntStream.range(0, spread.domains())
                    .filter(domain -> spread.hasWorkers(domain) || counts[domain] > 0)
                    .map(domain -> spread.slots(domain) + counts[domain])
                    .min()
                    .orElse(0);
            for (int domain = 0; domain < counts.length; domain++) {
                if (counts[domain] > 0) {
                    assertThat(spread.slots(domain) + counts[domain] - fewest)
                            .as(
                                    "slots where label %s is %s above the fewest in %s",
                                    spread.label(), spread.value(domain), plan)
                            .isLessThanOrEqualTo(spread.maxSkew());
                }
            }
        });
    }

    private static void gangsWhole(ArrayAdmittedView admitted, RecordedPlacement plan) {
        for (int[] item : items(admitted)) {
            if (admitted.gang(item[0]) >= 0) {
                int missing = missing(admitted, plan, item);
                int placed = 0;
                for (int entry = item[0]; entry < item[1]; entry++) {
                    placed += plan.placed(entry);
                }
                assertThat(missing == 0 || placed == 0)
                        .as("gang %s complete or not at all in %s", admitted.gang(item[0]), plan)
                        .isTrue();
            }
        }
    }

    /**
     * Slots that were left out must not fit, even without all placements of larger ranks. For gangs of several entries,
     * the first fit that {@link io.berth.spi.matching.PlacementSession#place} defines decides. The host tries it for
     * those of several profiles for which the strategy says that it found no room. A gang that is left out on purpose
     * may fit, but must not lose room to larger ranks.
     */
    private static void precedence(ArrayWorkersView workers, ArrayAdmittedView admitted, RecordedPlacement plan) {
        for (int[] item : items(admitted)) {
            int missing = missing(admitted, plan, item);
            boolean spread = IntStream.range(item[0], item[1])
                    .anyMatch(entry -> admitted.spread(entry).isPresent());
            // Where slots of a group that is spread may be depends on where its others are, not on room alone.
            if (missing == 0 || spread || hostTries(admitted, plan, item)) {
                continue;
            }
            if (onPurpose(plan, item) && fits(workers, admitted, plan, item, admitted.size())) {
                continue;
            }
            if (item[1] - item[0] > 1) {
                assertThat(firstFitFindsRoom(workers, admitted, plan, item, afterRank(admitted, item[0])))
                        .as(
                                "first fit finds room for entries %s to %s, which were left out in %s",
                                item[0], item[1] - 1, plan)
                        .isFalse();
                continue;
            }
            int entry = item[0];
            int after = afterRank(admitted, entry);
            long[][] left = withoutReserved(admitted, plan, after, left(workers, admitted, plan, after));
            long wanted = admitted.gang(entry) >= 0 ? missing : 1;
            assertThat(room(workers, admitted, plan, entry, left))
                    .as("room for entry %s, of which %s slots were left out in %s", entry, missing, plan)
                    .isLessThan(wanted);
        }
    }

    private static boolean hostTries(ArrayAdmittedView admitted, RecordedPlacement plan, int[] item) {
        boolean several = IntStream.range(item[0], item[1])
                        .map(admitted::profile)
                        .distinct()
                        .count()
                > 1;
        return several
                && !onPurpose(plan, item)
                && IntStream.range(item[0], item[1]).anyMatch(plan.reasons()::containsKey);
    }

    private static boolean onPurpose(RecordedPlacement plan, int[] item) {
        return IntStream.range(item[0], item[1]).anyMatch(plan.leftOut()::containsKey);
    }

    /** Whether a gang fits on what the entries before {@code until} leave. */
    private static boolean fits(
            ArrayWorkersView workers, ArrayAdmittedView admitted, RecordedPlacement plan, int[] item, int until) {
        if (item[1] - item[0] > 1) {
            return firstFitFindsRoom(workers, admitted, plan, item, until);
        }
        long[][] left = withoutReserved(admitted, plan, until, left(workers, admitted, plan, until));
        return room(workers, admitted, plan, item[0], left) >= missing(admitted, plan, item);
    }

    /** Each names a gang that is not placed, and says why. */
    private static void leftOut(ArrayAdmittedView admitted, RecordedPlacement plan) {
        plan.leftOut().forEach((entry, reason) -> {
            assertThat(admitted.gang(entry))
                    .as("gang of entry %s, which is left out", entry)
                    .isNotNegative();
            assertThat(plan.placed(entry))
                    .as("slots of entry %s, which is left out", entry)
                    .isZero();
            assertThat(reason).as("reason why entry %s is left out", entry).isNotBlank();
        });
    }

    /** The first entry with a larger rank. */
    private static int afterRank(ArrayAdmittedView admitted, int entry) {
        int after = entry;
        while (after < admitted.size() && admitted.rank(after) == admitted.rank(entry)) {
            after++;
        }
        return after;
    }

    /** A worker at its index, or a new worker of a spec with index -1. */
    private record Place(int worker, int spec, long[] left) {}

    private static boolean firstFitFindsRoom(
            ArrayWorkersView workers, ArrayAdmittedView admitted, RecordedPlacement plan, int[] item, int until) {
        List<Place> places = placesBefore(workers, admitted, plan, until);
        int[] specLeft = new int[workers.specs()];
        for (int spec = 0; spec < specLeft.length; spec++) {
            int of = spec;
            specLeft[spec] = workers.specLeft(spec)
                    - (int) places.stream().filter(place -> place.spec() == of).count();
        }
        for (int entry = item[0]; entry < item[1]; entry++) {
            int missing = admitted.count(entry);
            for (int at = 0; missing > 0; at++) {
                if (at == places.size()) {
                    int spec = smallestSpec(workers, admitted, plan, entry, specLeft);
                    if (spec < 0) {
                        return false;
                    }
                    specLeft[spec]--;
                    places.add(new Place(-1, spec, total(workers, spec)));
                }
                while (missing > 0 && take(admitted, plan, entry, places.get(at))) {
                    missing--;
                }
            }
        }
        return true;
    }

    private static List<Place> placesBefore(
            ArrayWorkersView workers, ArrayAdmittedView admitted, RecordedPlacement plan, int entry) {
        long[][] left = withoutReserved(admitted, plan, entry, left(workers, admitted, plan, entry));
        List<Place> places = new ArrayList<>();
        for (boolean pending : new boolean[] {false, true}) {
            for (int worker = 0; worker < workers.limit(); worker++) {
                if (workers.present(worker) && workers.pending(worker) == pending) {
                    places.add(new Place(worker, -1, left[worker]));
                }
            }
        }
        for (int nth = 0; nth < plan.opened().size(); nth++) {
            int worker = workers.limit() + nth;
            if (plan.runs().stream().anyMatch(run -> run.entry() < entry && run.worker() == worker)) {
                places.add(new Place(-1, plan.opened().get(nth), left[worker]));
            }
        }
        return places;
    }

    /** What is left without the room that is reserved for entries before {@code until}. */
    private static long[][] withoutReserved(
            ArrayAdmittedView admitted, RecordedPlacement plan, int until, long[][] left) {
        for (RecordedPlacement.Run run : plan.reserved()) {
            for (int dimension = 0; run.entry() < until && dimension < left[run.worker()].length; dimension++) {
                left[run.worker()][dimension] -= admitted.need(run.entry(), run.worker(), dimension) * run.count();
            }
        }
        return left;
    }

    private static boolean take(ArrayAdmittedView admitted, RecordedPlacement plan, int entry, Place place) {
        boolean feasible = place.worker() < 0
                ? admitted.feasibleOnSpec(entry, place.spec())
                : admitted.feasible(entry, place.worker())
                        && !plan.excluded(entry).containsKey(place.worker());
        if (!feasible) {
            return false;
        }
        long[] need = new long[place.left().length];
        for (int dimension = 0; dimension < need.length; dimension++) {
            need[dimension] = place.worker() < 0
                    ? admitted.needOnSpec(entry, place.spec(), dimension)
                    : admitted.need(entry, place.worker(), dimension);
            if (need[dimension] > place.left()[dimension]) {
                return false;
            }
        }
        for (int dimension = 0; dimension < need.length; dimension++) {
            place.left()[dimension] -= need[dimension];
        }
        return true;
    }

    private static int smallestSpec(
            ArrayWorkersView workers, ArrayAdmittedView admitted, RecordedPlacement plan, int entry, int[] specLeft) {
        int best = -1;
        for (int spec = 0; spec < specLeft.length; spec++) {
            if (specLeft[spec] > 0
                    && take(admitted, plan, entry, new Place(-1, spec, total(workers, spec)))
                    && (best < 0 || Arrays.compare(total(workers, spec), total(workers, best)) < 0)) {
                best = spec;
            }
        }
        return best;
    }

    private static long[] total(ArrayWorkersView workers, int spec) {
        long[] total = new long[workers.dimensions()];
        for (int dimension = 0; dimension < total.length; dimension++) {
            total[dimension] = workers.specTotal(spec, dimension);
        }
        return total;
    }

    private static long room(
            ArrayWorkersView workers, ArrayAdmittedView admitted, RecordedPlacement plan, int entry, long[][] left) {
        long room = 0;
        for (int worker = 0; worker < left.length; worker++) {
            if ((worker >= workers.limit() || workers.present(worker))
                    && feasible(workers, admitted, plan, entry, worker)) {
                long fits = Integer.MAX_VALUE;
                for (int dimension = 0; dimension < workers.dimensions(); dimension++) {
                    long need = need(workers, admitted, plan, entry, worker, dimension);
                    fits = need > 0 ? Math.min(fits, left[worker][dimension] / need) : fits;
                }
                room += fits;
            }
        }
        for (int spec = 0; spec < workers.specs(); spec++) {
            int of = spec;
            if (!admitted.feasibleOnSpec(entry, spec)) {
                continue;
            }
            long unopened = workers.specLeft(spec)
                    - plan.opened().stream().filter(one -> one == of).count();
            long fits = Integer.MAX_VALUE;
            for (int dimension = 0; dimension < workers.dimensions(); dimension++) {
                long need = admitted.needOnSpec(entry, spec, dimension);
                fits = need > 0 ? Math.min(fits, workers.specTotal(spec, dimension) / need) : fits;
            }
            room += unopened * fits;
        }
        return room;
    }

    /** What is left of each worker after the runs of the entries before {@code until}; never negative. */
    private static long[][] left(
            ArrayWorkersView workers, ArrayAdmittedView admitted, RecordedPlacement plan, int until) {
        int limit = workers.limit();
        long[][] left = new long[limit + plan.opened().size()][workers.dimensions()];
        for (int worker = 0; worker < left.length; worker++) {
            for (int dimension = 0; dimension < workers.dimensions(); dimension++) {
                if (worker >= limit) {
                    left[worker][dimension] = workers.specTotal(plan.opened().get(worker - limit), dimension);
                } else if (workers.present(worker)) {
                    left[worker][dimension] = workers.free(worker, dimension);
                }
            }
        }
        for (RecordedPlacement.Run run : plan.runs()) {
            if (run.entry() >= until) {
                continue;
            }
            assertThat(run.count()).as("%s", run).isPositive();
            assertThat(run.worker()).as("%s", run).isBetween(0, left.length - 1);
            assertThat(run.worker() >= limit || workers.present(run.worker()))
                    .as("%s is present", run)
                    .isTrue();
            assertThat(feasible(workers, admitted, plan, run.entry(), run.worker()))
                    .as("the constraints of its entry and its exclusions allow %s", run)
                    .isTrue();
            for (int dimension = 0; dimension < workers.dimensions(); dimension++) {
                left[run.worker()][dimension] -=
                        need(workers, admitted, plan, run.entry(), run.worker(), dimension) * run.count();
                assertThat(left[run.worker()][dimension])
                        .as("%s left of worker %s in %s", workers.dimension(dimension), run.worker(), plan)
                        .isNotNegative();
            }
        }
        return left;
    }

    private static boolean feasible(
            ArrayWorkersView workers, ArrayAdmittedView admitted, RecordedPlacement plan, int entry, int worker) {
        return worker >= workers.limit()
                ? admitted.feasibleOnSpec(entry, plan.opened().get(worker - workers.limit()))
                : admitted.feasible(entry, worker) && !plan.excluded(entry).containsKey(worker);
    }

    private static long need(
            ArrayWorkersView workers,
            ArrayAdmittedView admitted,
            RecordedPlacement plan,
            int entry,
            int worker,
            int dimension) {
        return worker >= workers.limit()
                ? admitted.needOnSpec(entry, plan.opened().get(worker - workers.limit()), dimension)
                : admitted.need(entry, worker, dimension);
    }

    private static int missing(ArrayAdmittedView admitted, RecordedPlacement plan, int[] item) {
        int missing = 0;
        for (int entry = item[0]; entry < item[1]; entry++) {
            missing += admitted.count(entry) - plan.placed(entry);
        }
        return missing;
    }

    private static List<int[]> items(ArrayAdmittedView admitted) {
        List<int[]> items = new ArrayList<>();
        int entry = 0;
        while (entry < admitted.size()) {
            int from = entry++;
            while (admitted.gang(from) >= 0 && entry < admitted.size() && admitted.gang(entry) == admitted.gang(from)) {
                entry++;
            }
            items.add(new int[] {from, entry});
        }
        return items;
    }
}
