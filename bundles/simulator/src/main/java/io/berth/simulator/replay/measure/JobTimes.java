package io.berth.simulator.replay.measure;

import io.berth.simulator.traces.TraceJob;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/** When jobs arrived, started and ended, and the figures that follow from it. */
public final class JobTimes {

    /** The minimum run time that the slowdown counts, in seconds. */
    static final double THRESHOLD = 10;

    private static final double MILLIS = 1_000.0;
    private static final long NOT_YET = -1;

    private final List<TraceJob> jobs;
    private final long[] begun;
    private final long[] ended;
    private final int[] restarts;
    private double lostCoreSeconds;

    public JobTimes(List<TraceJob> jobs) {
        this.jobs = jobs;
        begun = new long[jobs.size()];
        ended = new long[jobs.size()];
        restarts = new int[jobs.size()];
        for (int job = 0; job < begun.length; job++) {
            begun[job] = NOT_YET;
            ended[job] = NOT_YET;
        }
    }

    /** The job has all its slots; only the first time counts. */
    public void begins(int job, long nowMillis) {
        if (begun[job] == NOT_YET) {
            begun[job] = nowMillis;
        }
    }

    public void ends(int job, long nowMillis) {
        ended[job] = nowMillis;
    }

    /** The job has to run again. */
    public void restarts(int job, long ranMillis) {
        restarts[job]++;
        lostCoreSeconds += jobs.get(job).cpuMillis() / MILLIS * ranMillis / MILLIS;
    }

    public int begun() {
        return count(begun);
    }

    public int ended() {
        return count(ended);
    }

    private static int count(long[] times) {
        int count = 0;
        for (long time : times) {
            count += time == NOT_YET ? 0 : 1;
        }
        return count;
    }

    public int restarts() {
        int sum = 0;
        for (int count : restarts) {
            sum += count;
        }
        return sum;
    }

    public int restartedJobs() {
        int count = 0;
        for (int times : restarts) {
            count += times > 0 ? 1 : 0;
        }
        return count;
    }

    /** Core seconds that jobs had run before they had to start again. */
    public double lostCoreSeconds() {
        return lostCoreSeconds;
    }

    /** From arrival to the first start, in seconds, of all jobs that have started. */
    public double[] waits() {
        List<Double> waits = new ArrayList<>();
        for (int job = 0; job < begun.length; job++) {
            if (begun[job] != NOT_YET) {
                waits.add((begun[job] - jobs.get(job).arrivalMillis()) / MILLIS);
            }
        }
        return waits.stream().mapToDouble(Double::doubleValue).toArray();
    }

    /**
     * Bounded slowdown of all jobs that have ended: time in the system divided by run time, which counts as at least
     * {@link #THRESHOLD}; at least 1.
     */
    public double[] slowdowns() {
        List<Double> slowdowns = new ArrayList<>();
        for (int job = 0; job < ended.length; job++) {
            if (ended[job] != NOT_YET) {
                double run = jobs.get(job).runMillis().orElseThrow() / MILLIS;
                slowdowns.add(Math.max(1, seconds(job) / Math.max(run, THRESHOLD)));
            }
        }
        return slowdowns.stream().mapToDouble(Double::doubleValue).toArray();
    }

    private double seconds(int job) {
        return (ended[job] - jobs.get(job).arrivalMillis()) / MILLIS;
    }

    /**
     * Jain's index over users. It compares the share of the time in the system during which their jobs ran, weighted
     * by cpu.
     */
    public OptionalDouble fairnessOfUsers() {
        return fairness(TraceJob::user);
    }

    /** The same over queues. */
    public OptionalDouble fairnessOfQueues() {
        return fairness(TraceJob::queue);
    }

    /** Empty when fewer than two are known. */
    private OptionalDouble fairness(Function<TraceJob, String> owner) {
        SortedMap<String, Double> work = new TreeMap<>();
        SortedMap<String, Double> time = new TreeMap<>();
        for (int job = 0; job < ended.length; job++) {
            String name = owner.apply(jobs.get(job));
            if (ended[job] != NOT_YET && !name.isEmpty()) {
                double cpu = jobs.get(job).cpuMillis();
                work.merge(name, cpu * jobs.get(job).runMillis().orElseThrow() / MILLIS, Double::sum);
                time.merge(name, cpu * seconds(job), Double::sum);
            }
        }
        List<Double> shares = new ArrayList<>();
        time.forEach((name, sum) -> {
            if (sum > 0) {
                shares.add(Objects.requireNonNull(work.get(name)) / sum);
            }
        });
        return shares.size() < 2 ? OptionalDouble.empty() : Statistics.jain(shares);
    }
}
