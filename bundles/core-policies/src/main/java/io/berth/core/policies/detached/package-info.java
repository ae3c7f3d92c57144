/**
 * Decisions of a pool outside of its planner: made again from frames, or made from the same inputs by another policy.
 * Runs on an executor of its user; calls into policies run where {@link io.berth.core.policies.detached.PolicyCalls} says.
 * Uses the frames and the same decision, tables and checks as the planner.
 */
@NullMarked
package io.berth.core.policies.detached;

import org.jspecify.annotations.NullMarked;
