/**
 * Carries messages between simulated processes, loses and delays them, and counts what became of each kind. Confined to
 * the one thread that plays the world. Knows {@code time} only; {@code world}, {@code fault}, {@code recovery},
 * {@code seed} and the root know it.
 */
@NullMarked
package io.berth.simulator.network;

import org.jspecify.annotations.NullMarked;
