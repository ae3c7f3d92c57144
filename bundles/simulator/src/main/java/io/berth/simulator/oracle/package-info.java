/**
 * Observes every message and every change of a slot, and throws when an invariant is broken. Confined to the one
 * thread that plays the world. Knows {@code gateway}, {@code job} and {@code time}; {@code world}, {@code recovery}
 * and {@code seed} know it.
 */
@NullMarked
package io.berth.simulator.oracle;

import org.jspecify.annotations.NullMarked;
