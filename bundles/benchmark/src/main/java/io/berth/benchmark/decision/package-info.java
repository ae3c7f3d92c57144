/**
 * The policy host with one strategy, and decisions that place all slots of a workload at once. Confined to the main
 * thread; the host decides in its own threads. Knows {@code workload} and {@code measure}; {@code churn}, {@code stub}
 * and the root know it.
 */
@NullMarked
package io.berth.benchmark.decision;

import org.jspecify.annotations.NullMarked;
