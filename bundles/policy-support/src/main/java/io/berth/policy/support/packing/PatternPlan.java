package io.berth.policy.support.packing;

import io.berth.spi.matching.AdmittedView;
import io.berth.spi.matching.PlacementBuilder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The patterns that were chosen, and the workers that use them. */
final class PatternPlan {

    /** @param spec of new workers; -1 when the workers are there already */
    private record Use(int[] kinds, int[] counts, int spec, int[] workers) {}

    private final RequestedSlots requested;
    private final PatternSearch search;
    private final List<Use> uses = new ArrayList<>();
    /** By spec, how many workers this plan opens. */
    private final int[] opened;

    private double cost;

    PatternPlan(RequestedSlots requested, int specs) {
        this.requested = requested;
        search = new PatternSearch(requested);
        opened = new int[specs];
    }

    /** What all workers cost that the plan uses. */
    double cost() {
        return cost;
    }

    /** Fills workers of the bin until they are full or nothing is left that they may take. */
    void fill(Bin bin) {
        while (left(bin) > 0 && requested.left() > 0) {
            search.weigh(requested.leftOfKinds());
            int[] pattern = search.search(bin.free(), requested.leftOfKinds(), bin.excluded());
            if (times(pattern) == 0) {
                return;
            }
            use(bin, pattern, Integer.MAX_VALUE);
        }
    }

    /** Fills new workers, each time of the bin that costs least for what it takes. */
    void fillCheapest(List<Bin> bins) {
        while (requested.left() > 0) {
            search.weigh(requested.leftOfKinds());
            Bin best = null;
            double bestPrice = 0;
            int[] bestPattern = {};
            for (Bin bin : bins) {
                if (left(bin) > 0) {
                    int[] pattern = search.search(bin.free(), requested.leftOfKinds(), bin.excluded());
                    double taken = taken(pattern);
                    double price = bin.cost() / taken;
                    if (taken > 0 && (best == null || price < bestPrice)) {
                        best = bin;
                        bestPrice = price;
                        bestPattern = pattern.clone();
                    }
                }
            }
            if (best == null) {
                return;
            }
            use(best, bestPattern, Integer.MAX_VALUE);
        }
    }

    /** Uses the pattern so often, or as often as workers and slots are left for it. */
    void use(Bin bin, int[] pattern, int most) {
        int times = Math.min(Math.min(most, times(pattern)), left(bin));
        if (times <= 0) {
            return;
        }
        int size = 0;
        for (int count : pattern) {
            size += count > 0 ? 1 : 0;
        }
        int[] kinds = new int[size];
        int[] counts = new int[size];
        int at = 0;
        for (int kind = 0; kind < pattern.length; kind++) {
            if (pattern[kind] > 0) {
                kinds[at] = kind;
                counts[at++] = pattern[kind];
                requested.take(kind, pattern[kind] * times);
            }
        }
        cost += bin.cost() * times;
        WorkerGroups.Group group = bin.group();
        if (group == null) {
            opened[bin.spec()] += times;
            uses.add(new Use(kinds, counts, bin.spec(), new int[times]));
        } else {
            uses.add(new Use(kinds, counts, -1, group.take(times)));
        }
    }

    private int left(Bin bin) {
        WorkerGroups.Group group = bin.group();
        return group == null ? bin.count() - opened[bin.spec()] : group.left();
    }

    /** How many workers may use a pattern; 0 for an empty one. */
    private int times(int[] pattern) {
        int times = Integer.MAX_VALUE;
        for (int kind = 0; kind < pattern.length; kind++) {
            if (pattern[kind] > 0) {
                times = Math.min(times, requested.leftOfKinds()[kind] / pattern[kind]);
            }
        }
        return times == Integer.MAX_VALUE ? 0 : times;
    }

    /** What a pattern takes, as shares of all that is left. */
    private double taken(int[] pattern) {
        int dimensions = requested.dimensions().length;
        double taken = 0;
        for (int at = 0; at < dimensions; at++) {
            double all = 0;
            double its = 0;
            for (int kind = 0; kind < pattern.length; kind++) {
                double need = requested.needs()[kind * dimensions + at];
                all += need * requested.leftOfKinds()[kind];
                its += need * pattern[kind];
            }
            taken += all > 0 ? its / all : 0;
        }
        return taken;
    }

    /** Gives each entry its slots, in the order of the entries of each kind, those on preferred workers first. */
    void emit(AdmittedView admitted, PreferredSlots preferred, PlacementBuilder plan) {
        EntriesByKind entries = new EntriesByKind(admitted, requested);
        for (PreferredSlots.Use use : preferred.uses()) {
            entries.place(use.kind(), use.worker(), use.count(), plan);
        }
        for (Use use : uses) {
            for (int nth = 0; nth < use.workers.length; nth++) {
                int worker = use.spec < 0 ? use.workers[nth] : plan.open(use.spec);
                for (int at = 0; at < use.kinds.length; at++) {
                    entries.place(use.kinds[at], worker, use.counts[at], plan);
                }
            }
        }
    }

    /** The entries of each kind, and how many slots of the first unfinished one have no worker yet. */
    private static final class EntriesByKind {

        private final AdmittedView admitted;
        /** By entry, the next one of the same kind; -1 after the last one. */
        private final int[] next;

        private final int[] current;
        private final int[] left;

        private EntriesByKind(AdmittedView admitted, RequestedSlots requested) {
            this.admitted = admitted;
            next = new int[admitted.size()];
            current = new int[requested.kinds()];
            left = new int[requested.kinds()];
            Arrays.fill(current, -1);
            for (int entry = next.length - 1; entry >= 0; entry--) {
                int kind = requested.kind(entry);
                next[entry] = current[kind];
                current[kind] = entry;
                left[kind] = admitted.count(entry);
            }
        }

        private void place(int kind, int worker, int count, PlacementBuilder plan) {
            int missing = count;
            while (missing > 0) {
                if (left[kind] == 0) {
                    current[kind] = next[current[kind]];
                    left[kind] = admitted.count(current[kind]);
                }
                int placed = Math.min(missing, left[kind]);
                plan.place(current[kind], worker, placed);
                left[kind] -= placed;
                missing -= placed;
            }
        }
    }
}
