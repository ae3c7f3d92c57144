/**
 * The tasks of a worker, from their deployment to their end, and what a task gets of its worker. Confined to the main
 * thread of the TaskExecutor, except for {@code WorkerTaskContext} and {@code SplitQuestions}, which any thread calls.
 * Knows {@code code}, {@code connection} and {@code peer}; only the root knows it.
 */
@NullMarked
package io.berth.worker.task;

import org.jspecify.annotations.NullMarked;
