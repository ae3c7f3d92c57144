/**
 * The jobs of a Dispatcher, its settings, and what its parts share. Confined to the main thread of the Dispatcher.
 * Knows {@code store} and {@code bundle}; {@code placement} and the root know it.
 */
@NullMarked
package io.berth.core.dispatcher.state;

import org.jspecify.annotations.NullMarked;
