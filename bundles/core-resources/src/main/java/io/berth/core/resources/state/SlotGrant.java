package io.berth.core.resources.state;

import io.berth.core.resources.state.RequirementMapping.Kind;

/**
 * What slots share that one decision gave to one group of a job, on whatever workers, or that a worker brought at once.
 *
 * @param decision number of the decision that placed them
 * @param round in which they were granted; {@link GrantRound#NONE} when a worker brought them
 */
public record SlotGrant(JobEntry job, Kind kind, long decision, GrantRound round) {}
