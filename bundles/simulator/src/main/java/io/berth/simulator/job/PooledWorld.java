package io.berth.simulator.job;

import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.SchedulingAttributes;
import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.policy.PoolDefinition;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * The pools of a world. In four of thirty seeds there is a second one beside the default pool: for workers with a
 * label, with another matching strategy and the other matching rule. Its file changes, is removed and comes back. In
 * the other seeds, there is the default pool only.
 */
public final class PooledWorld {

    public static final String SIDE = "side";
    public static final String PID = "io.berth.pool~" + SIDE;
    private static final int EACH = 30;
    /** None of them is the rest of a seed that is kept because of what it found. */
    private static final List<Integer> RESTS = List.of(4, 15, 20, 23);

    private final boolean pooled;
    private final boolean started;
    private String strategy;
    private boolean removed;

    private PooledWorld(boolean pooled, boolean started, String strategy) {
        this.pooled = pooled;
        this.started = started;
        this.strategy = strategy;
    }

    /** What a seed has. */
    public static PooledWorld of(long seed) {
        return new PooledWorld(
                RESTS.contains((int) Math.floorMod(seed, (long) EACH)),
                Math.floorMod(seed / EACH, 2L) == 1,
                firstFitIsCommon(seed) ? "spread" : "first-fit");
    }

    /** Which of two strategies decides where no file of a pool names one. */
    public static boolean firstFitIsCommon(long seed) {
        return seed % 2 == 0;
    }

    /** Whether there are two pools, at least at times. */
    public boolean arePooled() {
        return pooled;
    }

    /** The configuration of a PID; empty when there is none. */
    public SortedMap<String, String> configuration(String pid) {
        return pooled && pid.equals(PID)
                ? new TreeMap<>(Map.of("workers.labels", SIDE, "matching", strategy, "rule", "loose"))
                : new TreeMap<>();
    }

    /** Whether the file of the second pool is there. */
    public boolean isThere() {
        return pooled && !removed;
    }

    /** An operator writes another strategy into the file of the second pool. */
    public void useOtherStrategy() {
        strategy = strategy.equals("spread") ? "first-fit" : "spread";
    }

    /** An operator removes the file, or brings it back. */
    public void remove(boolean gone) {
        removed = gone;
    }

    /** Labels of each second standalone worker, with those that it has anyway. */
    WorkerLabels standalone(int number, WorkerLabels others) {
        return number % 2 == 0 ? others : with(others);
    }

    /** Labels of a worker that a backend starts, with those that it has anyway. */
    WorkerLabels started(WorkerLabels others) {
        return started ? with(others) : others;
    }

    private WorkerLabels with(WorkerLabels others) {
        if (!pooled) {
            return others;
        }
        SortedMap<String, String> labels = new TreeMap<>(others.labels());
        labels.put(SIDE, "yes");
        return new WorkerLabels(labels, others.taints());
    }

    /** The pool of a worker with these labels. */
    public String poolOf(WorkerLabels labels) {
        return isThere() && labels.labels().containsKey(SIDE) ? SIDE : PoolDefinition.DEFAULT_NAME;
    }

    /** The job in one of the pools. */
    JobGraph pooled(JobGraph job, RandomGenerator random) {
        if (!pooled || random.nextBoolean()) {
            return job;
        }
        SchedulingAttributes usual = job.attributes();
        return new JobGraph(
                job.id(),
                job.name(),
                job.submissionIndex(),
                new SchedulingAttributes(
                        SIDE,
                        usual.queue(),
                        usual.submitter(),
                        usual.priority(),
                        usual.expectedRuntimeMillis(),
                        usual.runtimeLearnedFrom(),
                        usual.labels()),
                job.policies(),
                job.bundles(),
                job.vertices(),
                job.edges(),
                job.groups());
    }
}
