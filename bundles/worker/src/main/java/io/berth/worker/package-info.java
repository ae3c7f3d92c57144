/**
 * The worker: the TaskExecutor, its process, and what follows when slots are granted, freed or lost. Confined to the
 * main thread of the TaskExecutor, except for the start and end of the process. Depends on all packages but {@code
 * launcher}; none depends on it.
 */
@NullMarked
package io.berth.worker;

import org.jspecify.annotations.NullMarked;
