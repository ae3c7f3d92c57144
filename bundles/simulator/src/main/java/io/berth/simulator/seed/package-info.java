/**
 * Plays one seed or many, and shrinks one that broke an invariant to a short trace. A seed is confined to one thread,
 * and many threads play seeds at once. Knows all rooms around a world. The root
 * knows it, and {@code deadlock} its threads.
 */
@NullMarked
package io.berth.simulator.seed;

import org.jspecify.annotations.NullMarked;
