package io.berth.policy.support.scaling;

import io.berth.spi.scaling.JobView;
import io.berth.spi.scaling.ParallelismBuilder;
import java.util.Arrays;

/** The parallelism that a decision desires for each vertex; each decision writes it again. */
public final class DesiredParallelism {

    private final JobView job;
    private final ForwardVertices forward;
    private final int[] desired;
    private final int[] slotsNow;
    private final int[] slotsThen;

    /** Nothing is desired yet. */
    public DesiredParallelism(JobView job, ForwardVertices forward) {
        this.job = job;
        this.forward = forward;
        desired = new int[job.vertices()];
        slotsNow = new int[job.groups()];
        slotsThen = new int[job.groups()];
    }

    /** By vertex; it may be written. */
    public int[] byVertex() {
        return desired;
    }

    /** Whether any vertex runs. */
    public boolean isRunning() {
        for (int vertex = 0; vertex < desired.length; vertex++) {
            if (job.current(vertex) > 0) {
                return true;
            }
        }
        return false;
    }

    /** Desires what the previous decision desired; before the first one, what runs or what the job requests. */
    public void keepLast() {
        for (int vertex = 0; vertex < desired.length; vertex++) {
            int current = job.current(vertex) > 0 ? job.current(vertex) : job.desired(vertex);
            desired[vertex] = forward.within(vertex, job.lastDesired(vertex).orElse(current));
        }
    }

    /** Desires what runs. A vertex that does not run keeps what was desired. */
    public void keepCurrent() {
        for (int vertex = 0; vertex < desired.length; vertex++) {
            if (job.current(vertex) > 0) {
                desired[vertex] = forward.within(vertex, job.current(vertex));
            }
        }
    }

    /** Whether a slot sharing group needs fewer slots for what is desired: it needs as many as its widest vertex. */
    public boolean saves() {
        count();
        for (int group = 0; group < slotsNow.length; group++) {
            if (slotsThen[group] < slotsNow[group]) {
                return true;
            }
        }
        return false;
    }

    /** Slots that all groups together need for what is desired. */
    public int slots() {
        count();
        int sum = 0;
        for (int slots : slotsThen) {
            sum += slots;
        }
        return sum;
    }

    private void count() {
        Arrays.fill(slotsNow, 0);
        Arrays.fill(slotsThen, 0);
        for (int vertex = 0; vertex < desired.length; vertex++) {
            int group = job.group(vertex);
            slotsNow[group] = Math.max(slotsNow[group], job.current(vertex));
            slotsThen[group] = Math.max(slotsThen[group], desired[vertex]);
        }
    }

    /** Puts it into the result. */
    public void tell(ParallelismBuilder result) {
        for (int vertex = 0; vertex < desired.length; vertex++) {
            result.parallelism(vertex, desired[vertex]);
        }
    }
}
