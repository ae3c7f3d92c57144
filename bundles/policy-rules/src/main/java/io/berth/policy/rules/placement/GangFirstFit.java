package io.berth.policy.rules.placement;

import io.berth.policy.rules.placement.PlacementCheck.Item;
import io.berth.spi.matching.SpreadView;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The first fit that {@link io.berth.spi.matching.PlacementSession#place} defines for a minimum. Slots that are to be
 * spread are placed one by one, in the domain with the fewest that has room.
 */
final class GangFirstFit {

    /** @param worker index of a worker; new ones come after those that the plan opened */
    record Run(int entry, int worker, int count) {}

    /** @param newSpecs of the new workers, beside those that the plan opened */
    record Found(List<Run> runs, List<Integer> newSpecs) {}

    private final CheckedWorkers workers;
    private final CheckedEntries entries;
    private final PlacementResult plan;
    private final int[] order;
    private final int dimensions;

    /** @param order of the workers, see {@link #order} */
    GangFirstFit(CheckedWorkers workers, CheckedEntries entries, PlacementResult plan, int[] order) {
        this.workers = workers;
        this.entries = entries;
        this.plan = plan;
        this.order = order;
        this.dimensions = workers.dimensions();
    }

    /** The workers in the order of that first fit: registered ones, then pending ones, each by index. */
    static int[] order(CheckedWorkers workers) {
        return IntStream.concat(present(workers, false), present(workers, true)).toArray();
    }

    private static IntStream present(CheckedWorkers workers, boolean pending) {
        return IntStream.range(0, workers.limit())
                .filter(worker -> workers.present(worker) && workers.pending(worker) == pending);
    }

    /**
     * Whether the whole item finds room.
     *
     * @param left what is left of the workers; consumed
     * @param opened new workers of the plan that count as opened: not those that only later items use
     */
    boolean fits(Item item, RemainingCapacity left, BitSet opened) {
        return find(item, left, opened).isPresent();
    }

    /** Where the whole item finds room; the parameters are those of {@link #fits}. */
    Optional<Found> find(Item item, RemainingCapacity left, BitSet opened) {
        Search search = new Search(left, opened);
        for (int entry = item.from(); entry < item.to(); entry++) {
            int missing = entries.count(entry) - plan.placed(entry);
            int spread = entries.spreadIndex(entry);
            boolean whole = spread < 0
                    ? search.fill(entry, missing)
                    : search.fillEvenly(entry, missing, entries.spreads().get(spread));
            if (!whole) {
                return Optional.empty();
            }
        }
        return Optional.of(new Found(search.runs, search.startedSpec));
    }

    /** The search for one item. */
    private final class Search {

        private final RemainingCapacity left;
        private final BitSet opened;
        private final int[] specsLeft = new int[workers.specs()];
        private final List<long[]> started = new ArrayList<>();
        private final List<Integer> startedSpec = new ArrayList<>();
        private final List<Run> runs = new ArrayList<>();

        Search(RemainingCapacity left, BitSet opened) {
            this.left = left;
            this.opened = opened;
            for (int spec = 0; spec < specsLeft.length; spec++) {
                specsLeft[spec] = workers.specLeft(spec);
            }
            opened.stream().forEach(nth -> specsLeft[plan.openedSpec(nth)]--);
        }

        boolean fill(int entry, int count) {
            int missing = count;
            for (int at = 0; at < order.length && missing > 0; at++) {
                missing -= takeOn(entry, order[at], missing);
            }
            for (int nth = opened.nextSetBit(0); nth >= 0 && missing > 0; nth = opened.nextSetBit(nth + 1)) {
                missing -= takeOn(entry, plan.firstNew() + nth, missing);
            }
            for (int nth = 0; nth < started.size() && missing > 0; nth++) {
                missing -= takeOnStarted(entry, nth, missing);
            }
            while (missing > 0 && start(smallestSpec(plan.kind(entry), -1, null))) {
                missing -= takeOnStarted(entry, started.size() - 1, missing);
            }
            return missing == 0;
        }

        boolean fillEvenly(int entry, int count, SpreadView spread) {
            int[] placed = placedIn(spread);
            List<List<Integer>> candidates = candidates(entry, spread);
            int[] next = new int[spread.domains()];
            for (int missing = count; missing > 0; missing--) {
                int domain = takeOnOne(entry, spread, placed, candidates, next);
                if (domain < 0) {
                    domain = takeOnNew(entry, spread, placed, candidates);
                }
                if (domain < 0) {
                    return false;
                }
                placed[domain]++;
            }
            return SpreadCheck.uneven(spread, placed).isEmpty();
        }

        /** How many slots of the group the plan and this search place in each domain. */
        private int[] placedIn(SpreadView spread) {
            int[] placed = new int[spread.domains()];
            for (int run = 0; run < plan.runs(); run++) {
                count(plan.entry(run), plan.worker(run), plan.count(run), spread, placed);
            }
            runs.forEach(run -> count(run.entry(), run.worker(), run.count(), spread, placed));
            return placed;
        }

        private void count(int entry, int worker, int count, SpreadView spread, int[] placed) {
            int index = entries.spreadIndex(entry);
            if (index >= 0 && entries.spreads().get(index) == spread) {
                placed[domain(spread, worker)] += count;
            }
        }

        private int domain(SpreadView spread, int worker) {
            int nth = worker - plan.firstNew();
            if (nth < 0) {
                return spread.domain(worker);
            }
            return spread.domainOnSpec(
                    nth < plan.openedCount() ? plan.openedSpec(nth) : startedSpec.get(nth - plan.openedCount()));
        }

        /** For each domain its workers with room for a slot, in the order of the first fit. */
        private List<List<Integer>> candidates(int entry, SpreadView spread) {
            List<List<Integer>> candidates = new ArrayList<>();
            for (int domain = 0; domain < spread.domains(); domain++) {
                candidates.add(new ArrayList<>());
            }
            IntStream all = IntStream.concat(
                    IntStream.concat(IntStream.of(order), opened.stream().map(nth -> plan.firstNew() + nth)),
                    IntStream.range(0, started.size()).map(this::indexOfStarted));
            all.filter(worker -> room(plan.kind(entry), worker) > 0).forEach(worker -> {
                int domain = domain(spread, worker);
                if (domain >= 0) {
                    candidates.get(domain).add(worker);
                }
            });
            return candidates;
        }

        private int indexOfStarted(int nth) {
            return plan.firstNew() + plan.openedCount() + nth;
        }

        private long room(int kind, int worker) {
            int nth = worker - plan.firstNew() - plan.openedCount();
            return nth < 0
                    ? plan.quotient(kind, worker, left, left.row(worker))
                    : roomOnSpec(kind, startedSpec.get(nth), started.get(nth));
        }

        private int takeOnOne(int entry, SpreadView spread, int[] placed, List<List<Integer>> candidates, int[] next) {
            for (int domain : SpreadCheck.allowed(spread, placed)) {
                List<Integer> there = candidates.get(domain);
                for (; next[domain] < there.size(); next[domain]++) {
                    int worker = there.get(next[domain]);
                    int nth = worker - plan.firstNew() - plan.openedCount();
                    if ((nth < 0 ? takeOn(entry, worker, 1) : takeOnStarted(entry, nth, 1)) > 0) {
                        return domain;
                    }
                }
            }
            return -1;
        }

        private int takeOnNew(int entry, SpreadView spread, int[] placed, List<List<Integer>> candidates) {
            for (int domain : SpreadCheck.allowed(spread, placed)) {
                if (start(smallestSpec(plan.kind(entry), domain, spread))) {
                    int nth = started.size() - 1;
                    candidates.get(domain).add(indexOfStarted(nth));
                    takeOnStarted(entry, nth, 1);
                    return domain;
                }
            }
            return -1;
        }

        private boolean start(int spec) {
            if (spec < 0) {
                return false;
            }
            long[] amounts = new long[dimensions];
            for (int dimension = 0; dimension < dimensions; dimension++) {
                amounts[dimension] = workers.specTotal(spec, dimension);
            }
            specsLeft[spec]--;
            started.add(amounts);
            startedSpec.add(spec);
            return true;
        }

        private int takeOn(int entry, int worker, int most) {
            int kind = plan.kind(entry);
            int row = left.row(worker);
            int count = (int) Math.min(most, plan.quotient(kind, worker, left, row));
            for (int dimension = 0; dimension < dimensions && count > 0; dimension++) {
                left.add(row, dimension, -count * plan.needOfKind(kind, worker, dimension));
            }
            return taken(entry, worker, count);
        }

        private int takeOnStarted(int entry, int nth, int most) {
            int kind = plan.kind(entry);
            int spec = startedSpec.get(nth);
            long[] amounts = started.get(nth);
            int count = (int) Math.min(most, roomOnSpec(kind, spec, amounts));
            for (int dimension = 0; dimension < dimensions; dimension++) {
                amounts[dimension] -= count * plan.needOnSpec(kind, spec, dimension);
            }
            return taken(entry, indexOfStarted(nth), count);
        }

        private int taken(int entry, int worker, int count) {
            if (count > 0) {
                runs.add(new Run(entry, worker, count));
            }
            return count;
        }

        private long roomOnSpec(int kind, int spec, long[] amounts) {
            if (!plan.feasibleOnSpec(kind, spec)) {
                return 0;
            }
            long count = Integer.MAX_VALUE;
            for (int dimension = 0; dimension < dimensions; dimension++) {
                long need = plan.needOnSpec(kind, spec, dimension);
                count = need > 0 ? Math.min(count, amounts[dimension] / need) : count;
            }
            return count;
        }

        /**
         * The smallest spec that one slot fits, compared by the dimensions in order; -1 when there is none.
         *
         * @param domain in which its workers must be, if slots are spread
         */
        private int smallestSpec(int kind, int domain, @Nullable SpreadView spread) {
            int best = -1;
            for (int spec = 0; spec < specsLeft.length; spec++) {
                if (specsLeft[spec] > 0
                        && (spread == null || spread.domainOnSpec(spec) == domain)
                        && plan.quotientOnSpec(kind, spec) > 0
                        && (best < 0 || smaller(spec, best))) {
                    best = spec;
                }
            }
            return best;
        }

        private boolean smaller(int spec, int other) {
            for (int dimension = 0; dimension < dimensions; dimension++) {
                int compared = Long.compare(workers.specTotal(spec, dimension), workers.specTotal(other, dimension));
                if (compared != 0) {
                    return compared < 0;
                }
            }
            return false;
        }
    }
}
