/**
 * Results as names and values, printed as JSON, as a table or as a chart. Confined to the main thread. Knows only
 * {@code measure}; {@code decision} and the root know it.
 */
@NullMarked
package io.berth.benchmark.report;

import org.jspecify.annotations.NullMarked;
