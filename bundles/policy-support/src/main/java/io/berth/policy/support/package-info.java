/**
 * Placement and assignment of slots for strategies that only have an order of workers, and the indexes that they need.
 * A policy bundle embeds this package privately, so that it imports only the extension points, and a fix of this
 * package refreshes one bundle. Nothing here is thread-safe: an object belongs to one session.
 */
@NullMarked
package io.berth.policy.support;

import org.jspecify.annotations.NullMarked;
