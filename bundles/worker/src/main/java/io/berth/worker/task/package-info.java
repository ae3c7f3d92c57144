/**
 * The tasks of a worker, from deployment to end. Confined to the main thread of the TaskExecutor, except for {@code
 * WorkerTaskContext} and {@code SplitQuestions}, which any thread may call. Depends on {@code code} and {@code
 * connection}; only the root package depends on it.
 */
@NullMarked
package io.berth.worker.task;

import org.jspecify.annotations.NullMarked;
