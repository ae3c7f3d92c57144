/**
 * What goes into a decision and what comes out, as immutable values, and who wants to see them. Planners, advisors and
 * assigners hand frames to observers on their main threads. Uses the tables of the planner ({@code cache}), the settings of pools, and
 * what scaling policies see of jobs ({@code scaling}).
 */
@NullMarked
package io.berth.core.policies.frame;

import org.jspecify.annotations.NullMarked;
