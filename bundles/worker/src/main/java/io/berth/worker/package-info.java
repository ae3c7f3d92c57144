/**
 * The worker: the TaskExecutor and its process, and what follows when slots are granted, freed or lost. Confined to the
 * main thread of the TaskExecutor, except for the start and the end of the process. Ties all rooms but {@code launcher}
 * together; no room knows it.
 */
@NullMarked
package io.berth.worker;

import org.jspecify.annotations.NullMarked;
