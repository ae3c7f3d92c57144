/**
 * The jobs of a world, their simulated tasks, and the output of these. Confined to the one thread that plays the
 * world. Knows only {@code time}; {@code oracle}, {@code world}, {@code fault} and {@code recovery} know it.
 */
@NullMarked
package io.berth.simulator.job;

import org.jspecify.annotations.NullMarked;
