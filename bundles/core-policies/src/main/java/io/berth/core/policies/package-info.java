/**
 * Starts the policy host, as components of the framework or as a plain object for simulators and tests. Methods may be
 * called on any thread; only closing and keeping records wait. Knows all rooms but {@code cache}, {@code validation}
 * and {@code text}, and no room knows it.
 */
@NullMarked
package io.berth.core.policies;

import org.jspecify.annotations.NullMarked;
