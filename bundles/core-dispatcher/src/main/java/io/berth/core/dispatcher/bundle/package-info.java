/**
 * Bundles of user code, kept by the hash of their content. Safe for any thread; work on files blocks the caller. Knows
 * no other room; {@code description}, {@code state}, {@code placement} and the root know it.
 */
@NullMarked
package io.berth.core.dispatcher.bundle;

import org.jspecify.annotations.NullMarked;
