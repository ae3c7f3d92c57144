package io.berth.core.scheduler.job;

import io.berth.core.api.job.JobDetails.Transition;
import io.berth.core.api.job.JobFailure;
import io.berth.core.api.job.JobFailure.TaskFailure;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.time.Clock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.OptionalInt;

/** The history of a job: the latest changes of state and failures, and counts. Confined to the main thread of the job. */
public final class JobHistory {

    private static final int KEPT = 100;

    private final Clock clock;
    private final long submittedMillis;
    private final Deque<Transition> transitions = new ArrayDeque<>();
    private final FailureLog failures = new FailureLog();
    private long startedMillis;
    private long endedMillis;
    private int restarts;
    private int rescales;
    private int partRestarts;

    public JobHistory(Clock clock, long submittedMillis) {
        this.clock = clock;
        this.submittedMillis = submittedMillis;
    }

    public void entered(JobStatus status, String reason) {
        partRestarts = 0;
        if (transitions.size() == KEPT) {
            transitions.removeFirst();
        }
        long now = clock.wallMillis();
        transitions.addLast(new Transition(now, status, reason));
        if (status == JobStatus.EXECUTING && startedMillis == 0) {
            startedMillis = now;
        }
        if (status.isTerminal()) {
            endedMillis = now;
        }
    }

    /** Adds a reason to the last change. */
    public void explained(String reason) {
        Transition last = transitions.removeLast();
        transitions.addLast(new Transition(last.wallMillis(), last.status(), reason));
    }

    /**
     * A task failed.
     *
     * @param region that is restarted alone; empty when the whole job is
     * @param stack stack trace of the exception; empty when it was none
     * @param consequence whether something else caused it, which may be told later
     */
    public void failed(
            long execution,
            OptionalInt region,
            String task,
            String worker,
            String text,
            String stack,
            boolean consequence) {
        failures.add(
                execution,
                region.orElse(FailureLog.ALL),
                new TaskFailure(clock.wallMillis(), task, worker, text, stack),
                consequence);
    }

    /** What ended the latest executions, the oldest first. */
    public List<JobFailure> failures() {
        return failures.failures();
    }

    public void restarted() {
        restarts++;
    }

    /** Some tasks failed and are restarted, while the job goes on. Restarts in a row are one entry. */
    public void partRestarts(JobStatus status, String reason) {
        if (partRestarts == 0) {
            entered(status, reason);
        } else {
            explained(reason + "; " + partRestarts + (partRestarts == 1 ? " such restart" : " such restarts")
                    + " before it");
        }
        partRestarts++;
    }

    /** The region begins again. */
    public void partRestarted(long execution, int region) {
        failures.close(execution, region);
    }

    public void rescaled() {
        rescales++;
    }

    public long submittedMillis() {
        return submittedMillis;
    }

    public long startedMillis() {
        return startedMillis;
    }

    public long endedMillis() {
        return endedMillis;
    }

    public int restarts() {
        return restarts;
    }

    public int rescales() {
        return rescales;
    }

    public List<Transition> transitions() {
        return List.copyOf(transitions);
    }
}
