package io.berth.scaling.targetrate;

import io.berth.policy.support.scaling.ForwardVertices;
import io.berth.spi.scaling.EdgeKind;
import io.berth.spi.scaling.JobView;
import io.berth.spi.scaling.TaskMetric;
import java.util.Arrays;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * What the figures of the present execution say about the work of each vertex (DS2). The true processing rate of a task
 * is its rate divided by its busy share. The target rate of a source is the rate at which records arrive, and what works
 * off its backlog in time; the target rates of the other vertices follow along the edges, in topological
 * order.
 *
 * <p>A target rate is kept as <em>growth</em>, its ratio to the measured rate. No vertex gets a growth that one of those
 * after it cannot follow with all the tasks that it may have, since more tasks would only wait for it.
 *
 * <p>Records of a broadcast edge go to all tasks, so their work does not become less with more tasks. It is kept apart.
 *
 * <p>It keeps nothing but the graph: {@link #compute} writes all figures again.
 */
final class RateModel {

    /** Of a source that hardly emits, so that its figures say little. */
    private static final double MAX_GROWTH = 100;
    /** A source that lags less reads records about when they arrive. */
    private static final long MIN_LAG_MILLIS = 10_000;
    /** A source that is busier may have more to read than it can, if nobody knows what it has left. */
    private static final double SATURATED = 0.98;

    private final JobView job;
    private final ForwardVertices forward;
    private final double catchUpMillis;
    /** Edges to each vertex. */
    private final int[][] inputs;

    private final boolean[] known;
    private final double[] busy;
    /** Growth that the vertex, and those after it, can follow. */
    private final double[] limit;
    /** Share of the input of a vertex that each of its tasks receives. */
    private final double[] copied;

    private final double[] growth;
    /** Busy share of each task for what is copied, at the target rate. */
    private final double[] fixed;
    /** How many tasks would be busy all the time with the rest, at the target rate. */
    private final double[] divided;

    RateModel(JobView job, ForwardVertices forward, long catchUpMillis) {
        this.job = job;
        this.forward = forward;
        this.catchUpMillis = catchUpMillis;
        int vertices = job.vertices();
        int[] counts = new int[vertices];
        for (int edge = 0; edge < job.edges(); edge++) {
            counts[job.consumer(edge)]++;
        }
        inputs = new int[vertices][];
        Arrays.setAll(inputs, vertex -> new int[counts[vertex]]);
        for (int edge = job.edges() - 1; edge >= 0; edge--) {
            int consumer = job.consumer(edge);
            counts[consumer]--;
            inputs[consumer][counts[consumer]] = edge;
        }
        known = new boolean[vertices];
        busy = new double[vertices];
        limit = new double[vertices];
        copied = new double[vertices];
        growth = new double[vertices];
        fixed = new double[vertices];
        divided = new double[vertices];
    }

    /** @param stuck vertices that get no more tasks than they have */
    void compute(boolean[] stuck) {
        for (int vertex = 0; vertex < inputs.length; vertex++) {
            measure(vertex);
            limit[vertex] = limit(vertex, stuck[vertex]);
        }
        for (int vertex = inputs.length - 1; vertex >= 0; vertex--) {
            for (int edge : inputs[vertex]) {
                int producer = job.producer(edge);
                limit[producer] = Math.min(limit[producer], limit[vertex]);
            }
        }
        for (int vertex = 0; vertex < inputs.length; vertex++) {
            double whole = inputs[vertex].length == 0 ? sourceGrowth(vertex) : inputGrowth(vertex, false);
            double copies = copied[vertex] > 0 ? inputGrowth(vertex, true) : whole;
            growth[vertex] = copied[vertex] * copies + (1 - copied[vertex]) * whole;
            fixed[vertex] = busy[vertex] * copied[vertex] * copies;
            divided[vertex] = busy[vertex] * (1 - copied[vertex]) * whole * job.current(vertex);
        }
    }

    private void measure(int vertex) {
        OptionalDouble share = job.mean(vertex, TaskMetric.BUSY);
        known[vertex] = share.isPresent() && job.current(vertex) > 0;
        busy[vertex] = known[vertex] ? Math.max(0, Math.min(1, share.getAsDouble())) : 0;
        double copies = 0;
        double others = 0;
        boolean any = false;
        boolean all = true;
        for (int edge : inputs[vertex]) {
            boolean broadcast = job.kind(edge) == EdgeKind.BROADCAST;
            any |= broadcast;
            all &= broadcast;
            double rate = weight(edge);
            copies += broadcast ? rate * job.current(vertex) : 0;
            others += broadcast ? 0 : rate;
        }
        double mixed = copies + others > 0 ? copies / (copies + others) : 0;
        copied[vertex] = !any ? 0 : all ? 1 : mixed;
    }

    /** Records that the producer of the edge emits per second, as far as they are known. */
    private double weight(int edge) {
        return Math.max(0, job.recordsOutPerSecond(job.producer(edge)).orElse(0));
    }

    /** By how much the input of the vertex may grow until its tasks are busy all the time. */
    private double limit(int vertex, boolean stuck) {
        int most = stuck ? job.current(vertex) : forward.maximum(vertex);
        double atMost = busy[vertex] * (copied[vertex] + (1 - copied[vertex]) * job.current(vertex) / most);
        return atMost > 0 ? Math.max(1, 1 / atMost) : Double.MAX_VALUE;
    }

    /**
     * Without back pressure a source might emit more, but perhaps there is not more to read. What a source has not read
     * arrived while it lagged, so its backlog and its lag together say at which rate records arrive.
     */
    private double sourceGrowth(int source) {
        double held = job.mean(source, TaskMetric.BACK_PRESSURED).orElse(0);
        double arriving = 1 / Math.max(1 / MAX_GROWTH, 1 - held);
        double backlog = 0;
        double rate = job.recordsOutPerSecond(source).orElse(0);
        OptionalLong records = job.backlogRecords(source);
        OptionalLong lag = job.lagMillis(source);
        if (records.isPresent() && rate > 0) {
            double seconds = records.getAsLong() / rate;
            backlog = seconds * 1_000 / catchUpMillis;
            if (lag.isPresent()) {
                boolean behind = seconds > 0 && lag.getAsLong() >= MIN_LAG_MILLIS;
                arriving = behind ? seconds * 1_000 / lag.getAsLong() : 1;
            }
        } else if (records.isEmpty()) {
            backlog = lag.orElse(0) / catchUpMillis;
            if (lag.isEmpty() && busy[source] >= SATURATED) {
                arriving = Math.max(arriving, 1 / busy[source]);
            }
        }
        return Math.min(Math.min(arriving + backlog, MAX_GROWTH), limit[source]);
    }

    /** Of what comes over broadcast edges, or of the rest: the mean growth of the producers by their rates. */
    private double inputGrowth(int vertex, boolean broadcast) {
        double sum = 0;
        double weights = 0;
        double greatest = 0;
        for (int edge : inputs[vertex]) {
            if ((job.kind(edge) == EdgeKind.BROADCAST) == broadcast) {
                double of = growth[job.producer(edge)];
                sum += weight(edge) * of;
                weights += weight(edge);
                greatest = Math.max(greatest, of);
            }
        }
        return weights > 0 ? sum / weights : greatest;
    }

    /** Whether it is known how busy the vertex is. */
    boolean known(int vertex) {
        return known[vertex];
    }

    /** Share of time in which the tasks of the vertex are busy. */
    double busy(int vertex) {
        return busy[vertex];
    }

    /** Records that the vertex receives per second, or emits if it is a source; negative when it is not known. */
    double rate(int vertex) {
        return (inputs[vertex].length == 0 ? job.recordsOutPerSecond(vertex) : job.recordsInPerSecond(vertex))
                .orElse(-1);
    }

    /** The target rate of the vertex, in relation to {@link #rate}. */
    double growth(int vertex) {
        return growth[vertex];
    }

    /** How busy the vertex would be at its target rate with so many tasks; above 1 when they are too few. */
    double utilization(int vertex, int tasks) {
        return fixed[vertex] + divided[vertex] / tasks;
    }

    /** So many tasks, not rounded, are as busy as this at the target rate; infinite when no number is enough. */
    double needed(int vertex, double utilization) {
        return needed(fixed[vertex], divided[vertex], utilization);
    }

    /**
     * So many tasks, not rounded, are as busy as this with so much work, in tasks; infinite when no number is enough. As much
     * of the work is for copies as is now.
     */
    double needed(int vertex, double work, double utilization) {
        double share = work / job.current(vertex);
        return needed(share * copied[vertex], work * (1 - copied[vertex]), utilization);
    }

    private static double needed(double fixed, double divided, double utilization) {
        double left = utilization - fixed;
        return left <= 0 ? Double.POSITIVE_INFINITY : divided / left;
    }
}
