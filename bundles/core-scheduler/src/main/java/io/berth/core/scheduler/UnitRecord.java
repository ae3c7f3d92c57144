package io.berth.core.scheduler;

import io.berth.core.api.time.Clock;
import io.berth.core.scheduler.job.JobHistory;
import io.berth.core.scheduler.job.JobIdentity;
import io.berth.core.scheduler.job.Restart;
import io.berth.core.scheduler.measurement.RescaleLog;

/** What is kept of a unit over all its runs. Confined to the main thread of the job. */
final class UnitRecord {

    private final JobHistory history;
    private final FailureCounts failures;
    private final RescaleLog rescales;
    private long executions;
    private boolean committed;

    UnitRecord(JobIdentity unit, Restart restart, Clock clock, long submittedMillis) {
        this.history = new JobHistory(clock, submittedMillis);
        this.failures = new FailureCounts(unit, restart, history);
        this.rescales = new RescaleLog(unit::graph, clock);
    }

    JobHistory history() {
        return history;
    }

    FailureCounts failures() {
        return failures;
    }

    RescaleLog rescales() {
        return rescales;
    }

    /** The number of the next execution, from 1: no two executions of a unit have the same. */
    long nextExecution() {
        return ++executions;
    }

    /** Its output is committed: when it runs again for its results, it must not be committed once more. */
    void committed() {
        committed = true;
    }

    boolean isCommitted() {
        return committed;
    }
}
