/**
 * Transports messages between simulated processes, loses and delays them, and counts what happened to each kind.
 * Confined to the one thread that plays the world. Knows only {@code time}; {@code world}, {@code fault}, {@code
 * recovery}, {@code seed} and the root know it.
 */
@NullMarked
package io.berth.simulator.network;

import org.jspecify.annotations.NullMarked;
