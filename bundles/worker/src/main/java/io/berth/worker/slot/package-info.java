/**
 * The slots of a worker: sizes, states and how they ended. Confined to the main thread of the TaskExecutor. Depends on
 * no other package of this bundle; only the root package depends on it.
 */
@NullMarked
package io.berth.worker.slot;

import org.jspecify.annotations.NullMarked;
