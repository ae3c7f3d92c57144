/**
 * One execution of a job: its graph of tasks, their states and splits, and the calls that deploy, commit and cancel
 * them. Confined to the main thread of the job. Depends on {@code job}, {@code peers} and {@code slotpool}; {@code
 * states} and the root package depend on it.
 */
@NullMarked
package io.berth.core.scheduler.execution;

import org.jspecify.annotations.NullMarked;
