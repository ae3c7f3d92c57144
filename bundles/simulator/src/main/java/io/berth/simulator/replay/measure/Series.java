package io.berth.simulator.replay.measure;

import java.util.ArrayList;
import java.util.List;

/** Utilization, queue and workers used over time, each constant from one point to the next. */
public final class Series {

    /**
     * The state of an interval, or the average of a bin.
     *
     * @param fromMillis of the trace
     * @param utilization of cpu, 0 to 1
     * @param waiting jobs
     * @param workersUsed workers with a slot
     */
    public record Point(long fromMillis, long toMillis, double utilization, double waiting, double workersUsed) {}

    private final List<Point> points = new ArrayList<>();

    /** @param point must start where the previous one ends */
    void add(Point point) {
        points.add(point);
    }

    /** The same values in {@code bins} bins of equal length; empty when no time has passed. */
    public List<Point> binned(int bins) {
        if (points.isEmpty()) {
            return List.of();
        }
        long begin = points.get(0).fromMillis();
        long end = points.get(points.size() - 1).toMillis();
        List<Point> binned = new ArrayList<>(bins);
        int at = 0;
        for (int bin = 0; bin < bins; bin++) {
            long from = edge(begin, end, bin, bins);
            long to = edge(begin, end, bin + 1, bins);
            if (to == from) {
                continue;
            }
            double utilization = 0;
            double waiting = 0;
            double workers = 0;
            while (at < points.size() && points.get(at).toMillis() <= from) {
                at++;
            }
            for (int index = at; index < points.size() && points.get(index).fromMillis() < to; index++) {
                Point point = points.get(index);
                double share =
                        (double) (Math.min(to, point.toMillis()) - Math.max(from, point.fromMillis())) / (to - from);
                utilization += share * point.utilization();
                waiting += share * point.waiting();
                workers += share * point.workersUsed();
            }
            binned.add(new Point(from, to, utilization, waiting, workers));
        }
        return binned;
    }

    private static long edge(long begin, long end, int bin, int bins) {
        return begin + Math.round((double) (end - begin) * bin / bins);
    }
}
