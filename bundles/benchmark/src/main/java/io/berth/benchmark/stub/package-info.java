/**
 * The ResourceManager in one process with stubs of workers and JobMasters. Driven by the main thread; the stubs answer
 * in the thread that calls them. Knows {@code decision} and {@code workload}; {@code rescale}
 * and the root know it.
 */
@NullMarked
package io.berth.benchmark.stub;

import org.jspecify.annotations.NullMarked;
