/**
 * Charts, plot files and JSON texts. A chart is confined to one thread, the rest is thread-safe. Knows no other room;
 * the root, {@code replay} and the benchmarks know it.
 */
@NullMarked
package io.berth.simulator.report;

import org.jspecify.annotations.NullMarked;
