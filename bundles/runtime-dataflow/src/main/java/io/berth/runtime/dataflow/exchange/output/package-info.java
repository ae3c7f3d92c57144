/**
 * The producer's side: partitions, the writers that fill them and the server that sends them to other workers. Writers
 * are confined to the thread of their task and connections to their event loop; partitions are thread-safe and pass
 * buffers on under a lock. Knows {@code buffer} and {@code wire}; {@code input}, {@code result}, the exchange and {@code
 * task} know it.
 */
@NullMarked
package io.berth.runtime.dataflow.exchange.output;

import org.jspecify.annotations.NullMarked;
