/**
 * Allocates slots: collects changes, lets the policies plan, commits the plan and requests the slots from workers.
 * Confined to the main thread of the ResourceManager. Depends on {@code backends}, {@code blocklist}, {@code
 * explanation}, {@code settings} and {@code state}; {@code workers} and the root depend on it.
 */
@NullMarked
package io.berth.core.resources.planning;

import org.jspecify.annotations.NullMarked;
