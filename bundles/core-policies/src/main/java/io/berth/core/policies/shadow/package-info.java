/**
 * Policies that are given the inputs of a pool's decisions and never decide. A shadow sees the frames of the planner on the
 * planner's main thread, where it only puts them into a bounded queue; everything else happens on a lane of its own, and
 * calls into the policy have threads of their own. Uses the detached planner.
 */
@NullMarked
package io.berth.core.policies.shadow;

import org.jspecify.annotations.NullMarked;
