/**
 * Virtual time, the lives of simulated processes, and the trace of what happens. Confined to the one thread that plays
 * the world. Knows no other room; all rooms around a world know it.
 */
@NullMarked
package io.berth.simulator.time;

import org.jspecify.annotations.NullMarked;
