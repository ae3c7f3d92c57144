/**
 * The replayed workers and jobs, their time, transport and policies, and the check that slots are conserved. Confined
 * to the main thread. Knows only {@code traces}; {@code measure} and {@code replay} know it.
 */
@NullMarked
package io.berth.simulator.replay.cluster;

import org.jspecify.annotations.NullMarked;
