/**
 * Runs the code of policies on threads of their bundle, with a deadline, and restores what it changes in the process.
 * Thread-safe, and never blocks its caller. Uses {@code registration}, {@code meters} and {@code text}.
 */
@NullMarked
package io.berth.core.policies.guard;

import org.jspecify.annotations.NullMarked;
