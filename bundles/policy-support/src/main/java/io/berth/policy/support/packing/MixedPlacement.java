package io.berth.policy.support.packing;

import io.berth.policy.support.SpecCosts;
import io.berth.spi.matching.AdmittedView;
import io.berth.spi.matching.PlacementBuilder;
import io.berth.spi.matching.WorkersView;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Places all entries of a call together, so that the profiles mix on each worker and few workers are needed. It places
 * everything or nothing: when everything is placed, no entry takes room that another one could use, whatever their
 * ranks. It reads the view in each call and keeps nothing, so the cost grows with the number of workers; it does nothing
 * in a call that places few slots.
 *
 * <p>Workers that have slots come first, the fullest one first, then empty ones, then pending ones, and at last new ones
 * of the spec that costs least for what it takes. {@link #greedy} searches a pattern of slots for each kind of worker and
 * uses it for many of them. {@link #optimal} also computes how often each pattern should be used.
 */
public final class MixedPlacement {

    /** Below this number of slots there is nothing to gain. */
    private static final int MIN_SLOTS = 16;
    /** A call that places fewer slots than this part of the workers does not pay for a look at all of them. */
    private static final int WORKERS_PER_SLOT = 4;
    /** In small pools a look at all workers costs nothing. */
    private static final int SMALL_POOL = 64;
    /** The linear program has a row for each kind of empty worker, and for each spec. */
    private static final int MAX_BINS = 16;
    /** How many workers that are there cost as much as a new one of the cheapest spec. */
    private static final double NEW = 10;
    /** A pending worker is a little dearer than a registered one. */
    private static final double PENDING = 1.001;

    private final WorkersView workers;
    /** Whether the search for the best use of patterns may go on; null when there is no such search. */
    private final @Nullable BooleanSupplier mayContinue;

    private MixedPlacement(WorkersView workers, @Nullable BooleanSupplier mayContinue) {
        this.workers = workers;
        this.mayContinue = mayContinue;
    }

    /** Few workers at little cost. */
    public static MixedPlacement greedy(WorkersView workers) {
        return new MixedPlacement(workers, null);
    }

    /**
     * The fewest workers that a search finds; never more than {@link #greedy} needs.
     *
     * @param mayContinue whether time is left for the search, which also ends after a limited number of steps
     */
    public static MixedPlacement optimal(WorkersView workers, BooleanSupplier mayContinue) {
        return new MixedPlacement(workers, mayContinue);
    }

    /**
     * Places all entries, if that is possible.
     *
     * @return whether everything is placed; otherwise the plan is as before, and another placement decides
     */
    public boolean place(AdmittedView admitted, PlacementBuilder plan) {
        RequestedSlots requested = RequestedSlots.of(admitted, workers.dimensions());
        if (requested == null || requested.left() < MIN_SLOTS || requested.kinds() < 2) {
            return false;
        }
        if (workers.limit() > SMALL_POOL && (long) requested.left() * WORKERS_PER_SLOT < workers.limit()) {
            return false;
        }
        WorkerGroups groups = new WorkerGroups(workers, requested);
        List<Bin> present = present(groups);
        List<Bin> news = news(requested);
        PatternPlan best = new PatternPlan(requested, workers.specs());
        boolean complete = fill(best, requested, present, news);
        if (mayContinue != null
                && present.stream().filter(bin -> bin.cost() > 0).count() + news.size() <= MAX_BINS) {
            requested.restart();
            groups.restart();
            PatternPlan other = planned(requested, present, news, mayContinue);
            if (requested.left() == 0 && (!complete || other.cost() < best.cost())) {
                best = other;
                complete = true;
            }
        }
        if (complete) {
            best.emit(admitted, plan);
        }
        return complete;
    }

    private boolean fill(PatternPlan plan, RequestedSlots requested, List<Bin> present, List<Bin> news) {
        present.forEach(plan::fill);
        plan.fillCheapest(news);
        return requested.left() == 0;
    }

    /** Workers that have slots are filled as they are; the program plans the others. */
    private PatternPlan planned(
            RequestedSlots requested, List<Bin> present, List<Bin> news, BooleanSupplier whileTime) {
        PatternPlan plan = new PatternPlan(requested, workers.specs());
        present.stream().filter(bin -> bin.cost() == 0).forEach(plan::fill);
        List<Bin> bins =
                new ArrayList<>(present.stream().filter(bin -> bin.cost() > 0).toList());
        bins.addAll(news);
        if (requested.left() > 0 && !bins.isEmpty()) {
            for (ColumnGeneration.Used used : new ColumnGeneration(requested, bins, whileTime).plan()) {
                plan.use(bins.get(used.column().bin()), used.column().pattern(), used.times());
            }
            fill(plan, requested, present, news);
        }
        return plan;
    }

    private static List<Bin> present(WorkerGroups groups) {
        List<Bin> bins = new ArrayList<>();
        for (WorkerGroups.Group group : groups.inOrder()) {
            double cost = group.hasSlots() ? 0 : group.pending() ? PENDING : 1;
            bins.add(new Bin(group.free(), group.excluded(), group.left(), cost, group, -1));
        }
        return bins;
    }

    private List<Bin> news(RequestedSlots requested) {
        SpecCosts costs = new SpecCosts(workers);
        double least = Double.POSITIVE_INFINITY;
        for (int spec = 0; spec < workers.specs(); spec++) {
            least = Math.min(least, costs.of(spec));
        }
        int[] dimensions = requested.dimensions();
        List<Bin> bins = new ArrayList<>();
        for (int spec = 0; spec < workers.specs(); spec++) {
            if (workers.specLeft(spec) > 0) {
                long[] total = new long[dimensions.length];
                for (int at = 0; at < total.length; at++) {
                    total[at] = workers.specTotal(spec, dimensions[at]);
                }
                BitSet excluded = new BitSet();
                for (int kind = 0; kind < requested.kinds(); kind++) {
                    if (requested.constrained(kind) && !requested.feasibleOnSpec(kind, spec)) {
                        excluded.set(kind);
                    }
                }
                bins.add(new Bin(total, excluded, workers.specLeft(spec), NEW * costs.of(spec) / least, null, spec));
            }
        }
        return bins;
    }
}
