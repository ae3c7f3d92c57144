package io.berth.core.dispatcher.state;

import java.util.List;
import java.util.regex.Pattern;

/**
 * Settings that may change while the Dispatcher runs.
 *
 * @param jobsKept how many ended jobs are kept, at least 0
 * @param learnRuntimes whether a job that states no expected run time receives that of earlier runs
 * @param taskRuntimes names of task runtimes that workers have beside those that are built in
 * @param tasksMax how many tasks a job may have at the maximum of its parallelism, at least 1: its JobMaster keeps state for
 *     each
 * @param detailsTimeoutMillis how long a query waits for JobMasters before it shows what is known, at least 1
 */
public record DispatcherSettings(
        int jobsKept, boolean learnRuntimes, List<String> taskRuntimes, int tasksMax, long detailsTimeoutMillis) {

    /** The default of {@link #tasksMax}. */
    public static final int TASKS_MAX = 100_000;

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    public DispatcherSettings {
        taskRuntimes = List.copyOf(taskRuntimes);
        for (String runtime : taskRuntimes) {
            if (!NAME.matcher(runtime).matches()) {
                throw new IllegalArgumentException("task.runtimes has '" + runtime + "': allowed are names of 1 to 64"
                        + " letters, digits, '.', '_' and '-', the first a letter or digit");
            }
        }
        if (jobsKept < 0) {
            throw new IllegalArgumentException("jobs.kept is " + jobsKept + ": at least 0 is allowed");
        }
        if (tasksMax < 1) {
            throw new IllegalArgumentException("tasks.max is " + tasksMax + ": at least 1 is allowed");
        }
        if (detailsTimeoutMillis < 1) {
            throw new IllegalArgumentException(
                    "the time to wait for details is " + detailsTimeoutMillis + " ms: at least 1 is allowed");
        }
    }

    /** Without further task runtimes, and with the default of tasks. */
    public DispatcherSettings(int jobsKept, boolean learnRuntimes, long detailsTimeoutMillis) {
        this(jobsKept, learnRuntimes, List.of(), TASKS_MAX, detailsTimeoutMillis);
    }
}
