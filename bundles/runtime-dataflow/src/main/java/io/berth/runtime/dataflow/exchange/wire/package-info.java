/**
 * The protocol between two workers: frames, their checks and the pipeline of a connection. Each connection is confined
 * to its event loop. Knows only {@code buffer}; {@code input}, {@code output} and the exchange know it.
 */
@NullMarked
package io.berth.runtime.dataflow.exchange.wire;

import org.jspecify.annotations.NullMarked;
