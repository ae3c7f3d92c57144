/**
 * The network memory of a worker: buffers, their pool and the leases of channels. Pool and leases are thread-safe; a
 * buffer belongs to one thread at a time. Knows {@code measure} only; all rooms of the exchange and {@code task} know it.
 */
@NullMarked
package io.berth.runtime.dataflow.exchange.buffer;

import org.jspecify.annotations.NullMarked;
