/**
 * The life of workers: registration, heartbeats, slot reports, idleness, loss, and reports of backends about their
 * processes. Confined to the main thread of the ResourceManager. Depends on {@code backends}, {@code planning}, {@code
 * settings} and {@code state}; only the root depends on it.
 */
@NullMarked
package io.berth.core.resources.workers;

import org.jspecify.annotations.NullMarked;
