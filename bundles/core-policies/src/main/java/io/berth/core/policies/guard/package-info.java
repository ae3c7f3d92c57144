/**
 * Runs the code of policies on threads of their bundle, with a deadline, and puts back what it changes of the process.
 * Thread-safe, and never blocks its caller. Knows {@code registration}, {@code meters} and {@code text}.
 */
@NullMarked
package io.berth.core.policies.guard;

import org.jspecify.annotations.NullMarked;
