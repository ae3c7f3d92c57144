/**
 * Stored results: the outputs of blocking edges, on the disk of the worker. Writers are confined to the thread of their
 * task; reading is done by a small pool of threads, each channel by one of them at a time; the store is thread-safe.
 * Knows {@code buffer} and {@code output}; the exchange and {@code task} know it.
 */
@NullMarked
package io.berth.runtime.dataflow.exchange.result;

import org.jspecify.annotations.NullMarked;
