/**
 * The commands that start processes on this machine: control plane, worker, demo, simulator, benchmark and
 * score card. Confined to the main thread of the process. Knows {@code console}, {@code cluster} and {@code job}; {@code policy} and the root know it.
 */
@NullMarked
package io.berth.ops.cli.process;

import org.jspecify.annotations.NullMarked;
