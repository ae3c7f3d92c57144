/**
 * The oracles of a world without faults: everything has recovered, nothing is held too long, and no collection leaks.
 * Confined to the one thread that plays the world. Knows {@code world} and the rooms below it; only {@code seed} knows
 * it.
 */
@NullMarked
package io.berth.simulator.recovery;

import org.jspecify.annotations.NullMarked;
