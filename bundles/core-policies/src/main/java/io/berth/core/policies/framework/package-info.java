/**
 * Where the host meets OSGi: factory services, bundles, configurations and metatypes, and what a stopped bundle leaves
 * behind. Thread-safe; what may block has threads of its own or runs in the guard. Knows {@code registration}, {@code
 * guard}, {@code swap}, {@code backends} and {@code text}.
 */
@NullMarked
package io.berth.core.policies.framework;

import org.jspecify.annotations.NullMarked;
