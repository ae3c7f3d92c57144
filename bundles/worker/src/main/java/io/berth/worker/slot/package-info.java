/**
 * The slots of a worker: their sizes, their states and how they ended. Confined to the main thread of the TaskExecutor.
 * Knows no other room; only the root knows it.
 */
@NullMarked
package io.berth.worker.slot;

import org.jspecify.annotations.NullMarked;
