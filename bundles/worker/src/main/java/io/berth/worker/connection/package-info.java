/**
 * The connections of a worker: to the ResourceManager and to the JobMaster of each job, with slot offers and task
 * updates, and the poll of the leader file, which has an executor of its own. Confined to the main thread of the
 * TaskExecutor. Depends on {@code settings}; {@code task} and the root package depend on it.
 */
@NullMarked
package io.berth.worker.connection;

import org.jspecify.annotations.NullMarked;
