/**
 * Decisions outside of the planner, advisor or assigner that made them: made again from frames, or made from the same inputs by
 * another policy. Runs on an executor of its user; calls into policies run where {@link
 * io.berth.core.policies.detached.PolicyCalls} says. Uses the frames and the same decision, tables and checks as the live
 * ones.
 */
@NullMarked
package io.berth.core.policies.detached;

import org.jspecify.annotations.NullMarked;
