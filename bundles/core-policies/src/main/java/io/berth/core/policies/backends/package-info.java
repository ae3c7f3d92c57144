/**
 * The running backends, one of each name. Confined to the main thread of each follower; a backend may use its context on
 * any thread. Uses {@code registration}, {@code registry}, {@code guard}, {@code swap} and {@code text}.
 */
@NullMarked
package io.berth.core.policies.backends;

import org.jspecify.annotations.NullMarked;
