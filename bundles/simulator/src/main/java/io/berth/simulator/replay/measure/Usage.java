package io.berth.simulator.replay.measure;

import io.berth.simulator.replay.cluster.Dimensions;
import io.berth.simulator.replay.cluster.ReplayedWorker;
import io.berth.simulator.replay.cluster.ReplayedWorker.Held;
import io.berth.simulator.traces.TraceJob;
import io.berth.simulator.traces.TraceJob.Demand;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What is used, free and stranded on all workers, now and on average over a time window.
 *
 * <p>An extended resource is stranded when it is free on a worker whose free cpu or memory is less than what any slot
 * of the trace with that resource takes.
 */
public final class Usage {

    private final Dimensions dimensions;
    private final long fromMillis;
    private final long toMillis;
    private final long[] leastCpu;
    private final long[] leastMemory;

    private final double[] capacity;
    private final double[] used;
    private final double[] stranded;
    private final double[][] usedOf;
    private final double[][] strandedOf;
    private final boolean[] isUsed;
    private int workersThere;
    private int workersUsed;
    private int mostWorkersUsed;

    private final Series series = new Series();
    private final double[] capacitySum;
    private final double[] usedSum;
    private final double[] strandedSum;
    private final double[] capacityWhileWaiting;
    private final double[] freeWhileWaiting;
    private double workersThereSum;
    private double workersUsedSum;
    private double waitingMillis;

    /**
     * @param fromMillis start of the window for averages
     * @param toMillis after {@code fromMillis}
     */
    public Usage(Dimensions dimensions, int workers, List<TraceJob> jobs, long fromMillis, long toMillis) {
        this.dimensions = dimensions;
        this.fromMillis = fromMillis;
        this.toMillis = toMillis;
        int size = dimensions.size();
        capacity = new double[size];
        used = new double[size];
        stranded = new double[size];
        usedOf = new double[workers][size];
        strandedOf = new double[workers][size];
        isUsed = new boolean[workers];
        capacitySum = new double[size];
        usedSum = new double[size];
        strandedSum = new double[size];
        capacityWhileWaiting = new double[size];
        freeWhileWaiting = new double[size];
        leastCpu = new long[size];
        leastMemory = new long[size];
        Arrays.fill(leastCpu, Long.MAX_VALUE);
        Arrays.fill(leastMemory, Long.MAX_VALUE);
        for (TraceJob job : jobs) {
            for (Demand demand : job.demands()) {
                long[] amounts = dimensions.amounts(demand.profile());
                for (int extended : dimensions.reportedExtended()) {
                    if (amounts[extended] > 0) {
                        leastCpu[extended] = Math.min(leastCpu[extended], amounts[Dimensions.CPU]);
                        leastMemory[extended] = Math.min(leastMemory[extended], amounts[Dimensions.MEMORY]);
                    }
                }
            }
        }
    }

    /** A worker joined, left, or has other slots. */
    public void changed(ReplayedWorker worker, boolean cameOrWent) {
        if (cameOrWent) {
            workersThere += worker.isUp() ? 1 : -1;
            for (int dimension = 0; dimension < capacity.length; dimension++) {
                capacity[dimension] += (worker.isUp() ? 1 : -1) * (double) worker.total[dimension];
            }
        }
        double[] usedNow = usedOf[worker.index];
        double[] strandedNow = strandedOf[worker.index];
        add(used, usedNow, -1);
        add(stranded, strandedNow, -1);
        Arrays.fill(usedNow, 0);
        for (Held slot : worker.slots()) {
            long[] amounts = dimensions.amounts(slot.profile());
            for (int dimension = 0; dimension < amounts.length; dimension++) {
                usedNow[dimension] += amounts[dimension];
            }
        }
        for (int extended : dimensions.reportedExtended()) {
            boolean lost = worker.isUp()
                    && (free(worker, Dimensions.CPU) < leastCpu[extended]
                            || free(worker, Dimensions.MEMORY) < leastMemory[extended]);
            strandedNow[extended] = lost ? free(worker, extended) : 0;
        }
        add(used, usedNow, 1);
        add(stranded, strandedNow, 1);
        boolean isUsedNow = worker.slotCount() > 0;
        workersUsed += (isUsedNow ? 1 : 0) - (isUsed[worker.index] ? 1 : 0);
        isUsed[worker.index] = isUsedNow;
    }

    private double free(ReplayedWorker worker, int dimension) {
        return worker.total[dimension] - usedOf[worker.index][dimension];
    }

    private static void add(double[] to, double[] what, int sign) {
        for (int dimension = 0; dimension < to.length; dimension++) {
            to[dimension] += sign * what[dimension];
        }
    }

    /** The state stays the same for some time. */
    public void pass(long from, long to, int waiting) {
        if (to <= from) {
            return;
        }
        double utilization = capacity[Dimensions.CPU] == 0 ? 0 : used[Dimensions.CPU] / capacity[Dimensions.CPU];
        series.add(new Series.Point(from, to, utilization, waiting, workersUsed));
        double millis = Math.min(to, toMillis) - Math.max(from, fromMillis);
        if (millis <= 0) {
            return;
        }
        mostWorkersUsed = Math.max(mostWorkersUsed, workersUsed);
        workersThereSum += workersThere * millis;
        workersUsedSum += workersUsed * millis;
        for (int dimension = 0; dimension < capacity.length; dimension++) {
            capacitySum[dimension] += capacity[dimension] * millis;
            usedSum[dimension] += used[dimension] * millis;
            strandedSum[dimension] += stranded[dimension] * millis;
            if (waiting > 0) {
                capacityWhileWaiting[dimension] += capacity[dimension] * millis;
                freeWhileWaiting[dimension] += (capacity[dimension] - used[dimension]) * millis;
            }
        }
        waitingMillis += waiting > 0 ? millis : 0;
    }

    /** Used share of the existing workers, by resource. */
    public Map<String, Double> utilization() {
        return shares(dimensions.reported(), usedSum, capacitySum);
    }

    /** Free share of the workers during the time in which a job waits, by resource. */
    public Map<String, Double> freeWhileWaiting() {
        return shares(dimensions.reported(), freeWhileWaiting, capacityWhileWaiting);
    }

    /** Stranded share of the workers, by extended resource. */
    public Map<String, Double> stranded() {
        return shares(dimensions.reportedExtended(), strandedSum, capacitySum);
    }

    private Map<String, Double> shares(List<Integer> of, double[] part, double[] whole) {
        Map<String, Double> shares = new LinkedHashMap<>();
        for (int dimension : of) {
            if (whole[dimension] > 0) {
                shares.put(dimensions.name(dimension), part[dimension] / whole[dimension]);
            }
        }
        return shares;
    }

    /** Used share of the workers that exist now, by resource. */
    public Map<String, Double> utilizationNow() {
        return shares(dimensions.reported(), used, capacity);
    }

    /** Stranded share of the workers now, by extended resource. */
    public Map<String, Double> strandedNow() {
        return shares(dimensions.reportedExtended(), stranded, capacity);
    }

    public int workersUsedNow() {
        return workersUsed;
    }

    /** Share of the window in which a job waits. */
    public double waitingShare() {
        return waitingMillis / (toMillis - fromMillis);
    }

    public double meanWorkersUsed() {
        return workersUsedSum / (toMillis - fromMillis);
    }

    /** Average number of existing workers, used or not. */
    public double meanWorkers() {
        return workersThereSum / (toMillis - fromMillis);
    }

    public int mostWorkersUsed() {
        return mostWorkersUsed;
    }

    public Series series() {
        return series;
    }
}
