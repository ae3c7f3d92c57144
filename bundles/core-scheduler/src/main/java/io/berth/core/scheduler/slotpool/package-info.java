/**
 * The slots that a job has, how they are matched to its requirements, and which of them are reserved, idle or in
 * excess. Confined to the main thread of the job. Depends on {@code job} only; {@code execution} and the root package
 * depend on it.
 */
@NullMarked
package io.berth.core.scheduler.slotpool;

import org.jspecify.annotations.NullMarked;
