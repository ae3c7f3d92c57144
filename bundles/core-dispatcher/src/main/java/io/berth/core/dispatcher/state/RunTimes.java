package io.berth.core.dispatcher.state;

import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.job.SchedulingAttributes;
import io.berth.core.dispatcher.store.JobKey;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How long the ended jobs that are kept ran, by name, to estimate how long the next job of a name will run. A job counts
 * if it finished, with the time of its last attempt: restarts begin at zero, so that is one whole run. Confined to the
 * main thread of the Dispatcher.
 */
final class RunTimes {

    /** How many runs an estimate uses at most. */
    private static final int MAX_RUNS = 5;

    /** @param submitter empty: the jobs of all submitters */
    private record Series(String name, String submitter) implements Comparable<Series> {

        @Override
        public int compareTo(Series other) {
            int byName = name.compareTo(other.name);
            return byName != 0 ? byName : submitter.compareTo(other.submitter);
        }
    }

    private final SortedMap<Series, NavigableMap<JobKey, Long>> millis = new TreeMap<>();

    void add(JobKey key, JobDetails ended) {
        // A run of 0 ms was not measured.
        if (ended.status() != JobStatus.FINISHED || ended.runMillis() <= 0) {
            return;
        }
        add(new Series(ended.name(), ""), key, ended.runMillis());
        if (!ended.submitter().isEmpty()) {
            add(new Series(ended.name(), ended.submitter()), key, ended.runMillis());
        }
    }

    private void add(Series series, JobKey key, long run) {
        millis.computeIfAbsent(series, first -> new TreeMap<>()).put(key, run);
    }

    void remove(JobKey key, JobDetails ended) {
        remove(new Series(ended.name(), ""), key);
        remove(new Series(ended.name(), ended.submitter()), key);
    }

    private void remove(Series series, JobKey key) {
        millis.computeIfPresent(series, (same, runs) -> {
            runs.remove(key);
            return runs.isEmpty() ? null : runs;
        });
    }

    /**
     * The attributes with the median of the last runs of jobs with that name; unchanged when the submitter stated a time
     * or there are no runs. If the submitter is known, only the submitter's own runs count.
     */
    SchedulingAttributes estimated(String name, SchedulingAttributes attributes) {
        NavigableMap<JobKey, Long> runs = millis.get(new Series(name, attributes.submitter()));
        if (attributes.expectedRuntimeMillis() > 0 || runs == null) {
            return attributes;
        }
        long[] last = runs.descendingMap().values().stream()
                .limit(MAX_RUNS)
                .mapToLong(Long::longValue)
                .sorted()
                .toArray();
        return attributes.withLearnedRuntime(median(last), last.length);
    }

    /** The middle one, or the mean of the two in the middle. */
    private static long median(long[] sorted) {
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : sorted[middle - 1] + (sorted[middle] - sorted[middle - 1]) / 2;
    }
}
