package io.berth.simulator.replay.measure;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * What a replay with one matching strategy came to. Times are in seconds of the trace, shares from 0 to 1. Averages over time
 * are over the window from the first to the last arrival.
 *
 * @param tooLarge jobs that the empty cluster cannot hold; they are not submitted
 * @param waiting jobs that never began
 * @param restarts of jobs on nodes that went away
 * @param outages that began while there was something to do
 * @param jainUsers empty when fewer than two users are known, as {@code jainQueues}
 * @param workersMean workers that were there, used or not
 * @param last the state at the last arrival
 * @param slots that were given out
 * @param steps after each of which the promises were checked
 * @param cpuSeconds of this machine that the replay took
 * @param series over the whole replay, in bins
 */
public record ReplayResult(
        String policy,
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
        Map<String, Double> utilisation,
        Map<String, Double> freeWhileWaiting,
        Map<String, Double> stranded,
        double waitingShare,
        double workersUsedMean,
        int workersUsedMost,
        double workersMean,
        Last last,
        double windowSeconds,
        double lengthSeconds,
        long slots,
        long steps,
        double cpuSeconds,
        List<Series.Point> series) {

    /**
     * When the last job has arrived and whatever finds room has begun: of meaning where jobs stay.
     *
     * @param utilisation as on average
     * @param stranded as on average
     */
    public record Last(Map<String, Double> utilisation, Map<String, Double> stranded, int workersUsed) {

        public Last {
            utilisation = ordered(utilisation);
            stranded = ordered(stranded);
        }
    }

    public ReplayResult {
        utilisation = ordered(utilisation);
        freeWhileWaiting = ordered(freeWhileWaiting);
        stranded = ordered(stranded);
        series = List.copyOf(series);
    }

    private static Map<String, Double> ordered(Map<String, Double> map) {
        return Collections.unmodifiableMap(new LinkedHashMap<>(map));
    }
}
