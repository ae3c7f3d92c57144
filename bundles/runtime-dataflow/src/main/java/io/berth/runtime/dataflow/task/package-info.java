/**
 * One task: its chain of operators, its inputs and outputs, and its outcome. Each task runs on a thread of its own;
 * every thread may call its {@code DataflowTask}. Knows {@code state}, and the exchange with all its rooms but
 * {@code wire}; only the root knows it.
 */
@NullMarked
package io.berth.runtime.dataflow.task;

import org.jspecify.annotations.NullMarked;
