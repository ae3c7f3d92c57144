/**
 * The backends that run, one of each name, and the check of the worker specs that they offer. Confined to the main
 * thread of each follower; a backend may use its context on any thread. Knows {@code registration}, {@code registry},
 * {@code guard}, {@code swap} and {@code text}.
 */
@NullMarked
package io.berth.core.policies.backends;

import org.jspecify.annotations.NullMarked;
