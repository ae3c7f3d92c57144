/**
 * Gives each live job one JobMaster, watches it, and keeps how the job ends. Confined to the main thread of the
 * Dispatcher. Knows {@code state}, {@code store} and {@code bundle}; the root knows it.
 */
@NullMarked
package io.berth.core.dispatcher.placement;

import org.jspecify.annotations.NullMarked;
