/**
 * Records which policy replaced which, why, and at what cost, and keeps the records in the metadata store. The log is
 * thread-safe; a watch is confined to the main thread of its owner, and the store may wait for the disk. Uses {@code
 * registration} and {@code meters}.
 */
@NullMarked
package io.berth.core.policies.swap;

import org.jspecify.annotations.NullMarked;
