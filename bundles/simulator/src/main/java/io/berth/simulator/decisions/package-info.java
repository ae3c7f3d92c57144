/**
 * Makes recorded decisions again, and beside another policy. Runs on one thread, with the policies of this release and
 * those of given bundles. Uses the detached planner and the journal of the policy host.
 */
@NullMarked
package io.berth.simulator.decisions;

import org.jspecify.annotations.NullMarked;
