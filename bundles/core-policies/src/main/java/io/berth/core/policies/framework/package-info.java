/**
 * Connects the host to OSGi: factory services, bundles, configurations and metatypes, and the remains of a stopped
 * bundle. Thread-safe; what may block has threads of its own or runs in the guard. Uses {@code registration}, {@code
 * guard}, {@code swap}, {@code backends} and {@code text}.
 */
@NullMarked
package io.berth.core.policies.framework;

import org.jspecify.annotations.NullMarked;
