package io.berth.core.resources.state;

import io.berth.core.resources.state.RequirementMapping.Kind;

/**
 * What slots share that one decision gave to one group of a job, on any workers, or that one worker reported together.
 *
 * @param decision number of the decision that placed them
 * @param round that granted them; {@link GrantRound#NONE} if a worker reported them first
 * @param sinceMillis when they were granted or reported first
 */
public record SlotGrant(JobEntry job, Kind kind, long decision, GrantRound round, long sinceMillis) {}
