/**
 * The figures of a replay: use of the workers, waiting times of jobs, and the result made of them. Confined to the
 * main thread. Knows {@code cluster} and {@code traces}; only {@code replay} knows it.
 */
@NullMarked
package io.berth.simulator.replay.measure;

import org.jspecify.annotations.NullMarked;
