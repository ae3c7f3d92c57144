/**
 * The oracles of a world that is left alone: everything is well again, nothing is held too long, and nothing is
 * forgotten in a collection. Confined to the one thread that plays the world. Knows {@code world} and the rooms below
 * it; only {@code seed} knows it.
 */
@NullMarked
package io.berth.simulator.recovery;

import org.jspecify.annotations.NullMarked;
