/**
 * The jobs of a world, their simulated tasks, and what these put out. Confined to the one thread that plays the world.
 * Knows {@code time} only; {@code oracle}, {@code world}, {@code fault} and {@code recovery} know it.
 */
@NullMarked
package io.berth.simulator.job;

import org.jspecify.annotations.NullMarked;
