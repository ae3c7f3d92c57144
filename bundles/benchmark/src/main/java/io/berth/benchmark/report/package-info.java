/**
 * Results as names and values, written as JSON, as a table or as a chart. Confined to the main thread. Knows
 * {@code measure} only; only the root knows it.
 */
@NullMarked
package io.berth.benchmark.report;

import org.jspecify.annotations.NullMarked;
