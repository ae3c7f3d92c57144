/**
 * Both ends of a call between processes: the listener with its checks, and the channels to peers. Thread-safe; calls
 * run on the threads that the root package starts. Knows {@code gateway} and {@code wire}; the root knows it.
 */
@NullMarked
package io.berth.core.rpc.transport;

import org.jspecify.annotations.NullMarked;
