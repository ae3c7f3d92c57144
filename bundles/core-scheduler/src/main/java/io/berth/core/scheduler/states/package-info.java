/**
 * The states of a job (FLIP-160), each with its context, and what they share: timers, cancellation, restart back-off
 * and scaling decisions. Confined to the main thread of the job. Depends on {@code execution} and {@code job}; only
 * the root package depends on it.
 */
@NullMarked
package io.berth.core.scheduler.states;

import org.jspecify.annotations.NullMarked;
