/**
 * Gives each live job one JobMaster, watches it, and stores how the job ends. Confined to the main thread of the
 * Dispatcher. Uses {@code state}, {@code store} and {@code bundle}; only the parent package uses it.
 */
@NullMarked
package io.berth.core.dispatcher.placement;

import org.jspecify.annotations.NullMarked;
