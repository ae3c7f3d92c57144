/**
 * Stores the allocations of a worker on its disk, so that the next process offers the same slots. {@code
 * KeptAllocations} is confined to the main thread of the TaskExecutor; a store blocks, and is called on the file
 * executor, one call at a time. Depends on no other package of this bundle; only the root package depends on it.
 */
@NullMarked
package io.berth.worker.store;

import org.jspecify.annotations.NullMarked;
