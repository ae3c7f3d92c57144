package io.berth.simulator.replay.measure;

import io.berth.simulator.replay.cluster.Rejections;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * The result of a replay with one matching strategy and one distribution policy. Times are in seconds of the trace, shares from 0 to 1. Averages
 * over time are over the window from the first to the last arrival.
 *
 * @param policy what tells it apart from the others that are compared
 * @param tooLarge jobs that the empty cluster cannot hold; they are not submitted
 * @param waiting jobs that never started
 * @param restarts of jobs on nodes that left
 * @param outages that started while there was something to do
 * @param jainUsers empty when fewer than two users are known, as {@code jainQueues}
 * @param workersMean workers that existed, used or not
 * @param moves of slots that jobs returned while they ran
 * @param last the state at the last arrival
 * @param rejections what the policies returned in vain
 * @param slots that were given out
 * @param steps after which the invariants were checked
 * @param cpuSeconds of this machine that the replay took
 * @param series over the whole replay, in bins
 */
public record ReplayResult(
        String policy,
        String matching,
        String distribution,
        int jobs,
        int tooLarge,
        int begun,
        int ended,
        int waiting,
        int restarts,
        int restartedJobs,
        double lostCoreSeconds,
        int outages,
        OptionalDouble waitMean,
        OptionalDouble waitP95,
        OptionalDouble waitLongest,
        OptionalDouble slowdownMean,
        OptionalDouble slowdownP95,
        OptionalDouble jainUsers,
        OptionalDouble jainQueues,
        Map<String, Double> utilization,
        Map<String, Double> freeWhileWaiting,
        Map<String, Double> stranded,
        double waitingShare,
        double workersUsedMean,
        int workersUsedMost,
        double workersMean,
        Moves.Figures moves,
        Last last,
        double windowSeconds,
        double lengthSeconds,
        Rejections rejections,
        long slots,
        long steps,
        double cpuSeconds,
        List<Series.Point> series) {

    /**
     * The state when the last job has arrived and every job that finds room has started. It is useful when jobs stay.
     *
     * @param utilization like the average
     * @param stranded like the average
     */
    public record Last(Map<String, Double> utilization, Map<String, Double> stranded, int workersUsed) {

        public Last {
            utilization = ordered(utilization);
            stranded = ordered(stranded);
        }
    }

    public ReplayResult {
        utilization = ordered(utilization);
        freeWhileWaiting = ordered(freeWhileWaiting);
        stranded = ordered(stranded);
        series = List.copyOf(series);
    }

    private static Map<String, Double> ordered(Map<String, Double> map) {
        return Collections.unmodifiableMap(new LinkedHashMap<>(map));
    }
}
