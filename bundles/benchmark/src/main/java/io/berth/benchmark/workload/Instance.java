package io.berth.benchmark.workload;

import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.policy.PlanningInput.GroupDemand;
import io.berth.spi.ResourceProfile;
import java.util.List;

/** Idle workers and the slots that jobs request, all at once. */
public interface Instance {

    int workers();

    /** The size of a worker. */
    ResourceProfile worker(int worker);

    /** The size of a slot of the unknown profile on a worker. */
    ResourceProfile defaultSlot(int worker);

    /** Labels and taints of a worker. */
    default WorkerLabels labels(int worker) {
        return WorkerLabels.NONE;
    }

    /** The demands of each job, without minimum; empty for a job that requests nothing. */
    List<List<GroupDemand>> demands();

    /** The number of slots. */
    int requests();

    /** With fewer workers than this, the requests cannot fit, by their volume. */
    int lowerBound();
}
