package io.berth.policy.support.packing;

import java.util.ArrayList;
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
    private static final double PENALTY = 100;

    /** @param bin number of the bin that uses it */
    record Column(int bin, int[] pattern) {}

    /** @param times how many workers use the pattern, rounded down */
    record Used(Column column, int times) {}

    private final RequestedSlots requested;
    private final List<Bin> bins;
    private final BooleanSupplier mayContinue;
    private long steps;

    ColumnGeneration(RequestedSlots requested, List<Bin> bins, BooleanSupplier mayContinue) {
        this.requested = requested;
        this.bins = bins;
        this.mayContinue = mayContinue;
    }

    /** Empty when the bins cannot hold everything, or the search ended before it found such a plan. */
    List<Used> plan() {
        int kinds = requested.kinds();
        double[] demand = new double[kinds];
        for (int kind = 0; kind < kinds; kind++) {
            demand[kind] = requested.leftOfKinds()[kind];
        }
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
        while (columns.size() < MAX_COLUMNS && mayContinue.getAsBoolean()) {
            program.settle(kinds + limit.length);
            boolean found = false;
            for (int nth = 0; nth < EFFORTS.length && !found && steps < MAX_STEPS; nth++) {
                found = enterBest(program, knapsack, columns, dearest, EFFORTS[nth]);
            }
            if (!found) {
                break;
            }
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

    private boolean enterBest(Simplex program, Knapsack knapsack, List<Column> columns, double dearest, int effort) {
        int kinds = requested.kinds();
        double[] duals = program.duals();
        double most = EPSILON * dearest;
        Column best = null;
        for (int number = 0; number < bins.size(); number++) {
            Bin bin = bins.get(number);
            int[] pattern = knapsack.search(bin, duals, effort);
            steps += knapsack.steps();
            double gain = duals[kinds + number] - bin.cost();
            for (int kind = 0; kind < kinds; kind++) {
                gain += Math.max(0, duals[kind]) * pattern[kind];
            }
            if (gain > most) {
                most = gain;
                best = new Column(number, pattern.clone());
            }
        }
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
