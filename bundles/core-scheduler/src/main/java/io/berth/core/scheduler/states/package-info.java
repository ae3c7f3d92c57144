/**
 * The states of a job (FLIP-160), each with the context that it needs, and what they share: timers, cancellation,
 * restart back-off and scaling decisions. Confined to the main thread of the job. Knows {@code execution} and {@code
 * job}; only the root knows it.
 */
@NullMarked
package io.berth.core.scheduler.states;

import org.jspecify.annotations.NullMarked;
