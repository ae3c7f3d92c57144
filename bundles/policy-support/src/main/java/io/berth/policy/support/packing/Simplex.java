package io.berth.policy.support.packing;

import java.util.Arrays;

/**
 * The revised simplex method for a linear program whose columns are generated: at least {@code demand[row]} of each of
 * the first rows, at most {@code limit[row]} of the others, at the least cost. It starts with artificial columns, which
 * cost so much that none is left when the demand can be fulfilled. It keeps the inverse of the basis as a dense matrix,
 * so a step costs the square of the number of rows.
 */
final class Simplex {

    private static final double EPSILON = 1e-9;
    /** Not a column of the caller: artificial, surplus or slack. */
    private static final int OWN = -1;

    private final int rows;
    private final int demands;
    private final double[][] inverse;
    private final double[] values;
    private final double[] costs;
    /** By row of the basis, the caller's number of the column; {@link #OWN} for the program's own. */
    private final int[] columns;

    private final boolean[] artificial;
    private final double[] duals;

    /** @param penalty cost of one missing unit of a demand */
    Simplex(double[] demand, double[] limit, double penalty) {
        demands = demand.length;
        rows = demand.length + limit.length;
        inverse = new double[rows][rows];
        values = new double[rows];
        costs = new double[rows];
        columns = new int[rows];
        artificial = new boolean[rows];
        duals = new double[rows];
        Arrays.fill(columns, OWN);
        for (int row = 0; row < rows; row++) {
            inverse[row][row] = 1;
            values[row] = row < demands ? demand[row] : limit[row - demands];
            costs[row] = row < demands ? penalty : 0;
            artificial[row] = row < demands;
        }
        price();
    }

    /** What one more unit of each row is worth: at least 0 for demands, at most 0 for limits, after {@link #settle}. */
    double[] duals() {
        return duals;
    }

    private void price() {
        Arrays.fill(duals, 0);
        for (int row = 0; row < rows; row++) {
            if (costs[row] != 0) {
                double[] line = inverse[row];
                double cost = costs[row];
                for (int column = 0; column < rows; column++) {
                    duals[column] += cost * line[column];
                }
            }
        }
    }

    /** Lets surplus and slack columns enter while that lowers the cost; at most so many steps. */
    void settle(int steps) {
        double[] column = new double[rows];
        for (int step = 0; step < steps; step++) {
            int worst = -1;
            double most = EPSILON;
            for (int row = 0; row < rows; row++) {
                double gain = row < demands ? -duals[row] : duals[row];
                if (gain > most) {
                    most = gain;
                    worst = row;
                }
            }
            if (worst < 0) {
                return;
            }
            Arrays.fill(column, 0);
            column[worst] = worst < demands ? -1 : 1;
            if (!enter(column, 0, OWN)) {
                return;
            }
        }
    }

    /**
     * Takes a column into the basis. The caller has found that it lowers the cost.
     *
     * @return false when it would take no value, because of rounding errors
     */
    boolean enter(double[] column, double cost, int number) {
        double[] direction = new double[rows];
        for (int at = 0; at < rows; at++) {
            double weight = column[at];
            if (weight != 0) {
                for (int row = 0; row < rows; row++) {
                    direction[row] += inverse[row][at] * weight;
                }
            }
        }
        int leaves = -1;
        double least = Double.POSITIVE_INFINITY;
        for (int row = 0; row < rows; row++) {
            if (direction[row] > EPSILON) {
                double ratio = values[row] / direction[row];
                if (ratio < least - EPSILON
                        || ratio < least + EPSILON && leaves >= 0 && direction[row] > direction[leaves]) {
                    least = Math.min(least, ratio);
                    leaves = row;
                }
            }
        }
        if (leaves < 0) {
            return false;
        }
        pivot(leaves, direction);
        costs[leaves] = cost;
        columns[leaves] = number;
        artificial[leaves] = false;
        price();
        return true;
    }

    private void pivot(int leaves, double[] direction) {
        double by = direction[leaves];
        double[] line = inverse[leaves];
        for (int at = 0; at < rows; at++) {
            line[at] /= by;
        }
        values[leaves] /= by;
        for (int row = 0; row < rows; row++) {
            double factor = direction[row];
            if (row != leaves && factor != 0) {
                double[] other = inverse[row];
                for (int at = 0; at < rows; at++) {
                    other[at] -= factor * line[at];
                }
                values[row] = Math.max(0, values[row] - factor * values[leaves]);
            }
        }
    }

    /** The number of rows of the basis. */
    int rows() {
        return rows;
    }

    /** The caller's column in a row of the basis; negative for another one. */
    int column(int row) {
        return columns[row];
    }

    /** The value of that column. */
    double value(int row) {
        return values[row];
    }

    /** Whether demand is left that no column fulfills. */
    boolean lacks() {
        for (int row = 0; row < rows; row++) {
            if (artificial[row] && values[row] > 1e-6) {
                return true;
            }
        }
        return false;
    }
}
