/**
 * The connections of a worker, to the ResourceManager and to the JobMaster of each job, with the slot offers and task
 * updates that go over them, and the look at who leads on this machine, which has an executor of its own. Confined to the main thread of the TaskExecutor. Knows {@code peer} and {@code settings};
 * {@code task} and the root know it.
 */
@NullMarked
package io.berth.worker.connection;

import org.jspecify.annotations.NullMarked;
