/**
 * The code of jobs: downloads and installs their bundles, isolates jobs, and uninstalls what no job needs. The state
 * is confined to the main thread of the TaskExecutor; code that blocks or belongs to a job runs on the bundle
 * executor. Depends on no other package of this bundle; {@code task} and the root package depend on it.
 */
@NullMarked
package io.berth.worker.code;

import org.jspecify.annotations.NullMarked;
