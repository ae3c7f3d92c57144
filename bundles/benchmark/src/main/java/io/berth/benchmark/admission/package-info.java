/**
 * Pools of units in the tables of the policy host, and calls of a distribution policy about them. Confined to the thread
 * that measures. Knows the room {@code measure}; the root knows it.
 */
@NullMarked
package io.berth.benchmark.admission;

import org.jspecify.annotations.NullMarked;
