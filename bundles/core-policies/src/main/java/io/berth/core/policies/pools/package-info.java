/**
 * The configuration of pools, and what their queues and submitters used over time, with its record in the metadata
 * store. Thread-safe; the store waits for the disk. Knows none of its neighbors.
 */
@NullMarked
package io.berth.core.policies.pools;

import org.jspecify.annotations.NullMarked;
