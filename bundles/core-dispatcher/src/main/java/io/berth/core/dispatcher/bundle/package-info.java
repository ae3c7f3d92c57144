/**
 * Bundles of user code, stored by the hash of their content. Thread-safe; work on files blocks the caller. Uses no
 * other subpackage; {@code description}, {@code state}, {@code placement} and the parent package use it.
 */
@NullMarked
package io.berth.core.dispatcher.bundle;

import org.jspecify.annotations.NullMarked;
