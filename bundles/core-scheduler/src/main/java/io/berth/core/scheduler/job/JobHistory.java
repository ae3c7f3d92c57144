package io.berth.core.scheduler.job;

import io.berth.core.api.job.JobDetails.Transition;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.time.Clock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The history of a job: the latest changes of state, and counts. Confined to the main thread of the job. */
public final class JobHistory {

    private static final int KEPT = 100;

    private final Clock clock;
    private final long submittedMillis;
    private final Deque<Transition> transitions = new ArrayDeque<>();
    private long startedMillis;
    private long endedMillis;
    private int restarts;
    private int rescales;

    public JobHistory(Clock clock, long submittedMillis) {
        this.clock = clock;
        this.submittedMillis = submittedMillis;
    }

    public void entered(JobStatus status, String reason) {
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

    public void restarted() {
        restarts++;
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
