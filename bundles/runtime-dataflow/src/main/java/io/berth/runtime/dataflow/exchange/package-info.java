/**
 * The exchange of records between tasks: one object for each worker, and its settings. For every thread. Ties the rooms
 * below it together; {@code task} and the root know it.
 */
@NullMarked
package io.berth.runtime.dataflow.exchange;

import org.jspecify.annotations.NullMarked;
