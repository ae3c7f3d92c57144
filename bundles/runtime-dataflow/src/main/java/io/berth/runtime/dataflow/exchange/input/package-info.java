/**
 * The consumer's side: gates, their channels, the reader of records and the connections to producing workers. Readers
 * are confined to the thread of their task and connections to their event loop; gates and channels are for both. Knows
 * {@code buffer}, {@code wire}, and {@code output} for producers in the same worker; the exchange and {@code task}
 * know it.
 */
@NullMarked
package io.berth.runtime.dataflow.exchange.input;

import org.jspecify.annotations.NullMarked;
