/**
 * Keeps the allocations of a worker on its disk, so that the next process offers the same slots.
 * {@code KeptAllocations} is confined to the main thread of the TaskExecutor; a store blocks, and its calls come one
 * after the other on the executor of files. Knows {@code peer}; only the root knows it.
 */
@NullMarked
package io.berth.worker.store;

import org.jspecify.annotations.NullMarked;
