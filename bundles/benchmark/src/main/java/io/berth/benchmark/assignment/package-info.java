/**
 * Jobs whose slots are to be assigned to what they require, and the most slots that can serve. Confined to the thread that
 * measures. Knows the room {@code measure} and the random numbers of {@code workload}; the root knows it.
 */
@NullMarked
package io.berth.benchmark.assignment;

import org.jspecify.annotations.NullMarked;
