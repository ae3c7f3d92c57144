/**
 * What goes into a decision of a pool and what comes out, as immutable values, and who wants to see them. Planners hand
 * frames to observers on their main threads. Uses the tables of the planner ({@code cache}) and the settings of pools.
 */
@NullMarked
package io.berth.core.policies.frame;

import org.jspecify.annotations.NullMarked;
