package io.berth.policy.support.packing;

import io.berth.policy.support.SpecCosts;
import io.berth.spi.matching.AdmittedView;
import io.berth.spi.matching.PlacementBuilder;
import io.berth.spi.matching.WorkersView;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Places all entries of a call together, so that the profiles mix on each worker and few workers are needed. It places
 * everything or nothing: when everything is placed, no entry takes room that another one could use, whatever their
 * ranks. Slots of groups that prefer workers are placed there before the others, and new workers for them are of the spec
 * that they prefer. It reads the view in each call and keeps nothing, so the cost grows with the number of workers; it
 * does nothing in a call that places few slots.
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
    /** In percent: differences below that are errors of rounding. */
    private static final double SAME = 1e-6;
    /** A pending worker is a little dearer than a registered one. */
    private static final double PENDING = 1.001;

    /** @param bound no plan costs less; not a number when it is not known */
    private record Planned(PatternPlan plan, double bound) {}

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
        PreferredSlots preferred = PreferredSlots.place(workers, admitted, requested);
        LessPreferredSpecs less = LessPreferredSpecs.of(workers, requested);
        if (place(admitted, requested, preferred, less, plan)) {
            return true;
        }
        if (preferred.uses().isEmpty() && less.isEmpty()) {
            return false;
        }
        // No slot waits for room because others would rather have it.
        RequestedSlots all = Objects.requireNonNull(RequestedSlots.of(admitted, workers.dimensions()));
        return place(
                admitted, all, PreferredSlots.none(workers, admitted, all), LessPreferredSpecs.none(workers), plan);
    }

    private boolean place(
            AdmittedView admitted,
            RequestedSlots requested,
            PreferredSlots preferred,
            LessPreferredSpecs less,
            PlacementBuilder plan) {
        WorkerGroups groups = new WorkerGroups(workers, requested, preferred);
        List<Bin> present = present(groups);
        List<Bin> news = news(requested, less);
        PatternPlan best = new PatternPlan(requested, workers.specs());
        boolean complete = fill(best, requested, present, news);
        double bound = Double.NaN;
        if (mayContinue != null
                && present.stream().filter(bin -> bin.cost() > 0).count() + news.size() <= MAX_BINS) {
            requested.restart();
            groups.restart();
            Planned other = planned(requested, present, news, mayContinue);
            if (requested.left() == 0 && (!complete || other.plan().cost() < best.cost())) {
                best = other.plan();
                complete = true;
                bound = other.bound();
            } else if (present.stream().noneMatch(MixedPlacement::isPendingInUse)) {
                // Both plans leave the same to the workers that cost something.
                bound = other.bound();
            }
        }
        if (complete) {
            best.emit(admitted, preferred, plan);
            if (mayContinue != null) {
                plan.note(distance(preferred, less, best.cost(), bound));
            }
        }
        return complete;
    }

    private static boolean isPendingInUse(Bin bin) {
        WorkerGroups.Group group = bin.group();
        return bin.cost() == 0 && group != null && group.pending();
    }

    private static String distance(PreferredSlots preferred, LessPreferredSpecs less, double cost, double bound) {
        String first = preferred.uses().isEmpty() ? "workers in use" : "preferred workers and workers in use";
        if (cost == 0) {
            return first + " take all slots";
        }
        if (Double.isNaN(bound)) {
            return "how far this is from the least cost is not known";
        }
        // Other specs may cost less.
        String among = less.isEmpty() ? "" : " with the specs that groups prefer";
        double percent = (cost / bound - 1) * 100;
        return percent < SAME
                ? "what " + first + " do not take cannot be placed at less cost" + among
                : String.format(
                        Locale.ROOT,
                        "what %s do not take is placed at most %.1f %% above the least cost%s",
                        first,
                        Math.ceil(percent * 10 - SAME) / 10,
                        among);
    }

    private boolean fill(PatternPlan plan, RequestedSlots requested, List<Bin> present, List<Bin> news) {
        present.forEach(plan::fill);
        plan.fillCheapest(news);
        return requested.left() == 0;
    }

    /** Workers that have slots are filled as they are; the program plans the others. */
    private Planned planned(RequestedSlots requested, List<Bin> present, List<Bin> news, BooleanSupplier whileTime) {
        PatternPlan plan = new PatternPlan(requested, workers.specs());
        present.stream().filter(bin -> bin.cost() == 0).forEach(plan::fill);
        List<Bin> bins =
                new ArrayList<>(present.stream().filter(bin -> bin.cost() > 0).toList());
        bins.addAll(news);
        double bound = Double.NaN;
        if (requested.left() > 0 && !bins.isEmpty()) {
            ColumnGeneration program = new ColumnGeneration(requested, bins, whileTime);
            for (ColumnGeneration.Used used : program.plan()) {
                plan.use(bins.get(used.column().bin()), used.column().pattern(), used.times());
            }
            bound = program.bound();
            fill(plan, requested, present, news);
        }
        return new Planned(plan, bound);
    }

    private static List<Bin> present(WorkerGroups groups) {
        List<Bin> bins = new ArrayList<>();
        for (WorkerGroups.Group group : groups.inOrder()) {
            double cost = group.hasSlots() ? 0 : group.pending() ? PENDING : 1;
            bins.add(new Bin(group.free(), group.excluded(), group.left(), cost, group, -1));
        }
        return bins;
    }

    private List<Bin> news(RequestedSlots requested, LessPreferredSpecs less) {
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
                BitSet excluded = (BitSet) less.kinds(spec).clone();
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
