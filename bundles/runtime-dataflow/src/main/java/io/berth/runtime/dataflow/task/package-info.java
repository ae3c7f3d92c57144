/**
 * One task: its chain of operators, its inputs and outputs, and its outcome. Each task runs on its own thread; every
 * thread may call its {@code DataflowTask}. Knows {@code state}, and the exchange with all its rooms except {@code
 * wire}; only the root knows it.
 */
@NullMarked
package io.berth.runtime.dataflow.task;

import org.jspecify.annotations.NullMarked;
