/**
 * Replays traces in virtual time on the unchanged ResourceManager and policies, and prints the result. Confined to the
 * main thread. Knows {@code cluster}, {@code measure}, {@code traces} and {@code report}; only the root knows it.
 */
@NullMarked
package io.berth.simulator.replay;

import org.jspecify.annotations.NullMarked;
