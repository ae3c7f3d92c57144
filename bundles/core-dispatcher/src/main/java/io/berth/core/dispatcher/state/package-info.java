/**
 * The jobs of a Dispatcher, its settings, and what its parts share. Confined to the main thread of the Dispatcher.
 * Uses {@code store} and {@code bundle}; {@code placement} and the parent package use it.
 */
@NullMarked
package io.berth.core.dispatcher.state;

import org.jspecify.annotations.NullMarked;
