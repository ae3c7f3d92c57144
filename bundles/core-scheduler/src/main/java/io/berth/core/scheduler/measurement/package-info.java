/**
 * What a job measures of itself: rates and shares of its tasks over a window, backlog of its sources, and what rescales
 * cost. Confined to the main thread of the job. Knows {@code execution} and {@code job}.
 */
@NullMarked
package io.berth.core.scheduler.measurement;

import org.jspecify.annotations.NullMarked;
