/**
 * The code of jobs: fetches their bundles, installs them, keeps jobs apart and uninstalls what no job needs. State is
 * confined to the main thread of the TaskExecutor; what blocks or runs code of a job is done by the executor of the
 * bundles. Knows {@code peer}; {@code task} and the root know it.
 */
@NullMarked
package io.berth.worker.code;

import org.jspecify.annotations.NullMarked;
