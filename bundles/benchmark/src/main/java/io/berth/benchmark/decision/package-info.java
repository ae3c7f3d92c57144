/**
 * The policy host with one strategy, decisions that place all slots of a workload at once, and decisions under
 * conditions that take turns. Confined to the main thread; the host decides in its own threads. Knows {@code workload},
 * {@code measure} and {@code report}; {@code churn}, {@code stub} and the root know it.
 */
@NullMarked
package io.berth.benchmark.decision;

import org.jspecify.annotations.NullMarked;
