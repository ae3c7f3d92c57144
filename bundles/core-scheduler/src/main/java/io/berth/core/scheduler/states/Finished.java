package io.berth.core.scheduler.states;

import io.berth.core.api.job.JobStatus;
import io.berth.core.api.job.Reason;
import io.berth.core.scheduler.execution.ExecutionGraph;
import java.util.Optional;

/** The job has ended: finished, canceled or failed. */
public final class Finished implements State {

    public interface Context {
        /** Returns the slots and reports to the Dispatcher; then the JobMaster ends. */
        void end();
    }

    private final Context context;
    private final JobStatus outcome;
    private final String reason;
    private final Optional<ExecutionGraph> execution;

    /**
     * @param outcome a terminal status
     * @param execution the last execution, for its metrics
     */
    public Finished(Context context, JobStatus outcome, String reason, Optional<ExecutionGraph> execution) {
        if (!outcome.isTerminal()) {
            throw new IllegalArgumentException("outcome is " + outcome + ": a terminal status is allowed");
        }
        this.context = context;
        this.outcome = outcome;
        this.reason = reason;
        this.execution = execution;
    }

    @Override
    public JobStatus status() {
        return outcome;
    }

    @Override
    public String reason() {
        return reason;
    }

    @Override
    public Optional<Reason> why() {
        return Optional.empty();
    }

    @Override
    public Optional<ExecutionGraph> execution() {
        return execution;
    }

    @Override
    public void enter() {
        context.end();
    }

    @Override
    public void cancel(String cause) {
        // Too late.
    }
}
