/**
 * Idle workers and the slots that jobs request, drawn from a seed or read from traces. Immutable, thread-safe values,
 * except for the random generator. Knows no other room; {@code decision}, {@code churn}, {@code stub} and the root
 * know it.
 */
@NullMarked
package io.berth.benchmark.workload;

import org.jspecify.annotations.NullMarked;
