package io.berth.benchmark.workload;

import io.berth.core.api.policy.PlanningInput.GroupDemand;
import io.berth.spi.ResourceProfile;
import java.util.List;

/** Idle workers and the slots that jobs want of them, all at once. */
public interface Instance {

    int workers();

    /** The size of a worker. */
    ResourceProfile worker(int worker);

    /** What an unknown need takes of a worker. */
    ResourceProfile defaultSlot(int worker);

    /** Of each job, with no minimum; of a job that wants nothing none. */
    List<List<GroupDemand>> demands();

    /** How many slots that are. */
    int requests();

    /** Fewer workers than this cannot hold the requests, by their volume. */
    int lowerBound();
}
