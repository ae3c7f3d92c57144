/**
 * The life of workers: registration, heartbeats, slot reports, idleness, loss, and what backends say of their
 * processes. Confined to the main thread of the ResourceManager. Knows {@code backends}, {@code planning}, {@code
 * settings} and {@code state}; only the root knows it.
 */
@NullMarked
package io.berth.core.resources.workers;

import org.jspecify.annotations.NullMarked;
