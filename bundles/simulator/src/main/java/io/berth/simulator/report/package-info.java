/**
 * Charts, plot files and JSON texts. A chart is confined to one thread, and the rest is for every thread. Knows no
 * other room; the root, {@code replay} and the benchmarks know it.
 */
@NullMarked
package io.berth.simulator.report;

import org.jspecify.annotations.NullMarked;
