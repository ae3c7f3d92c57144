/**
 * Starts the policy host, as components of the framework or as a plain object for simulators and tests. Methods may be
 * called on any thread; only closing and storing records wait. Uses all packages but {@code cache}, {@code validation}
 * and {@code text}; no package uses it.
 */
@NullMarked
package io.berth.core.policies;

import org.jspecify.annotations.NullMarked;
