package io.berth.core.scheduler;

import io.berth.core.scheduler.execution.ExecutionGraph;
import io.berth.core.scheduler.execution.ExecutionTask;
import io.berth.core.scheduler.job.JobHistory;
import io.berth.core.scheduler.job.JobIdentity;
import io.berth.core.scheduler.job.Restart;
import io.berth.core.scheduler.states.RestartBackoff;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * The failures of a job and of its regions: what is kept of them, and what restarts they still allow. Confined to the
 * main thread of the job.
 */
final class FailureCounts {

    private final JobIdentity job;
    private final Restart configuration;
    private final JobHistory history;
    private final RestartBackoff ofJob;
    /** Of the regions that have failed at the present parallelism. */
    private final Map<Integer, RestartBackoff> ofRegions = new TreeMap<>();

    FailureCounts(JobIdentity job, Restart configuration, JobHistory history) {
        this.job = job;
        this.configuration = configuration;
        this.history = history;
        this.ofJob = newBackoff(-1);
    }

    /** The seeds of jobs that fail together differ by their ids. */
    private RestartBackoff newBackoff(int region) {
        long seed = 31L * job.id().value().hashCode() + job.jobMaster().token().epoch();
        return new RestartBackoff(configuration, 31 * seed + region);
    }

    RestartBackoff ofJob() {
        return ofJob;
    }

    RestartBackoff ofRegion(int region) {
        return ofRegions.computeIfAbsent(region, this::newBackoff);
    }

    /** The next execution has another parallelism, and so other regions. */
    void regionsChanged() {
        ofRegions.clear();
    }

    /**
     * Keeps the failure of a task, once.
     *
     * @param alone whether its region can restart while other tasks go on
     */
    void note(ExecutionGraph execution, ExecutionTask task, boolean alone) {
        OptionalInt region =
                alone && execution.regions() > 1 ? OptionalInt.of(execution.regionOf(task)) : OptionalInt.empty();
        task.takeFailure()
                .ifPresent(failure -> history.failed(
                        task.attempt().execution(),
                        region,
                        task.name(),
                        task.worker().value(),
                        failure.text(),
                        failure.stack(),
                        failure.consequence()));
    }
}
