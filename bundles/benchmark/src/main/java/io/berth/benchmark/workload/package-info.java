/**
 * Idle workers and the slots that jobs want of them, drawn from a seed or read from traces. Immutable values, for every
 * thread, but for the random generator. Knows no other room; {@code decision}, {@code churn}, {@code stub} and the root
 * know it.
 */
@NullMarked
package io.berth.benchmark.workload;

import org.jspecify.annotations.NullMarked;
