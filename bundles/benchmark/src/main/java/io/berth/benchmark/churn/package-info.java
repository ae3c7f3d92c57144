/**
 * Slots that are freed on a full cluster and placed again, through the host or with the strategy alone. Confined to
 * the main thread. Knows {@code decision}, {@code workload} and {@code measure}; only the root knows it.
 */
@NullMarked
package io.berth.benchmark.churn;

import org.jspecify.annotations.NullMarked;
