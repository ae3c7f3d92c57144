/**
 * The replayed workers and jobs, with the time, transport and policies that they run on, and the check that slots are
 * conserved. Confined to the main thread. Knows {@code traces} only; {@code measure} and {@code replay} know it.
 */
@NullMarked
package io.berth.simulator.replay.cluster;

import org.jspecify.annotations.NullMarked;
