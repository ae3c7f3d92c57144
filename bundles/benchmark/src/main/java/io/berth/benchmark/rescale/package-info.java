/**
 * The control plane in one process with workers that start and end tasks at once, and what a change of the parallelism of
 * a job takes there by phase. Driven by the main thread; workers live on the thread of the calls. Knows {@code decision}
 * and {@code stub}; only the root knows it.
 */
@NullMarked
package io.berth.benchmark.rescale;

import org.jspecify.annotations.NullMarked;
