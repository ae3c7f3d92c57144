/**
 * Traces of clusters, jobs and outages, and readers of their formats. Traces are immutable, and a reader is confined
 * to one thread. Knows no other room; {@code replay} and the benchmarks know it.
 */
@NullMarked
package io.berth.simulator.traces;

import org.jspecify.annotations.NullMarked;
