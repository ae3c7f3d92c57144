/**
 * The exchange of records between tasks: one object for each worker, and its settings. Thread-safe. It connects the
 * rooms below it; {@code task} and the root know it.
 */
@NullMarked
package io.berth.runtime.dataflow.exchange;

import org.jspecify.annotations.NullMarked;
