/**
 * Policies without a framework: those of this release and those of given bundles. Whatever it creates may be used in any
 * thread. Uses no other package.
 */
@NullMarked
package io.berth.simulator.policies;

import org.jspecify.annotations.NullMarked;
