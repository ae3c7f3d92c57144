/**
 * The backends that start workers: what they offer, what is declared to them, and how a worker process is started.
 * {@code WorkerDemand} and {@code StartFailures} are confined to the main thread of the ResourceManager, the others are
 * thread-safe. Depends on {@code settings} and {@code state}.
 */
@NullMarked
package io.berth.core.resources.backends;

import org.jspecify.annotations.NullMarked;
