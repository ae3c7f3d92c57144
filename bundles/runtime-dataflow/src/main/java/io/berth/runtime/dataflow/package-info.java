/**
 * The task runtime {@code dataflow}: a component that starts tasks and owns the exchange of the worker. Thread-safe.
 * Knows {@code task} and {@code exchange}; no room knows it.
 */
@NullMarked
package io.berth.runtime.dataflow;

import org.jspecify.annotations.NullMarked;
