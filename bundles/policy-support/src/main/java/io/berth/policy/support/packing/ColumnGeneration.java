package io.berth.policy.support.packing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * How often each pattern should be used so that all slots have a place at the least cost (Gilmore and Gomory's cutting
 * stock): a linear program over the patterns found so far, whose prices tell which pattern to look for next. Fractions are
 * rounded down; what is left then is little.
 */
final class ColumnGeneration {

    /** Bounds the search, so that it can be replayed; time is only a second bound. */
    private static final int MAX_COLUMNS = 1_000;
    /** Of all exact searches for patterns together. */
    private static final long MAX_STEPS = 50_000_000;
    /** A search for a pattern takes few steps first, and more when it finds none that helps. */
    private static final int[] EFFORTS = {2_000, 50_000, 1_000_000};

    private static final double EPSILON = 1e-7;
    /** Larger than what rounding errors add up to, and as a share. */
    private static final double ROUNDING = 1e-4;

    private static final double RELATIVE = 1e-6;
    private static final double PENALTY = 100;

    /** @param bin number of the bin that uses it */
    record Column(int bin, int[] pattern) {}

    /** @param times how many workers use the pattern, rounded down */
    record Used(Column column, int times) {}

    private final RequestedSlots requested;
    private final List<Bin> bins;
    private final BooleanSupplier mayContinue;
    /** By bin, what no pattern is worth more than, with the prices of its last search. */
    private final double[] worth;

    private final double[] demand;
    private long steps;
    private double bound;

    ColumnGeneration(RequestedSlots requested, List<Bin> bins, BooleanSupplier mayContinue) {
        this.requested = requested;
        this.bins = bins;
        this.mayContinue = mayContinue;
        this.worth = new double[bins.size()];
        this.demand = new double[requested.kinds()];
        Arrays.setAll(demand, kind -> requested.leftOfKinds()[kind]);
    }

    /** No plan costs less than this, as {@link #plan} has found. */
    double bound() {
        return bound;
    }

    /** Empty when the bins cannot hold everything, or the search ended before it found such a plan. */
    List<Used> plan() {
        int kinds = requested.kinds();
        double[] limit = new double[bins.size()];
        double dearest = 0;
        for (int bin = 0; bin < limit.length; bin++) {
            limit[bin] = bins.get(bin).count();
            dearest = Math.max(dearest, bins.get(bin).cost());
        }
        Simplex program = new Simplex(demand, limit, dearest * PENALTY);
        Knapsack knapsack =
                new Knapsack(kinds, requested.dimensions().length, requested.needs(), requested.leftOfKinds());
        List<Column> columns = new ArrayList<>();
        boolean found = true;
        boolean priced = false;
        while (found && columns.size() < MAX_COLUMNS && mayContinue.getAsBoolean()) {
            program.settle(kinds + limit.length);
            found = false;
            priced = false;
            for (int nth = 0; nth < EFFORTS.length && !found && steps < MAX_STEPS; nth++) {
                found = enterBest(program, knapsack, columns, dearest, EFFORTS[nth]);
                priced = !found;
            }
        }
        if (!priced) {
            program.settle(kinds + limit.length);
            for (int number = 0; number < limit.length; number++) {
                knapsack.search(bins.get(number), program.duals(), EFFORTS[0]);
                worth[number] = knapsack.bound();
            }
            bound = Math.max(bound, bound(program.duals()));
        }
        if (program.lacks()) {
            return List.of();
        }
        List<Used> used = new ArrayList<>();
        for (int row = 0; row < program.rows(); row++) {
            int times = (int) Math.floor(program.value(row) + EPSILON);
            if (program.column(row) >= 0 && times > 0) {
                used.add(new Used(columns.get(program.column(row)), times));
            }
        }
        return used;
    }

    /**
     * What all slots cost at least, by the prices of the program. As a pattern may be worth more than a worker costs,
     * the prices are lowered until none is, for all bins or for those with many workers; for the others it is
     * subtracted.
     */
    private double bound(double[] duals) {
        double most = bound(duals, 1);
        for (int bin = 0; bin < worth.length; bin++) {
            if (worth[bin] > bins.get(bin).cost()) {
                most = Math.max(most, bound(duals, bins.get(bin).cost() / worth[bin]));
            }
        }
        double cost = bins.get(0).cost();
        // When all workers cost the same, a part of one costs as much as a whole one.
        return bins.stream().allMatch(bin -> bin.cost() == cost)
                ? Math.max(1, Math.ceil(most / cost * (1 - RELATIVE) - ROUNDING)) * cost
                : most;
    }

    private double bound(double[] duals, double share) {
        double all = 0;
        for (int kind = 0; kind < demand.length; kind++) {
            all += share * Math.max(0, duals[kind]) * demand[kind];
        }
        for (int bin = 0; bin < worth.length; bin++) {
            all += bins.get(bin).count() * Math.min(0, bins.get(bin).cost() - share * worth[bin]);
        }
        return all;
    }

    private boolean enterBest(Simplex program, Knapsack knapsack, List<Column> columns, double dearest, int effort) {
        int kinds = requested.kinds();
        double[] duals = program.duals();
        double most = EPSILON * dearest;
        Column best = null;
        for (int number = 0; number < bins.size(); number++) {
            Bin bin = bins.get(number);
            int[] pattern = knapsack.search(bin, duals, effort);
            steps += knapsack.steps();
            worth[number] = knapsack.bound();
            double gain = duals[kinds + number] - bin.cost();
            for (int kind = 0; kind < kinds; kind++) {
                gain += Math.max(0, duals[kind]) * pattern[kind];
            }
            if (gain > most) {
                most = gain;
                best = new Column(number, pattern.clone());
            }
        }
        bound = Math.max(bound, bound(duals));
        if (best == null) {
            return false;
        }
        double[] column = new double[program.rows()];
        for (int kind = 0; kind < kinds; kind++) {
            column[kind] = best.pattern[kind];
        }
        column[kinds + best.bin] = 1;
        columns.add(best);
        return program.enter(column, bins.get(best.bin).cost(), columns.size() - 1);
    }
}
