package io.berth.core.scheduler;

import io.berth.core.api.gateway.ResourceManagerGateway.GroupRequirement;
import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobMeasures;
import io.berth.core.api.job.Waiting;
import io.berth.core.scheduler.slotpool.SlotPool;
import io.berth.core.scheduler.states.State;
import java.util.List;

/**
 * What users see of a unit. For at once.
 *
 * @param runMillis of its last execution
 * @param waiting why it does not run
 * @param measures of the execution that runs
 */
record UnitView(
        JobGraph graph,
        State state,
        long runMillis,
        Waiting waiting,
        List<GroupRequirement> requirements,
        SlotPool pool,
        JobMeasures measures) {}
