package io.berth.core.dispatcher.state;

/**
 * Settings that may change while the Dispatcher runs.
 *
 * @param jobsKept how many ended jobs are kept, at least 0
 * @param learnRuntimes whether a job that states no expected run time receives that of earlier runs
 * @param detailsTimeoutMillis how long a query waits for JobMasters before it shows what is known, at least 1
 */
public record DispatcherSettings(int jobsKept, boolean learnRuntimes, long detailsTimeoutMillis) {

    public DispatcherSettings {
        if (jobsKept < 0) {
            throw new IllegalArgumentException("jobs.kept is " + jobsKept + ": at least 0 is allowed");
        }
        if (detailsTimeoutMillis < 1) {
            throw new IllegalArgumentException(
                    "the time to wait for details is " + detailsTimeoutMillis + " ms: at least 1 is allowed");
        }
    }
}
